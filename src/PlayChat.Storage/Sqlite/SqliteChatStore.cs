using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sqlite;

/// <summary>The embedded store: one SQLite file with a write-ahead log, one writer, several readers beside it.</summary>
/// <remarks>
/// A killed process loses nothing that was committed; a power cut may lose the last commits but never damages the file
/// (<see cref="SqliteStoreOptions.FlushesCommits"/> keeps those as well). Keep the file on a local disk: SQLite's locks do not work over a
/// network.
/// </remarks>
public sealed class SqliteChatStore : DatabaseStore
{
    // About a gigabyte on a fast disk. The owner of the database checks it, so this is a part of a server's start.
    private static readonly TimeSpan s_checkTime = TimeSpan.FromSeconds(5);

    private readonly SqliteConnections _connections;
    private readonly bool _search;

    /// <summary>Makes the store; the file is touched first in <see cref="DatabaseStore.InitializeAsync"/>.</summary>
    /// <param name="options">Read once; later changes have no effect.</param>
    /// <exception cref="StorageException">An option is out of range.</exception>
    public SqliteChatStore(SqliteStoreOptions options)
        : base(SqliteSql.Store)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _search = options.Search;
        _connections = new SqliteConnections(options.Copy(), Metrics);
    }

    /// <inheritdoc/>
    public override string Name => "SQLite";

    /// <summary>The full path of the database file.</summary>
    public override string Location => _connections.Path;

    private protected override void Prepare() => _connections.CreateFolder();

    private protected override async Task MigrateAsync(DbConnection connection)
    {
        var schema = new SqliteSchema(Location);
        await schema.UseWriteAheadLogAsync(connection).ConfigureAwait(false);
        await SchemaMigration.RunAsync(connection, schema).ConfigureAwait(false);
        await Transactions.RunAsync(connection.BeginTransactionAsync(), async transaction =>
        {
            bool has = await connection.ExecuteScalarAsync<int>(SqliteSql.HasSearch, transaction: transaction).ConfigureAwait(false) > 0;
            return has == _search
                ? 0
                : await connection.ExecuteAsync(_search ? SqliteSql.CreateSearch : SqliteSql.DropSearch, transaction: transaction)
                    .ConfigureAwait(false);
        }).ConfigureAwait(false);
    }

    private protected override string SearchQuery(IEnumerable<long> rooms, IEnumerable<string> words) =>
        $"room : ({string.Join(" OR ", rooms)}) AND text : ({string.Join(" AND ", words.Select(static word => $"\"{word}\""))})";

    private protected override async Task<IEnumerable<ChatRow>> SearchAsync(DbConnection connection, CommandDefinition search)
    {
        using var limit = new SqliteTimeLimit((SqliteConnection)connection, SearchTime);
        return await base.SearchAsync(connection, search).ConfigureAwait(false);
    }

    private protected override Task CheckAsync(DbConnection connection)
    {
        SqliteDamageCheck.Run((SqliteConnection)connection, Location, s_checkTime);
        return Task.CompletedTask;
    }

    private protected override Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records) =>
        SqliteChatInsert.RunAsync((SqliteConnection)connection, records, Fence);

    private protected override IOwnerLock CreateOwnerLock() => new SqliteOwnerLock(Location);

    private protected override StorageException OwnedBy(DatabaseOwner? owner) => SqliteErrors.Owned(Location, owner);

    internal override Task<T> ConnectAsync<T>(
        Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken) =>
        isWrite ? _connections.WriteAsync(work, cancellationToken) : _connections.ReadAsync(work, cancellationToken);

    private protected override ValueTask CloseAsync() => _connections.DisposeAsync();
}
