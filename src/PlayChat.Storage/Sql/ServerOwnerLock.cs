namespace PlayChat.Storage.Sql;

/// <summary>A lock of the database server that lasts as long as a connection, which is kept for it alone.</summary>
/// <param name="driver">Opens the connection.</param>
/// <param name="tryLock">The statement that takes the lock for its connection. It returns 1, or 0 when another connection has the
/// lock.</param>
internal sealed class ServerOwnerLock(IServerDriver driver, string tryLock) : IOwnerLock
{
    private DbConnection? _session;

    /// <summary>After a kill, the database server needs a moment to notice the end of the connection.</summary>
    public TimeSpan Wait => TimeSpan.FromSeconds(3);

    public async Task<bool> TryTakeAsync(CancellationToken cancellationToken)
    {
        DbConnection session = driver.CreateSession();
        try
        {
            await session.OpenAsync(cancellationToken).ConfigureAwait(false);
            var command = new CommandDefinition(tryLock, cancellationToken: cancellationToken);
            if (await session.ExecuteScalarAsync<int>(command).ConfigureAwait(false) == 1)
            {
                _session = session;
                return true;
            }
        }
        catch (Exception exception) when (driver.Explain(exception, isOpening: true) is { } error)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new StorageException(error.Kind, error.Message, exception);
        }
        finally
        {
            if (_session != session)
            {
                await session.DisposeAsync().ConfigureAwait(false);
            }
        }

        return false;
    }

    public async Task<bool> IsHeldAsync(CancellationToken cancellationToken)
    {
        if (_session is null)
        {
            return false;
        }

        try
        {
            await _session.ExecuteScalarAsync<int>(new CommandDefinition("SELECT 1", cancellationToken: cancellationToken))
                .ConfigureAwait(false);
            return true;
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            // Broken, and the lock with it.
            await _session.DisposeAsync().ConfigureAwait(false);
            _session = null;
            return false;
        }
    }

    public ValueTask DisposeAsync() => _session?.DisposeAsync() ?? ValueTask.CompletedTask;
}
