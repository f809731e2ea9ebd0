namespace PlayChat.Core.Connections;

/// <summary>Why a connection ended, the task that completes with it, and the token that is cancelled by it. Thread-safe.</summary>
/// <remarks>
/// <para>
/// A mutable struct, embedded in its <see cref="Connection"/>: never copied. Task and token are made when they are first asked for.
/// </para>
/// <para>
/// Invariants: the first reason stays. A flag is set before its task or token is looked up, and the task or token is stored before its flag
/// is looked up, each with a full fence between; so one of the two sides sees the other, and both may complete it.
/// </para>
/// </remarks>
internal struct ConnectionEnd
{
    private TaskCompletionSource<CloseReason>? _closed;
    private CancellationTokenSource? _aborted;
    private int _reason;
    private volatile bool _isClosed;
    private volatile bool _isAborted;

    internal CloseReason Reason => (CloseReason)Volatile.Read(ref _reason);

    /// <summary>Completes with <see cref="SetClosed"/>.</summary>
    internal Task<CloseReason> Closed
    {
        get
        {
            if (Volatile.Read(ref _closed) is not { } closed)
            {
                var made = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
                closed = Interlocked.CompareExchange(ref _closed, made, null) ?? made;
            }

            if (_isClosed)
            {
                closed.TrySetResult(Reason);
            }

            return closed.Task;
        }
    }

    internal void SetReason(CloseReason reason) => Interlocked.CompareExchange(ref _reason, (int)reason, (int)CloseReason.None);

    /// <summary>Counts the end, tells it to the application, logs it, and completes <see cref="Closed"/>.</summary>
    internal void Complete(Connection connection, ConnectionServices services)
    {
        if (!connection.WasRefused)
        {
            services.Metrics.CountClose(Reason);
        }

        services.CallClosed(connection, Reason);
        if (services.Logger.IsEnabled(LogLevel.Debug))
        {
            // A transport makes the address when it is asked for.
            ConnectionLog.Closed(services.Logger, connection.Id, connection.RemoteEndPoint, Reason);
        }

        SetClosed();
    }

    internal void SetClosed()
    {
        _isClosed = true;
        Interlocked.MemoryBarrier();
        _closed?.TrySetResult(Reason);
    }

    /// <summary>Gives the token that <see cref="Abort"/> cancels. Exceptions of its callbacks are logged.</summary>
    internal CancellationToken GetAborted(ILogger logger, long connectionId)
    {
        if (Volatile.Read(ref _aborted) is not { } aborted)
        {
            var made = new CancellationTokenSource();
            aborted = Interlocked.CompareExchange(ref _aborted, made, null) ?? made;
            if (_isAborted)
            {
                _ = CancelAsync(aborted, logger, connectionId);
            }
        }

        return aborted.Token;
    }

    internal void Abort(ILogger logger, long connectionId)
    {
        _isAborted = true;
        Interlocked.MemoryBarrier();
        if (_aborted is { } aborted)
        {
            _ = CancelAsync(aborted, logger, connectionId);
        }
    }

    /// <summary>
    /// Cancels the token at once, and has the thread pool run its callbacks: they are the application's and may block, and the caller may
    /// be a flush, the sweep or an event loop, for which others wait.
    /// </summary>
    internal static async Task CancelAsync(CancellationTokenSource aborted, ILogger logger, long connectionId)
    {
        try
        {
            await aborted.CancelAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // Callbacks of the application: their exceptions must not reach the code that aborted.
            ConnectionLog.AbortedHandlerFault(logger, e, connectionId);
        }
    }
}
