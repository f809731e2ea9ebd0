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
    private readonly bool _search;

    /// <summary>Makes the store; the server is asked first in <see cref="DatabaseStore.InitializeAsync"/>.</summary>
    /// <param name="connectionString">Npgsql's. Never logged, nor told in an error.</param>
    /// <param name="search">See <see cref="Sqlite.SqliteStoreOptions.Search"/>.</param>
    /// <exception cref="StorageException">It is no connection string, or names no host.</exception>
    public PostgresChatStore(string connectionString, bool search = true)
        : this(new PostgresDriver(connectionString), search)
    {
    }

    private PostgresChatStore(PostgresDriver driver, bool search)
        : base(driver, PostgresSql.Store, new PostgresSchema(driver.Location), PostgresSql.TryLockOwner)
    {
        _search = search;
    }

    /// <inheritdoc/>
    public override string Name => "PostgreSQL";

    private protected override async Task MigrateAsync(DbConnection connection)
    {
        await base.MigrateAsync(connection).ConfigureAwait(false);
        await Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            await connection.ExecuteAsync(PostgresSql.LockSchema, transaction: transaction).ConfigureAwait(false);
            bool has = await connection.ExecuteScalarAsync<bool>(PostgresSql.HasSearch, transaction: transaction).ConfigureAwait(false);
            return has == _search
                ? 0
                : await connection.ExecuteAsync(
                    _search ? PostgresSql.CreateSearch : PostgresSql.DropSearch, transaction: transaction, commandTimeout: 0)
                    .ConfigureAwait(false);
        }).ConfigureAwait(false);
    }

    private protected override bool IsDuplicate(DbException exception) =>
        exception is PostgresException { SqlState: PostgresErrorCodes.UniqueViolation };

    private protected override string SearchQuery(IEnumerable<long> rooms, IEnumerable<string> words) =>
        $"({string.Join(" | ", rooms.Select(static id => $"room{id}"))}) & {string.Join(" & ", words.Select(static word => $"'{word}'"))}";

    private protected override Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records) =>
        PostgresChatInsert.RunAsync((NpgsqlConnection)connection, records, Fence);
}
