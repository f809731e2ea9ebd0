using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>One thread and Socket.Select: it waits for all sockets at once, and does what each is ready for.</summary>
/// <remarks>
/// Bounds: a connection's receive buffer and its outbox. In echo mode the server does not read from a connection while its outbox
/// holds bytes; a full outbox closes the connection.
/// </remarks>
internal sealed class SelectServer : IBaselineServer
{
    private const int WaitMicroseconds = 50_000; // how late the end may be noticed

    private readonly Socket _listener;
    private readonly BaselineHub _hub;
    private readonly Dictionary<Socket, SelectPeer> _peers = []; // the thread's own, as is all below
    private readonly List<Socket> _readable = [];
    private readonly List<Socket> _writable = [];
    private readonly List<SelectPeer> _touched = [];
    private readonly Thread _thread;
    private volatile bool _stopping;

    public SelectServer(BaselineSettings settings)
    {
        _hub = new BaselineHub(settings);
        _listener = LoopbackListener.Listen(settings.Port);
        _listener.Blocking = false;
        Port = LoopbackListener.Port(_listener);
        _thread = new Thread(Run) { IsBackground = true, Name = "Select" };
        _thread.Start();
    }

    public int Port { get; }

    public BaselineCounters Counters => _hub.Counters;

    public ValueTask DisposeAsync()
    {
        _stopping = true;
        _thread.Join();
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    private void Run()
    {
        while (!_stopping)
        {
            Collect();
            Socket.Select(_readable, _writable, null, WaitMicroseconds);
            foreach (Socket socket in _writable)
            {
                _peers[socket].Send();
            }

            foreach (Socket socket in _readable)
            {
                if (socket == _listener)
                {
                    Accept();
                }
                else
                {
                    _peers[socket].Receive();
                }
            }

            _touched.ForEach(static peer => peer.Send());
            _touched.Clear();
        }

        foreach (SelectPeer peer in _peers.Values)
        {
            peer.Dispose();
        }
    }

    // The lists are made anew each time, since Select leaves in them only what is ready.
    private void Collect()
    {
        _readable.Clear();
        _writable.Clear();
        _readable.Add(_listener);
        foreach ((Socket socket, SelectPeer peer) in _peers)
        {
            if (peer.IsClosed)
            {
                _peers.Remove(socket);
                peer.Dispose();
                continue;
            }

            if (peer.WantsToRead)
            {
                _readable.Add(socket);
            }

            if (peer.WantsToWrite)
            {
                _writable.Add(socket);
            }
        }
    }

    // The listener does not block, so a peer that disconnects before it is accepted delays nothing.
    private void Accept()
    {
        try
        {
            do
            {
                Socket socket = _listener.Accept();
                socket.Blocking = false;
                socket.NoDelay = true;
                _peers.Add(socket, new SelectPeer(socket, _hub, _touched));
            }
            while (_listener.Poll(0, SelectMode.SelectRead));
        }
        catch (SocketException)
        {
            Thread.Sleep(LoopbackListener.AfterError); // the peer disconnected, or no file handle is left: Select tells when to try again
        }
    }
}
