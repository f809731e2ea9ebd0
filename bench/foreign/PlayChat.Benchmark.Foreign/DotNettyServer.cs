namespace PlayChat.Benchmark.Foreign;

/// <summary>DotNetty: one event loop for each processor, pooled buffers, its own length decoder.</summary>
/// <remarks>A member of a room for which more than 1 MB waits is closed, as by PlayChat.</remarks>
internal sealed class DotNettyServer : IBaselineServer
{
    private const int HeaderBytes = 4;
    private const int MaxPendingBytes = 1024 * 1024;

    private readonly MultithreadEventLoopGroup _acceptLoop = new(1);
    private readonly MultithreadEventLoopGroup _loops = new(Environment.ProcessorCount);
    private readonly DotNettyRoom[] _rooms;
    private IChannel _listener = null!; // set by StartAsync
    private int _accepted;

    private DotNettyServer(BaselineSettings settings)
    {
        _rooms = settings.Mode == BaselineMode.Broadcast
            ? [.. Enumerable.Range(0, settings.Rooms).Select(_ => new DotNettyRoom(Counters))]
            : [];
    }

    public int Port => ((IPEndPoint)_listener.LocalAddress).Port;

    public BaselineCounters Counters { get; } = new();

    public static async Task<IBaselineServer> StartAsync(BaselineSettings settings)
    {
        var server = new DotNettyServer(settings);
        ServerBootstrap bootstrap = new ServerBootstrap()
            .Group(server._acceptLoop, server._loops)
            .Channel<TcpServerSocketChannel>()
            .Option(ChannelOption.SoBacklog, BaselineSettings.Backlog)
            .ChildOption(ChannelOption.TcpNodelay, true)
            .ChildOption(ChannelOption.Allocator, PooledByteBufferAllocator.Default)
            .ChildOption(ChannelOption.WriteBufferHighWaterMark, MaxPendingBytes)
            .ChildHandler(new ActionChannelInitializer<ISocketChannel>(channel => server.Initialize(channel, settings.Mode)));
        server._listener = await bootstrap.BindAsync(IPAddress.Loopback, settings.Port);
        return server;
    }

    public async ValueTask DisposeAsync()
    {
        await _listener.CloseAsync();
        await Task.WhenAll(
            _acceptLoop.ShutdownGracefullyAsync(TimeSpan.Zero, TimeSpan.FromSeconds(1)),
            _loops.ShutdownGracefullyAsync(TimeSpan.Zero, TimeSpan.FromSeconds(1)));
    }

    private void Initialize(ISocketChannel channel, BaselineMode mode)
    {
        // Broadcast: the length is that of the payload, and the two bytes of the sender come before it.
        (int lengthBytes, int adjustment) = mode == BaselineMode.Broadcast ? (2, 2) : (4, 0);
        channel.Pipeline.AddLast(
            new LengthFieldBasedFrameDecoder(BaselineFraming.MaxBodyBytes + HeaderBytes, 0, lengthBytes, adjustment, 0));
        IChannelHandler handler = mode switch
        {
            BaselineMode.Broadcast => new DotNettyMember(_rooms[Interlocked.Increment(ref _accepted) % _rooms.Length], Counters),
            BaselineMode.Chat => new DotNettyPackets(Counters),
            _ => new DotNettyEcho(Counters),
        };
        channel.Pipeline.AddLast(handler);
    }
}

/// <summary>Connections that hear each other. Deliveries have one order for all members, as PlayChat's rooms have. Thread-safe.</summary>
internal sealed class DotNettyRoom(BaselineCounters counters)
{
    private readonly object _gate = new();
    private readonly HashSet<IChannel> _members = []; // guarded by _gate

    public void Enter(IChannel member)
    {
        lock (_gate)
        {
            _members.Add(member);
        }
    }

    public void Leave(IChannel member)
    {
        lock (_gate)
        {
            _members.Remove(member);
        }
    }

    public void Broadcast(IByteBuffer frames, int count)
    {
        // Under the lock, so that a member's event loop gets the writes in the room's order.
        lock (_gate)
        {
            foreach (IChannel member in _members)
            {
                if (member.IsWritable)
                {
                    _ = member.WriteAndFlushAsync(frames.RetainedDuplicate());
                }
                else
                {
                    counters.OnSlowConsumer();
                    _ = member.CloseAsync();
                }
            }

            counters.OnDelivered((long)count * _members.Count);
            counters.OnSent((long)frames.ReadableBytes * _members.Count, operations: 0); // DotNetty gathers on its own
        }

        frames.Release();
    }
}
