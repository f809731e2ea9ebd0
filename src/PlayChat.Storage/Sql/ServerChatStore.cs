namespace PlayChat.Storage.Sql;

/// <summary>What the stores on database servers have in common.</summary>
public abstract class ServerChatStore : DatabaseStore
{
    private readonly IServerDriver _driver;
    private readonly ISchema _schema;
    private readonly string _tryLockOwner;
    private readonly ServerConnections _connections;

    private protected ServerChatStore(IServerDriver driver, StoreSql sql, ISchema schema, string tryLockOwner)
        : base(sql)
    {
        _driver = driver;
        _schema = schema;
        _tryLockOwner = tryLockOwner;
        _connections = new ServerConnections(driver, Metrics);
    }

    /// <summary>Server and database, without credentials.</summary>
    public override string Location => _driver.Location;

    private protected override Task MigrateAsync(DbConnection connection) => SchemaMigration.RunAsync(connection, _schema);

    internal override Task<T> ConnectAsync<T>(
        Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken) =>
        _connections.RunAsync(work, cancellationToken);

    private protected override StorageException OwnedBy(DatabaseOwner? owner) => ServerErrors.Owned(Location, owner);

    private protected override IOwnerLock CreateOwnerLock() => new ServerOwnerLock(_driver, _tryLockOwner);

    private protected override ValueTask CloseAsync() => _connections.DisposeAsync();
}
