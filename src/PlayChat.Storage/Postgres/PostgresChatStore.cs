using Npgsql;

namespace PlayChat.Storage.Postgres;

/// <summary>The store on a PostgreSQL server, 12 or later. Its tables are made in the first schema of the connection's search
/// path.</summary>
/// <remarks>
/// Npgsql's pool does the pooling; its size and time-outs are keys of the connection string (<c>Maximum Pool Size</c>, by default 12;
/// <c>Timeout</c>, <c>Command Timeout</c>). Calls that find no free connection wait for one, as long as <c>Timeout</c> says.
/// What is committed survives a killed server and a power cut, unless the server is set up otherwise.
/// </remarks>
public sealed class PostgresChatStore : ServerChatStore
{
    /// <summary>Makes the store; the server is asked first in <see cref="DatabaseStore.InitializeAsync"/>.</summary>
    /// <param name="connectionString">Npgsql's. Never logged, nor told in an error.</param>
    /// <exception cref="StorageException">It is no connection string, or names no host.</exception>
    public PostgresChatStore(string connectionString)
        : this(new PostgresDriver(connectionString))
    {
    }

    private PostgresChatStore(PostgresDriver driver)
        : base(driver, PostgresSql.Store, new PostgresSchema(driver.Location), PostgresSql.TryLockOwner)
    {
    }

    /// <inheritdoc/>
    public override string Name => "PostgreSQL";

    private protected override Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records) =>
        PostgresChatInsert.RunAsync((NpgsqlConnection)connection, records, Fence);
}
