using System.Collections.Concurrent;
using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>Socket with await: an asynchronous loop for each connection.</summary>
/// <remarks>
/// Bounds: a connection's receive buffer (echo is read on when its answers are sent), and the outbox where others broadcast to it.
/// </remarks>
internal sealed class AsyncSocketServer : IBaselineServer
{
    private readonly Socket _listener;
    private readonly BaselineHub _hub;
    private readonly ConcurrentDictionary<AsyncSocketPeer, byte> _peers = new();
    private readonly Task _accepting;
    private volatile bool _stopping;

    public AsyncSocketServer(BaselineSettings settings)
    {
        _hub = new BaselineHub(settings);
        _listener = LoopbackListener.Listen(settings.Port);
        Port = LoopbackListener.Port(_listener);
        _accepting = AcceptAsync();
    }

    public int Port { get; }

    public BaselineCounters Counters => _hub.Counters;

    public async ValueTask DisposeAsync()
    {
        _stopping = true;
        _listener.Dispose();
        await _accepting;
        foreach (AsyncSocketPeer peer in _peers.Keys)
        {
            peer.Close();
        }
    }

    private async Task AcceptAsync()
    {
        while (!_stopping)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptAsync();
                socket.NoDelay = true;
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(LoopbackListener.AfterError); // the peer disconnected, or no file handle is left; or disposed
                continue;
            }

            var peer = new AsyncSocketPeer(socket, _hub);
            _peers.TryAdd(peer, 0);
            _ = RunAsync(peer);
        }
    }

    private async Task RunAsync(AsyncSocketPeer peer)
    {
        await peer.RunAsync();
        _peers.TryRemove(peer, out _);
    }
}
