namespace PlayChat.Benchmark.Baselines;

/// <summary>The plainest socket servers: for each connection an asynchronous loop (async-socket) or a thread (blocking-threads).</summary>
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

internal sealed class SocketPeer(Socket socket, BaselineHub hub, bool isBlocking) : BaselineMember(hub.Counters)
{
    /// <summary>Serves it until it ends. Never throws. A blocking peer returns when it has ended.</summary>
    public async Task RunAsync()
    {
        BaselineRoom? room = hub.Enter(this);
        try
        {
            await ReceiveAllAsync(room);
        }
        catch (Exception e) when (IsEnd(e))
        {
            // It is no fault of this server.
        }
        finally
        {
            hub.Leave(this, room);
            socket.Dispose();
        }
    }

    public override void Close() => socket.Dispose();

    private async Task ReceiveAllAsync(BaselineRoom? room)
    {
        var buffer = new ReceiveBuffer(hub.Framing);
        while (await ReceiveAsync(buffer.Free) is > 0 and var bytes
            && buffer.TryTake(bytes, out ReadOnlyMemory<byte> whole, out int frames))
        {
            Counters.OnReceived(bytes, frames);
            if (frames > 0)
            {
                if (room is null)
                {
                    Counters.OnEchoed(frames);
                    await SendAsync(whole);
                }
                else
                {
                    room.Broadcast(whole, frames);
                }
            }

            buffer.Release();
        }
    }

    private ValueTask<int> ReceiveAsync(Memory<byte> memory) =>
        isBlocking ? new ValueTask<int>(socket.Receive(memory.Span)) : socket.ReceiveAsync(memory);

    protected override async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            int sent = isBlocking ? socket.Send(bytes.Span) : await socket.SendAsync(bytes);
            Counters.OnSent(sent);
            bytes = bytes[sent..];
        }
    }
}

/// <summary>A connection's receive buffer: small at first, larger when reads fill it or a frame does not fit. Not thread-safe.</summary>
internal sealed class ReceiveBuffer(BaselineFraming framing)
{
    private const int FirstBytes = 4096;

    // A busy connection reads up to so much at once.
    private const int BusyBytes = 64 * 1024;

    private byte[] _bytes = new byte[FirstBytes];
    private int _end;
    private int _taken;

    /// <summary>Where the next read goes; never empty.</summary>
    public Memory<byte> Free => _bytes.AsMemory(_end);

    /// <summary>Takes what a read brought, and gives all frames that are whole now.</summary>
    /// <param name="whole">The frames; valid until <see cref="Release"/>.</param>
    /// <returns>False when a length is over the limit.</returns>
    public bool TryTake(int bytes, out ReadOnlyMemory<byte> whole, out int frames)
    {
        _end += bytes;
        bool good = framing.TryScan(_bytes.AsSpan(0, _end), out FrameRun run);
        whole = _bytes.AsMemory(0, run.Bytes);
        frames = run.Frames;
        _taken = run.Bytes;
        return good;
    }

    /// <summary>Makes room: what was taken goes, what is behind it moves to the front.</summary>
    public void Release()
    {
        // When nothing was taken, one frame is larger than the buffer. The largest frame bounds that.
        bool grows = _end == _bytes.Length && (_bytes.Length < BusyBytes || _taken == 0);
        byte[] target = grows ? new byte[2 * _bytes.Length] : _bytes;
        _bytes.AsSpan(_taken, _end - _taken).CopyTo(target);
        (_bytes, _end, _taken) = (target, _end - _taken, 0);
    }
}
