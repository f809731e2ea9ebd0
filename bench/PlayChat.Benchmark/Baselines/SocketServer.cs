namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// The plainest servers on System.Net.Sockets: an asynchronous loop for each connection (async-socket), or a thread with blocking receives
/// and sends for each (blocking-threads).
/// </summary>
/// <remarks>
/// Bounds: a connection's receive buffer (echo is read on when its answers are sent), and the outbox where others broadcast to it. A
/// blocking send ends its connection after five seconds.
/// </remarks>
internal sealed class SocketServer : IBaselineServer
{
    private const int SendTimeout = 5000;

    // Enough for what a thread calls, so that ten thousand of them have address space.
    private const int StackBytes = 256 * 1024;

    // An accept that failed is not tried again at once, so that a lasting cause takes no processor.
    private static readonly TimeSpan s_afterError = TimeSpan.FromMilliseconds(10);

    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly BaselineHub _hub;
    private readonly ConcurrentDictionary<SocketPeer, byte> _peers = new();
    private readonly Task _accepting;
    private volatile bool _stopping;

    public SocketServer(BaselineSettings settings, bool isBlocking)
    {
        _hub = new BaselineHub(settings);
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, settings.Port));
        _listener.Listen(BaselineSettings.Backlog);
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        _accepting = AcceptAsync(isBlocking);
    }

    public int Port { get; }

    public BaselineCounters Counters => _hub.Counters;

    public async ValueTask DisposeAsync()
    {
        _stopping = true;
        _listener.Dispose();
        await _accepting;
        foreach (SocketPeer peer in _peers.Keys)
        {
            peer.Close();
        }
    }

    private async Task AcceptAsync(bool isBlocking)
    {
        while (!_stopping)
        {
            try
            {
                Socket socket = await _listener.AcceptAsync();
                socket.NoDelay = true;
                socket.SendTimeout = SendTimeout;
                var peer = new SocketPeer(socket, _hub, isBlocking);
                _peers.TryAdd(peer, 0);
                if (isBlocking)
                {
                    // Everything that a blocking peer awaits has completed, so its thread ends with it.
                    new Thread(() => _ = RunAsync(peer), StackBytes) { IsBackground = true, Name = "Connection" }.Start();
                }
                else
                {
                    _ = RunAsync(peer);
                }
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(s_afterError); // the peer disconnected, or no file handle is left; or disposed
            }
        }
    }

    private async Task RunAsync(SocketPeer peer)
    {
        await peer.RunAsync();
        _peers.TryRemove(peer, out _);
    }
}

internal sealed class SocketPeer(Socket socket, BaselineHub hub, bool isBlocking) : IBaselineMember
{
    private readonly Outbox _outbox = new();

    /// <summary>Serves it until it ends. Never throws. A blocking peer returns when it has ended.</summary>
    public async Task RunAsync()
    {
        BaselineRoom? room = hub.Enter(this);
        try
        {
            await ReceiveAllAsync(room);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The peer disconnected, or the server stops.
        }
        finally
        {
            hub.Leave(this, room);
            socket.Dispose();
        }
    }

    public void Close() => socket.Dispose();

    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        if (!_outbox.TryAppend(frames.Span))
        {
            hub.Counters.OnSlowConsumer();
            Close();
        }
    }

    public void Flush() => _ = SendOutboxAsync();

    private async Task ReceiveAllAsync(BaselineRoom? room)
    {
        var buffer = new ReceiveBuffer(hub.Framing);
        while (await ReceiveAsync(buffer.Free) is > 0 and var bytes
            && buffer.TryTake(bytes, out ReadOnlyMemory<byte> whole, out int frames))
        {
            hub.Counters.OnReceived(bytes, frames);
            if (frames > 0)
            {
                if (room is null)
                {
                    hub.Counters.OnEchoed(frames);
                    await SendAllAsync(whole);
                }
                else
                {
                    room.Broadcast(whole, frames);
                }
            }

            buffer.Release();
        }
    }

    private async Task SendOutboxAsync()
    {
        try
        {
            for (bool more = _outbox.TryBegin(out ReadOnlyMemory<byte> block); more; more = _outbox.TryContinue(out block))
            {
                await SendAllAsync(block);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            if (e is SocketException { SocketErrorCode: SocketError.TimedOut })
            {
                hub.Counters.OnSlowConsumer();
            }

            Close(); // the receive loop ends as well
        }
    }

    private ValueTask<int> ReceiveAsync(Memory<byte> memory) =>
        isBlocking ? new ValueTask<int>(socket.Receive(memory.Span)) : socket.ReceiveAsync(memory);

    private async ValueTask SendAllAsync(ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            int sent = isBlocking ? socket.Send(bytes.Span) : await socket.SendAsync(bytes);
            hub.Counters.OnSent(sent);
            bytes = bytes[sent..];
        }
    }
}
