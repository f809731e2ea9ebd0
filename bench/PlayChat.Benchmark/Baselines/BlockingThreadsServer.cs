using System.Collections.Concurrent;
using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>A thread for each connection, with blocking receives and sends.</summary>
/// <remarks>
/// Bounds: a connection's receive buffer. A broadcast is sent by the sender's thread under the room's lock, so a member that does not
/// read holds its whole room up, until a send to it has taken <see cref="BlockingPeer.SendTimeout"/> and it is closed.
/// </remarks>
internal sealed class BlockingThreadsServer : IBaselineServer
{
    // Enough for what they call, so that ten thousand of them have address space.
    private const int StackBytes = 256 * 1024;

    private readonly Socket _listener;
    private readonly BaselineHub _hub;
    private readonly ConcurrentDictionary<BlockingPeer, byte> _peers = new();
    private readonly Thread _accepting;
    private volatile bool _stopping;

    public BlockingThreadsServer(BaselineSettings settings)
    {
        _hub = new BaselineHub(settings);
        _listener = LoopbackListener.Listen(settings.Port);
        Port = LoopbackListener.Port(_listener);
        _accepting = new Thread(Accept) { IsBackground = true, Name = "Accept" };
        _accepting.Start();
    }

    public int Port { get; }

    public BaselineCounters Counters => _hub.Counters;

    public ValueTask DisposeAsync()
    {
        _stopping = true;
        _listener.Dispose();
        _accepting.Join();
        foreach (BlockingPeer peer in _peers.Keys)
        {
            peer.Close();
        }

        return ValueTask.CompletedTask;
    }

    private void Accept()
    {
        while (!_stopping)
        {
            BlockingPeer peer;
            try
            {
                peer = new BlockingPeer(_listener.Accept(), _hub);
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            catch (SocketException)
            {
                Thread.Sleep(LoopbackListener.AfterError); // the peer disconnected, or no file handle is left; or disposed
                continue;
            }

            _peers.TryAdd(peer, 0);
            var thread = new Thread(() => Run(peer), StackBytes) { IsBackground = true, Name = "Connection" };
            thread.Start();
        }
    }

    private void Run(BlockingPeer peer)
    {
        peer.Run();
        _peers.TryRemove(peer, out _);
    }
}
