using System.Collections.Concurrent;
using System.Net;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;

namespace PlayChat.Testing;

/// <summary>Links within one process: no sockets, no ports, the same behaviour, and as bad as a test wants them. Thread-safe.</summary>
/// <remarks>
/// <para>A listener's address is any <see cref="EndPoint"/>; port 0 of an <see cref="IPEndPoint"/> takes a free number. Every client's end
/// has an address of its own, which its server sees as the remote one.</para>
/// <para>Nothing here uses the process's clock or sleeps when <paramref name="time"/> is a <see cref="ManualTimeProvider"/>.</para>
/// </remarks>
/// <param name="time">The clock of latency and jitter; the system's without.</param>
public sealed class InMemoryTransport(TimeProvider? time = null) : ITransport
{
    private readonly ConcurrentDictionary<EndPoint, Listener> _listeners = new();
    private readonly ConcurrentDictionary<EndPoint, (InMemoryLink Client, InMemoryLink Server)> _links = new();
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly LinkActivity _activity = new();
    private volatile LinkConditions _conditions = LinkConditions.Perfect;
    private int _lastPort;
    private int _lastLink;

    /// <summary>The number of bytes, in flight or not yet received, that a direction of a link holds before its sender waits. Default 64
    /// KB.</summary>
    public int LinkBytes { get; init; } = 64 * 1024;

    /// <summary>The conditions of links that are made from now on. Default <see cref="LinkConditions.Perfect"/>.</summary>
    public LinkConditions Conditions
    {
        get => _conditions;
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _conditions = value;
        }
    }

    /// <inheritdoc/>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        if (endPoint is IPEndPoint { Port: 0 } ip)
        {
            endPoint = new IPEndPoint(ip.Address, 50_000 + (Interlocked.Increment(ref _lastPort) % 10_000));
        }

        var listener = new Listener(this, endPoint);
        return _listeners.TryAdd(endPoint, listener)
            ? listener
            : throw new ListenFailedException(endPoint, new InvalidOperationException("it is taken"));
    }

    /// <inheritdoc/>
    public ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        if (!_listeners.TryGetValue(endPoint, out Listener? listener))
        {
            throw new ConnectFailedException(endPoint, new InvalidOperationException("connection refused; no server listens there"));
        }

        (TransportConnection client, TransportConnection server) = CreateLink(endPoint);
        listener.Offer(server);
        return new ValueTask<TransportConnection>(client);
    }

    /// <summary>Makes a link without a listener: for tests of what works on one end.</summary>
    /// <param name="server">The address of the server's end; none without.</param>
    public (TransportConnection Client, TransportConnection Server) CreateLink(EndPoint? server = null)
    {
        int number = Interlocked.Increment(ref _lastLink);
        LinkConditions conditions = _conditions;
        var toServer = new InMemoryPipe(conditions, LinkBytes, HashCode(conditions.Seed, number * 2), _time, _activity);
        var toClient = new InMemoryPipe(conditions, LinkBytes, HashCode(conditions.Seed, (number * 2) + 1), _time, _activity);
        // 127.0.0.1 at first, as a server on this machine sees its clients; the next address when the ports of one are used up.
        EndPoint client = new IPEndPoint(0x0100007F + ((number / 60_000L) << 24), 1024 + (number % 60_000));
        var clientEnd = new InMemoryLink(toClient, toServer, client, server, Forget);
        var serverEnd = new InMemoryLink(toServer, toClient, server, client, disposed: null);
        _links[client] = (clientEnd, serverEnd);
        return (clientEnd, serverEnd);
    }

    /// <summary>
    /// Cuts the link of a client as a lost network does: what is under way is lost, and both ends see <see
    /// cref="Core.CloseReason.PeerReset"/>, at once.
    /// </summary>
    /// <param name="client">The client's address: its connection's local one, or the remote one of its session's.</param>
    /// <returns><see langword="false"/> when there is no such link (any more).</returns>
    public bool Break(EndPoint client)
    {
        ArgumentNullException.ThrowIfNull(client);
        if (!_links.TryRemove(client, out (InMemoryLink Client, InMemoryLink Server) link))
        {
            return false;
        }

        link.Client.Lose();
        link.Server.Lose();
        return true;
    }

    /// <summary>Cuts all links; see <see cref="Break"/>.</summary>
    public void BreakAll()
    {
        foreach (EndPoint client in _links.Keys)
        {
            Break(client);
        }
    }

    /// <summary>
    /// Completes when every end has handled all that has arrived and waits for more. What is still under way (<see
    /// cref="LinkConditions.Latency"/>) is not waited for, nor is what runs elsewhere, such as the turns of rooms.
    /// </summary>
    /// <param name="cancellationToken">Stops waiting: an end whose handler waits for something does not become idle.</param>
    public Task IdleAsync(CancellationToken cancellationToken = default) => _activity.IdleAsync().WaitAsync(cancellationToken);

    /// <summary>Changes whenever something begins to be handled.</summary>
    internal long Activity => _activity.Begun;

    internal bool IsIdle => _activity.IsIdle;

    /// <summary>Both ends of a link; <see langword="null"/> when the client has let its own go.</summary>
    internal (InMemoryLink Client, InMemoryLink Server)? LinkOf(EndPoint client) =>
        _links.TryGetValue(client, out (InMemoryLink Client, InMemoryLink Server) link) ? link : null;

    // Random is seeded by a number; this one differs for each link and direction.
    private static int HashCode(int seed, int stream) => unchecked((seed * 31) + (stream * 397));

    private void Forget(InMemoryLink client) => _links.TryRemove(client.LocalEndPoint!, out _);

    private sealed class Listener(InMemoryTransport transport, EndPoint endPoint) : TransportListener
    {
        private readonly Channel<TransportConnection> _waiting = Channel.CreateUnbounded<TransportConnection>();

        public override EndPoint EndPoint => endPoint;

        public override async ValueTask<TransportConnection?> AcceptAsync()
        {
            while (await _waiting.Reader.WaitToReadAsync().ConfigureAwait(false))
            {
                if (_waiting.Reader.TryRead(out TransportConnection? link))
                {
                    return link;
                }
            }

            return null;
        }

        public override ValueTask DisposeAsync()
        {
            transport._listeners.TryRemove(endPoint, out _);
            _waiting.Writer.TryComplete();
            while (_waiting.Reader.TryRead(out TransportConnection? link))
            {
                Refuse(link);
            }

            return ValueTask.CompletedTask;
        }

        internal void Offer(TransportConnection link)
        {
            if (!_waiting.Writer.TryWrite(link))
            {
                Refuse(link);
            }
        }

        private static void Refuse(TransportConnection link)
        {
            link.Abort();
            link.Dispose();
        }
    }
}
