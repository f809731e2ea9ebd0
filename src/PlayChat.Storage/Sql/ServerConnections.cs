using System.Diagnostics;

namespace PlayChat.Storage.Sql;

/// <summary>Runs work on the connections of a driver's pool, and again when the server calls a failure a passing one.</summary>
/// <remarks>
/// Work that is tried again begins anew, on another connection and in another transaction. It may have been committed although the answer
/// was lost, so all of it must be such that doing it twice is doing it once.
/// </remarks>
internal sealed class ServerConnections(IServerDriver driver, StorageMetrics metrics) : IAsyncDisposable
{
    // Enough for a deadlock, or for a pool of connections to a server that was restarted. A caller that can
    // wait longer, such as the chat log, tries again by itself.
    private static readonly TimeSpan[] s_retryDelays =
        [TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(500)];

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private TaskCompletionSource? _idle; // set by disposal while calls are under way
    private int _calls; // guarded by _gate
    private bool _disposed; // guarded by _gate

    /// <exception cref="StorageException">The server did not do the work.</exception>
    public async Task<T> RunAsync<T>(Func<DbConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            for (int retry = 0; ; retry++)
            {
                try
                {
                    return await TryAsync(work, cancellationToken).ConfigureAwait(false);
                }
                catch (RetryException exception)
                {
                    if (retry == s_retryDelays.Length)
                    {
                        throw exception.Error;
                    }
                }
                metrics.RecordRetry();
                await Task.Delay(s_retryDelays[retry], cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Waits for the calls under way; further ones are refused. A call that the server does not answer in time is left, with its
    /// connection: a program must end without it.</summary>
    public async ValueTask DisposeAsync()
    {
        Task idle;
        lock (_gate)
        {
            _disposed = true;
            if (_calls > 0)
            {
                _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
            idle = _idle?.Task ?? Task.CompletedTask;
        }
        await idle.WaitAsync(s_patience).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (idle.IsCompleted)
        {
            await driver.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<T> TryAsync<T>(Func<DbConnection, Task<T>> work, CancellationToken cancellationToken)
    {
        DbConnection connection = await OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            try
            {
                return await work(connection).ConfigureAwait(false);
            }
            catch (Exception exception) when (driver.Explain(exception, isOpening: false) is { } error)
            {
                if (error is { Kind: StorageErrorKind.Unavailable, IsTransient: true })
                {
                    driver.ClearIdle(connection); // otherwise each further try could take another dead connection
                }
                throw Translate(error, exception);
            }
            finally
            {
                metrics.RecordReleased();
            }
        }
    }

    private async Task<DbConnection> OpenAsync(CancellationToken cancellationToken)
    {
        long started = Stopwatch.GetTimestamp();
        DbConnection connection = driver.CreateConnection();
        Task opening = connection.OpenAsync(cancellationToken);
        try
        {
            // Npgsql misses a cancellation that arrives just when the TCP connection is established, so this call does not rely on it.
            await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            _ = DisposeAfterAsync(opening, connection);
            if (exception is OperationCanceledException || driver.Explain(exception, isOpening: true) is not { } error)
            {
                throw;
            }
            // Some drivers report a cancelled wait as an error of their own.
            cancellationToken.ThrowIfCancellationRequested();
            if (error.IsAcquireTimeout)
            {
                metrics.RecordTimeout();
            }
            throw Translate(error, exception);
        }
        metrics.RecordAcquired(Stopwatch.GetTimestamp() - started);
        return connection;
    }

    /// <summary>Disposes an unused connection; a driver does not allow that while the connection opens.</summary>
    private static async Task DisposeAfterAsync(Task opening, DbConnection connection)
    {
        await opening.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await connection.DisposeAsync().ConfigureAwait(false);
    }

    private static Exception Translate(ServerError error, Exception exception)
    {
        var translated = new StorageException(error.Kind, error.Message, exception);
        return error.IsTransient ? new RetryException(translated) : translated;
    }

    private void Enter()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, typeof(DatabaseStore));
            _calls++;
        }
    }

    private void Leave()
    {
        lock (_gate)
        {
            if (--_calls == 0)
            {
                _idle?.TrySetResult();
            }
        }
    }

    private sealed class RetryException(StorageException error) : Exception
    {
        public StorageException Error { get; } = error;
    }
}
