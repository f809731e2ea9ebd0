using System.Data.Common;
using PlayChat.Storage.Sql;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Players;

/// <summary>A database for the tables of players: its connections, its dialect and its schema.</summary>
internal abstract class PlayerDatabase(string location, ISchema chat, PlayerSql sql) : IAsyncDisposable
{
    /// <summary>Where the data is, without credentials.</summary>
    public string Location => location;

    public PlayerSql Sql => sql;

    /// <summary>Runs work on a connection; again from its beginning if the database calls the failure a passing one.</summary>
    public abstract Task<T> RunAsync<T>(Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken);

    public abstract ValueTask DisposeAsync();

    public Task MigrateAsync(CancellationToken cancellationToken) => RunAsync(MigrateAsync, isWrite: true, cancellationToken);

    protected virtual async Task<bool> MigrateAsync(DbConnection connection)
    {
        await SchemaMigration.RunAsync(connection, new PlayerSchema(chat, sql)).ConfigureAwait(false);
        return true;
    }

    /// <summary>A file: one writer at a time, readers beside it.</summary>
    internal sealed class Sqlite(SqliteConnections connections)
        : PlayerDatabase(connections.Path, new SqliteSchema(connections.Path), PlayerSql.Sqlite)
    {
        public override Task<T> RunAsync<T>(Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken) =>
            isWrite ? connections.WriteAsync(work, cancellationToken) : connections.ReadAsync(work, cancellationToken);

        public override ValueTask DisposeAsync() => connections.DisposeAsync();

        protected override async Task<bool> MigrateAsync(DbConnection connection)
        {
            await new SqliteSchema(Location).UseWriteAheadLogAsync(connection).ConfigureAwait(false);
            return await base.MigrateAsync(connection).ConfigureAwait(false);
        }
    }

    /// <summary>A server: a pool of connections.</summary>
    internal sealed class Server(IServerDriver driver, ISchema chat, PlayerSql sql) : PlayerDatabase(driver.Location, chat, sql)
    {
        private readonly ServerConnections _connections = new(driver, new StorageMetrics());

        public override Task<T> RunAsync<T>(Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken) =>
            _connections.RunAsync(work, cancellationToken);

        public override ValueTask DisposeAsync() => _connections.DisposeAsync();
    }
}
