using Microsoft.Data.SqlClient;
using PlayChat.Storage.SqlServer;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.SqlServer;

/// <summary>On the server that PLAYCHAT_TEST_SQLSERVER names, each test in a database of its own; skipped without one.</summary>
public sealed class SqlServerStoreTests : StoreContractTests
{
    private const string Variable = "PLAYCHAT_TEST_SQLSERVER";

    private static readonly string? s_server = Environment.GetEnvironmentVariable(Variable);

    private readonly string _database = $"playchat_test_{Guid.NewGuid():N}";

    public override async ValueTask InitializeAsync()
    {
        Assert.SkipWhen(string.IsNullOrEmpty(s_server), $"{Variable} holds no connection string of a SQL Server.");
        await ExecuteAsync("master", $"CREATE DATABASE {_database}");
        await base.InitializeAsync();
    }

    [Fact]
    public async Task A_time_is_stored_to_the_microsecond_and_text_as_unicode()
    {
        await Store.AppendChatAsync([Record(1, 1, "가👍")]);

        Assert.Equal(
            "2024-02-29T23:59:59.123456", await ExecuteAsync(_database, "SELECT CONVERT(varchar(33), sent_at, 126) FROM chat_log"));
        Assert.Equal(6, await ExecuteAsync(_database, "SELECT CAST(DATALENGTH(text) AS int) FROM chat_log"));
    }

    [Fact]
    public async Task A_pool_without_a_free_connection_fails_as_busy_in_time()
    {
        var settings = new SqlConnectionStringBuilder(ConnectionString(_database)) { MaxPoolSize = 1, ConnectTimeout = 1 };
        await using var store = new SqlServerChatStore(settings.ConnectionString);
        await store.InitializeAsync();
        // The store's own write keeps the one connection of its pool: a connection of the test's would come from another pool.
        await using var holder = new SqlConnection(ConnectionString(_database));
        await holder.OpenAsync();
        await using var held = (SqlTransaction)await holder.BeginTransactionAsync();
        await using (SqlCommand theirs = new("SELECT COUNT(*) FROM chat_log WITH (TABLOCKX, HOLDLOCK)", holder, held))
        {
            await theirs.ExecuteScalarAsync();
        }

        Task<int> waiting = store.AppendChatAsync([Record(1, 1)]);

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.FindAccountAsync("mina"))
            .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(StorageErrorKind.Busy, error.Kind);
        Assert.Equal(1, store.Metrics.AcquireTimeouts);
        await held.RollbackAsync();
        Assert.Equal(1, await waiting.WaitAsync(TestTimeouts.Hang));
        Assert.Null(await store.FindAccountAsync("mina"));
    }

    [Fact]
    public async Task Tables_of_another_program_are_left_alone()
    {
        await RemoveDatabaseAsync();
        await ExecuteAsync(_database, "CREATE TABLE room (theirs int)");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => Open().InitializeAsync());

        Assert.Equal(StorageErrorKind.NotADatabase, error.Kind);
        Assert.Equal(1, await ExecuteAsync(_database, "SELECT COUNT(*) FROM sys.tables"));
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (!string.IsNullOrEmpty(s_server))
        {
            await DropDatabaseAsync();
        }
    }

    protected override IChatStore OpenStore() => new SqlServerChatStore(ConnectionString(_database));

    protected override Task RemoveDatabaseAsync() =>
        ExecuteAsync(_database, "DROP TABLE session_token, account, chat_log, room, database_owner, playchat_schema");

    protected override Task SetSchemaVersionAsync(int version) =>
        ExecuteAsync(_database, $"UPDATE playchat_schema SET version = {version}");

    protected override Task ExecuteAsync(string sql) => ExecuteAsync(_database, sql);

    private async Task DropDatabaseAsync()
    {
        SqlConnection.ClearAllPools(); // the server does not drop a database with an open connection
        try
        {
            // Ends the connections that the server has not noticed as closed yet.
            await ExecuteAsync("master", $"ALTER DATABASE {_database} SET SINGLE_USER WITH ROLLBACK IMMEDIATE");
        }
        catch (SqlException)
        {
            // A server that speaks the protocol but lacks this statement. The drop then says whether anything is left.
        }

        await ExecuteAsync("master", $"DROP DATABASE {_database}");
    }

    private static string ConnectionString(string database) =>
        new SqlConnectionStringBuilder(s_server) { InitialCatalog = database }.ConnectionString;

    private static async Task<object?> ExecuteAsync(string database, string sql)
    {
        await using var connection = new SqlConnection(ConnectionString(database));
        await connection.OpenAsync();
        await using SqlCommand command = connection.CreateCommand();
        command.CommandText = sql;
        return await command.ExecuteScalarAsync();
    }
}
