using System.Diagnostics;

namespace PlayChat.Storage.Sql;

/// <summary>Runs the statements of a store on its connections, and measures them. Refuses them until the schema is up to date.</summary>
internal sealed class StatementRunner(DatabaseStore store, OwnerFence fence)
{
    private volatile bool _initialized;

    /// <exception cref="InvalidOperationException">The schema was not brought up to date.</exception>
    public void ThrowIfNotInitialized()
    {
        if (!_initialized)
        {
            throw new InvalidOperationException($"Call {nameof(DatabaseStore.InitializeAsync)} before anything else.");
        }
    }

    /// <summary>Brings the schema up to date; from then on statements run.</summary>
    public async Task InitializeAsync(Func<DbConnection, Task> migrate, CancellationToken cancellationToken)
    {
        await MeasureAsync(StoreOperation.Migrate, Done(migrate), cancellationToken).ConfigureAwait(false);
        _initialized = true;
    }

    /// <summary>Runs statements on one connection.</summary>
    public Task<T> RunAsync<T>(StoreOperation operation, Func<DbConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        ThrowIfNotInitialized();
        return MeasureAsync(operation, work, cancellationToken);
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    public Task RunAsync(StoreOperation operation, Func<DbConnection, Task> work, CancellationToken cancellationToken) =>
        RunAsync(operation, Done(work), cancellationToken);

    /// <summary>Reads the row of a statement that finds one at most.</summary>
    public Task<T?> FindAsync<TRow, T>(
        StoreOperation operation, string sql, object? values, Func<TRow, T> read, CancellationToken cancellationToken)
        where TRow : class
        where T : class =>
        RunAsync(
            operation,
            async connection =>
                await connection.QuerySingleOrDefaultAsync<TRow>(sql, values).ConfigureAwait(false) is { } row ? read(row) : null,
            cancellationToken);

    public Task<IReadOnlyList<T>> QueryAsync<TRow, T>(
        StoreOperation operation, string sql, object? values, Func<TRow, T> read, CancellationToken cancellationToken) =>
        RunAsync<IReadOnlyList<T>>(
            operation,
            async connection => (await connection.QueryAsync<TRow>(sql, values).ConfigureAwait(false)).Select(read).ToArray(),
            cancellationToken);

    /// <summary>Reads all rows of a statement that has a limit of its own, which must be within the store's.</summary>
    public Task<IReadOnlyList<T>> ListAsync<TRow, T>(
        StoreOperation operation, string sql, int limit, object values, Func<TRow, T> read, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, IChatStore.MaxReadLimit);
        return QueryAsync(operation, sql, values, read, cancellationToken);
    }

    /// <summary>Changes accounts, tokens, bans or the owner's row.</summary>
    /// <returns>How many rows were changed.</returns>
    public Task<int> ExecuteAsync(StoreOperation operation, string sql, object values, CancellationToken cancellationToken) =>
        RunAsync(operation, connection => connection.ExecuteAsync(sql, values), cancellationToken);

    /// <summary>Changes rooms or messages, which the owner of the database alone may do.</summary>
    /// <returns>How many rows were changed.</returns>
    public Task<int> ExecuteFencedAsync(StoreOperation operation, string sql, object values, CancellationToken cancellationToken) =>
        RunAsync(operation, connection => fence.ExecuteAsync(connection, sql, values), cancellationToken);

    private static Func<DbConnection, Task<bool>> Done(Func<DbConnection, Task> work) => async connection =>
    {
        await work(connection).ConfigureAwait(false);
        return true;
    };

    private async Task<T> MeasureAsync<T>(StoreOperation operation, Func<DbConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        long started = Stopwatch.GetTimestamp();
        bool isWrite = operation is StoreOperation.Migrate or StoreOperation.WriteAccount or StoreOperation.AppendChat
            or StoreOperation.WriteRoom or StoreOperation.DeleteChat;
        try
        {
            T result = await store.ConnectAsync(work, isWrite, cancellationToken).ConfigureAwait(false);
            store.Metrics.Of(operation).Record(Stopwatch.GetTimestamp() - started, failed: false);
            return result;
        }
        catch (StorageException)
        {
            store.Metrics.Of(operation).Record(Stopwatch.GetTimestamp() - started, failed: true);
            throw;
        }
    }
}
