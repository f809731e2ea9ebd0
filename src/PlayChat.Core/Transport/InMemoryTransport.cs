using System.Collections.Concurrent;
using System.Net;
using System.Threading.Channels;

namespace PlayChat.Core.Transport;

/// <summary>Links within one process, for tests: no sockets, no ports, the same behaviour. Thread-safe.</summary>
/// <remarks>A listener's address is any <see cref="EndPoint"/>; port 0 of an <see cref="IPEndPoint"/> takes a free number.</remarks>
internal sealed class InMemoryTransport : ITransport
{
    private readonly ConcurrentDictionary<EndPoint, Listener> _listeners = new();
    private int _lastPort;

    /// <summary>What a link holds before its sender has to wait for the reader, in bytes. Default 64 KB.</summary>
    internal int LinkBytes { get; init; } = 64 * 1024;

    public TransportListener Listen(EndPoint endPoint, TransportOptions options)
    {
        if (endPoint is IPEndPoint { Port: 0 } ip)
        {
            endPoint = new IPEndPoint(ip.Address, 50_000 + (Interlocked.Increment(ref _lastPort) % 10_000));
        }

        var listener = new Listener(this, endPoint);
        return _listeners.TryAdd(endPoint, listener)
            ? listener
            : throw new ListenFailedException(endPoint, $"Cannot listen on {endPoint}: it is taken.", new InvalidOperationException());
    }

    public ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, CancellationToken cancellationToken = default)
    {
        if (!_listeners.TryGetValue(endPoint, out Listener? listener))
        {
            throw new ConnectFailedException(endPoint, $"Cannot connect to {endPoint}: nobody listens there.", new InvalidOperationException());
        }

        (TransportConnection client, TransportConnection server) = InMemoryConnection.CreatePair(LinkBytes, endPoint);
        listener.Offer(server);
        return new ValueTask<TransportConnection>(client);
    }

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
                link.Abort();
            }

            return ValueTask.CompletedTask;
        }

        internal void Offer(TransportConnection link)
        {
            if (!_waiting.Writer.TryWrite(link))
            {
                link.Abort();
            }
        }
    }
}
