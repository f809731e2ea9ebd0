using Microsoft.Data.SqlClient;
using PlayChat.Storage;
using PlayChat.Storage.SqlServer;

namespace PlayChat.Players.Tests;

/// <summary>On the server that PLAYCHAT_TEST_SQLSERVER names, each test in a database of its own; skipped without one.</summary>
public sealed class SqlServerPlayerStoreTests : PlayerStoreContractTests
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

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (!string.IsNullOrEmpty(s_server))
        {
            await RemoveAsync();
        }
    }

    protected override PlayerStore Open(PlayerStoreOptions? options) =>
        PlayerStore.OnSqlServer(ConnectionString(_database), Options(options));

    protected override IChatStore OpenChat() => new SqlServerChatStore(ConnectionString(_database));

    protected override async Task RemoveDatabaseAsync()
    {
        await RemoveAsync();
        await ExecuteAsync("master", $"CREATE DATABASE {_database}");
    }

    protected override Task ExecuteAsync(string sql) => ExecuteAsync(_database, sql);

    private static string ConnectionString(string database) =>
        new SqlConnectionStringBuilder(s_server) { InitialCatalog = database }.ConnectionString;

    private static async Task ExecuteAsync(string database, string sql)
    {
        await using var connection = new SqlConnection(ConnectionString(database));
        await connection.OpenAsync();
        await using SqlCommand command = connection.CreateCommand();
        command.CommandText = sql;
        await command.ExecuteNonQueryAsync();
    }

    private async Task RemoveAsync()
    {
        SqlConnection.ClearAllPools(); // the server does not drop a database with an open connection
        await ExecuteAsync("master", $"ALTER DATABASE {_database} SET SINGLE_USER WITH ROLLBACK IMMEDIATE");
        await ExecuteAsync("master", $"DROP DATABASE {_database}");
    }
}
