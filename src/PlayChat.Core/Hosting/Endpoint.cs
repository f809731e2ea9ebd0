using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>One address of a running server: the accept loop, and behind it the set-up of what was accepted.</summary>
/// <remarks>
/// The loop does nothing but accept, so that a rush of connects does not fill the system's backlog. Links are set up by one work item at
/// a time, in the order of acceptance; a TLS handshake runs by itself and takes its place in that order when it is done. When too many wait
/// for that, nobody is accepted, and the system's backlog is the queue.
/// </remarks>
internal sealed class Endpoint : IThreadPoolWorkItem, IAsyncDisposable
{
    /// <summary>
    /// Links that may be accepted and not opened yet; handshakes that end meanwhile come on top. As many again as the default backlog holds, so that 5,000 who
    /// come at one instant find room, whereas a flood costs no more than so many sockets.
    /// </summary>
    internal const int MaxUnopened = 4096;

    // A failing accept (no file handles left) is tried again, but not in a tight loop.
    private static readonly TimeSpan s_retryAfter = TimeSpan.FromMilliseconds(100);

    // In this time far fewer than MaxUnopened are opened, so the set-up never waits for the loop.
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
    private readonly CancellationToken _stoppingToken; // taken once: the source is disposed while handshakes still look at it
    private Task _accepting = Task.CompletedTask;
    private int _scheduled;
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
                    // A fault of ours with one link must not end the endpoint; and nobody else frees the link.
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

    /// <summary>Stops accepting. What is accepted and waits to be set up is still set up.</summary>
    public async ValueTask DisposeAsync()
    {
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
                    return;
                }

                Take(link);
            }
            catch (Exception e)
            {
                // Whatever it is, an endpoint that ended here would listen and never answer.
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
        await Task.Yield(); // off the accept loop from the first byte on
        // Its own timer, because that one may fire while the source is disposed.
        using var timeout = new CancellationTokenSource(_handshakeTimeout, _time);
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(_stoppingToken, timeout.Token);
        TlsConnection? encrypted = await TlsConnection.AcceptAsync(link, tls, deadline.Token).ConfigureAwait(false);
        Interlocked.Decrement(ref _handshakes); // before anybody can see that it is over
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
