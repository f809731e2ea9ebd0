namespace PlayChat.Storage.Sql;

/// <summary>Keeps a database for one server: takes its lock, writes its row, and takes the lock again when it broke.</summary>
/// <param name="ownerLock">The database's lock.</param>
/// <param name="fence">Checks the store's writes.</param>
/// <param name="runner">Reads and writes the owner's row.</param>
/// <param name="sql">The statements for it.</param>
/// <param name="refused">Makes the exception for a database that another server owns.</param>
internal sealed class DatabaseOwnership(
    IOwnerLock ownerLock,
    OwnerFence fence,
    StatementRunner runner,
    StoreSql sql,
    Func<DatabaseOwner?, StorageException> refused) : IAsyncDisposable
{
    // The row protects the writes, so a broken lock may stay unnoticed for this long; it only lets another server start meanwhile.
    private static readonly TimeSpan s_checkInterval = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_tryInterval = TimeSpan.FromMilliseconds(100);

    private readonly CancellationTokenSource _disposed = new();
    private Task _keeping = Task.CompletedTask;

    /// <exception cref="StorageException">Another server has the database, or the database failed.</exception>
    public async Task ClaimAsync(DatabaseOwner owner, CancellationToken cancellationToken)
    {
        long tries = ownerLock.Wait.Ticks / s_tryInterval.Ticks;
        while (!await ownerLock.TryTakeAsync(cancellationToken).ConfigureAwait(false))
        {
            if (tries-- <= 0)
            {
                throw refused(await FindOwnerAsync(cancellationToken).ConfigureAwait(false));
            }

            await Task.Delay(s_tryInterval, cancellationToken).ConfigureAwait(false);
        }

        var row = new { id = owner.Id, machine = owner.Machine, processId = owner.ProcessId, startedAt = new StoredTime(owner.StartedAt) };
        await runner.ExecuteAsync(StoreOperation.WriteRoom, sql.WriteOwner, row, cancellationToken).ConfigureAwait(false);
        fence.Set(owner);
        _keeping = KeepAsync();
    }

    /// <summary>Frees the database for another server.</summary>
    public async ValueTask DisposeAsync()
    {
        await _disposed.CancelAsync().ConfigureAwait(false);
        await _keeping.ConfigureAwait(false);
        await ownerLock.DisposeAsync().ConfigureAwait(false);
        _disposed.Dispose();
    }

    private async Task KeepAsync()
    {
        while (!fence.Lost.IsCompleted && !_disposed.IsCancellationRequested)
        {
            await Task.Delay(s_checkInterval, _disposed.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            try
            {
                if (_disposed.IsCancellationRequested || await ownerLock.IsHeldAsync(_disposed.Token).ConfigureAwait(false))
                {
                    continue;
                }

                // When the lock is not free, the database server may not have noticed yet that the former connection has ended. Only the
                // row says that another server has taken the database.
                await ownerLock.TryTakeAsync(_disposed.Token).ConfigureAwait(false);
                fence.Compare(await FindOwnerAsync(_disposed.Token).ConfigureAwait(false));
            }
            catch (Exception exception) when (exception is StorageException or OperationCanceledException)
            {
                // The database is away, so no server can take it. The next check tries again.
            }
        }
    }

    private Task<DatabaseOwner?> FindOwnerAsync(CancellationToken cancellationToken) => runner.FindAsync<OwnerRow, DatabaseOwner>(
        StoreOperation.ReadRoom, sql.ReadOwner, values: null, static row => row.ToOwner(), cancellationToken);

    [method: ExplicitConstructor]
    private sealed record OwnerRow(string OwnerId, string Machine, int ProcessId, StoredTime StartedAt)
    {
        public DatabaseOwner ToOwner() => new(OwnerId, Machine, ProcessId, StartedAt.Value);
    }
}
