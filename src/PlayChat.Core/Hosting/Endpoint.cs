namespace PlayChat.Core.Hosting;

/// <summary>One address of a running server: the accept loop, and the set-up of accepted links.</summary>
/// <remarks>
/// The loop only accepts, so that a rush of connects does not fill the system's backlog. One work item at a time sets the links up, in the
/// order of acceptance. A TLS handshake or a proxy's header runs separately, and its link joins the queue when that is done. When the queue
/// is full the loop pauses, and the system's backlog holds the rest.
/// </remarks>
/// <param name="listener">Owned by the endpoint.</param>
/// <param name="admits">Whether a link is let in, now or once its client is known; if not, it was refused and disposed.</param>
/// <param name="handshakes"><see langword="null"/> when an accepted link has nothing to pass.</param>
/// <param name="time">The clock of its pauses.</param>
/// <param name="logger">Gets the faults.</param>
/// <param name="open">Sets a link up. If it throws, the endpoint still owns the link.</param>
internal sealed class Endpoint(
    TransportListener listener,
    Func<TransportConnection, bool> admits,
    Handshakes? handshakes,
    TimeProvider time,
    ILogger logger,
    Action<TransportConnection> open)
    : IThreadPoolWorkItem, IAsyncDisposable
{
    /// <summary>
    /// The number of accepted links that may wait for their set-up; links whose handshake ends meanwhile are added to it. It equals the
    /// default backlog, so that 5,000 clients that connect at once find room, and a flood costs at most so many sockets.
    /// </summary>
    internal const int MaxUnopened = 4096;

    // So many links are set up in one go. In a rush the thread then runs first what waits for the links that are established.
    private const int MaxRun = 16;

    // A failed accept (no file handles left, for example) is retried, but not in a tight loop.
    private static readonly TimeSpan s_retryAfter = TimeSpan.FromMilliseconds(100);

    // A fault that lasts, such as too few file handles, is logged once in this time.
    private static readonly TimeSpan s_logAfter = TimeSpan.FromSeconds(10);

    // In this time the set-up opens far fewer links than MaxUnopened, so it never runs out of links.
    private static readonly TimeSpan s_crowdedPause = TimeSpan.FromMilliseconds(5);

    private readonly ConcurrentQueue<TransportConnection> _accepted = new();
    private readonly CancellationTokenSource _stopping = new();
    private Task _accepting = Task.CompletedTask;
    private int _scheduled;
    private volatile bool _isStopping;
    private int _unopened;
    private long? _faultLogged; // when an accept fault was logged last; used by the accept loop only, like the next
    private int _faultsLeftOut;

    internal EndPoint EndPoint => listener.EndPoint;

    void IThreadPoolWorkItem.Execute()
    {
        int left = MaxRun;
        do
        {
            while (_accepted.TryDequeue(out TransportConnection? link))
            {
                try
                {
                    open(link);
                }
                catch (Exception e)
                {
                    // A fault with one link must not end the endpoint. No other code owns the link now, so it is freed here.
                    HostingLog.OpenFault(logger, e, link.RemoteEndPoint);
                    link.Abort();
                    link.Dispose();
                }

                Interlocked.Decrement(ref _unopened);
                if (--left == 0)
                {
                    LocalWork.QueueToPool(this); // still scheduled
                    return;
                }
            }

            // Full barrier, then a second look: see Room.
            Interlocked.Exchange(ref _scheduled, 0);
        }
        while (!_accepted.IsEmpty && Interlocked.Exchange(ref _scheduled, 1) == 0);
    }

    internal void Start()
    {
        if (handshakes is not null)
        {
            handshakes.Passed = Enqueue;
        }

        _accepting = Task.Run(AcceptAsync);
    }

    /// <summary>Stops accepting. Accepted links that wait for their set-up are still set up.</summary>
    public async ValueTask DisposeAsync()
    {
        _isStopping = true; // first: the end of the listener below is expected
        await listener.DisposeAsync().ConfigureAwait(false);
        handshakes?.Stop();
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                if (Volatile.Read(ref _unopened) >= MaxUnopened)
                {
                    await PauseAsync(s_crowdedPause).ConfigureAwait(false);
                    continue;
                }

                TransportConnection? link = await listener.AcceptAsync().ConfigureAwait(false);
                if (link is null)
                {
                    if (!_isStopping)
                    {
                        HostingLog.ListenerEnded(logger, EndPoint);
                    }

                    return;
                }

                if (!admits(link))
                {
                    continue;
                }

                if (handshakes is not null)
                {
                    handshakes.Begin(link);
                }
                else
                {
                    Enqueue(link);
                }
            }
            catch (Exception e)
            {
                // Every exception is retried: an endpoint that ended here would listen and never accept.
                LogFault(e);
                await PauseAsync(s_retryAfter).ConfigureAwait(false);
            }
        }
    }

    private void LogFault(Exception exception)
    {
        long now = time.GetTimestamp();
        if (_faultLogged is { } last && time.GetElapsedTime(last, now) < s_logAfter)
        {
            _faultsLeftOut++;
            return;
        }

        HostingLog.AcceptFault(logger, exception, EndPoint, _faultsLeftOut);
        (_faultLogged, _faultsLeftOut) = (now, 0);
    }

    /// <summary>Waits so long, or until the server stops.</summary>
    private async Task PauseAsync(TimeSpan pause) =>
        await Task.Delay(pause, time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    private void Enqueue(TransportConnection link)
    {
        Interlocked.Increment(ref _unopened);
        _accepted.Enqueue(link);
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            LocalWork.QueueToPool(this);
        }
    }
}
