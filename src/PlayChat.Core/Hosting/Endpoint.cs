using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>One address of a running server: the accept loop, and the set-up of accepted links.</summary>
/// <remarks>
/// The loop only accepts, so that a rush of connects does not fill the system's backlog. One work item at a time sets the links up, in the
/// order of acceptance. A TLS handshake runs separately, and its link joins the queue when the handshake is done. When the queue is full
/// the loop pauses, and the system's backlog holds the rest.
/// </remarks>
internal sealed class Endpoint : IThreadPoolWorkItem, IAsyncDisposable
{
    /// <summary>
    /// The number of accepted links that may wait for their set-up; links whose handshake ends meanwhile are added to it. It equals the
    /// default backlog, so that 5,000 clients that connect at once find room, and a flood costs at most so many sockets.
    /// </summary>
    internal const int MaxUnopened = 4096;

    // A failed accept (no file handles left, for example) is retried, but not in a tight loop.
    private static readonly TimeSpan s_retryAfter = TimeSpan.FromMilliseconds(100);

    // In this time the set-up opens far fewer links than MaxUnopened, so it never runs out of links.
    private static readonly TimeSpan s_crowdedPause = TimeSpan.FromMilliseconds(5);

    private readonly TransportListener _listener;
    private readonly SslServerAuthenticationOptions? _tls;
    private readonly TimeSpan _handshakeTimeout;
    private readonly int _maxHandshakes;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Action<TransportConnection> _open;
    private readonly ServerMetrics _metrics;
    private readonly ConcurrentQueue<TransportConnection> _accepted = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationToken _stoppingToken; // taken once: handshakes still read it when the source is disposed
    private Task _accepting = Task.CompletedTask;
    private int _scheduled;
    private volatile bool _isStopping;
    private int _handshakes; // under way
    private int _unopened;

    internal Endpoint(
        TransportListener listener,
        SslServerAuthenticationOptions? tls,
        TimeSpan handshakeTimeout,
        int maxHandshakes,
        TimeProvider time,
        ILogger logger,
        Action<TransportConnection> open,
        ServerMetrics metrics)
    {
        _listener = listener;
        _tls = tls;
        _handshakeTimeout = handshakeTimeout;
        _maxHandshakes = maxHandshakes;
        _time = time;
        _logger = logger;
        _open = open;
        _metrics = metrics;
        _stoppingToken = _stopping.Token;
    }

    internal EndPoint EndPoint => _listener.EndPoint;

    void IThreadPoolWorkItem.Execute()
    {
        do
        {
            while (_accepted.TryDequeue(out TransportConnection? link))
            {
                try
                {
                    _open(link);
                }
                catch (Exception e)
                {
                    // A fault with one link must not end the endpoint. No other code owns the link now, so it is freed here.
                    HostingLog.OpenFault(_logger, e, link.RemoteEndPoint);
                    link.Abort();
                    link.Dispose();
                }

                Interlocked.Decrement(ref _unopened);
            }

            // Full barrier, then a second look: see Room.
            Interlocked.Exchange(ref _scheduled, 0);
        }
        while (!_accepted.IsEmpty && Interlocked.Exchange(ref _scheduled, 1) == 0);
    }

    internal void Start() => _accepting = Task.Run(AcceptAsync);

    /// <summary>Stops accepting. Accepted links that wait for their set-up are still set up.</summary>
    public async ValueTask DisposeAsync()
    {
        _isStopping = true; // first: the end of the listener below is expected
        await _listener.DisposeAsync().ConfigureAwait(false);
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stoppingToken.IsCancellationRequested)
        {
            try
            {
                if (Volatile.Read(ref _unopened) >= MaxUnopened)
                {
                    await PauseAsync(s_crowdedPause).ConfigureAwait(false);
                    continue;
                }

                TransportConnection? link = await _listener.AcceptAsync().ConfigureAwait(false);
                if (link is null)
                {
                    if (!_isStopping)
                    {
                        HostingLog.ListenerEnded(_logger, EndPoint);
                    }

                    return;
                }

                Take(link);
            }
            catch (Exception e)
            {
                // Every exception is retried: an endpoint that ended here would listen and never accept.
                HostingLog.AcceptFault(_logger, e, EndPoint);
                await PauseAsync(s_retryAfter).ConfigureAwait(false);
            }
        }
    }

    private void Take(TransportConnection link)
    {
        if (_tls is null)
        {
            Enqueue(link);
        }
        else if (Interlocked.Increment(ref _handshakes) <= _maxHandshakes)
        {
            _ = HandshakeAsync(link, _tls);
        }
        else
        {
            Interlocked.Decrement(ref _handshakes);
            _metrics.Add(Counter.ConnectionsRefused);
            HostingLog.TooManyHandshakes(_logger, link.RemoteEndPoint, _maxHandshakes);
            link.Abort();
            link.Dispose();
        }
    }

    private async Task PauseAsync(TimeSpan pause)
    {
        try
        {
            await Task.Delay(pause, _time, _stoppingToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
    }

    private async Task HandshakeAsync(TransportConnection link, SslServerAuthenticationOptions tls)
    {
        await Task.Yield(); // so that not even the handshake's first bytes delay the accept loop
        // A source of its own for the timer, because the timer may fire while the linked source is disposed.
        using var timeout = new CancellationTokenSource(_handshakeTimeout, _time);
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(_stoppingToken, timeout.Token);
        TlsConnection? encrypted = await TlsConnection.AcceptAsync(link, tls, deadline.Token).ConfigureAwait(false);
        Interlocked.Decrement(ref _handshakes); // before the end of the handshake becomes visible
        if (encrypted is null)
        {
            _metrics.Add(Counter.ConnectionsRefused);
            HostingLog.Refused(_logger, link.RemoteEndPoint, CloseReason.TlsFailed);
            return;
        }

        Enqueue(encrypted);
    }

    private void Enqueue(TransportConnection link)
    {
        Interlocked.Increment(ref _unopened);
        _accepted.Enqueue(link);
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
