namespace PlayChat.MicroBenchmarks;

/// <summary>Packets through a connection and the router to a typed handler that answers; figures are those of one packet.</summary>
[MemoryDiagnoser]
public class RouterBenchmarks
{
    private const int Packets = 30;

    private StubLink _synchronous = null!;
    private StubLink _asynchronous = null!;
    private StubLink _dictionary = null!;
    private byte[] _toSynchronous = [];
    private byte[] _toAsynchronous = [];

    /// <summary>Maps a handler of each form, and opens a connection for each.</summary>
    [GlobalSetup]
    public void Setup()
    {
        FrameFormat format = FrameFormat.Packet();
        var number = new NumberPacket(1);
        var router = new PacketRouter(provider: null, new PacketSet());
        router.MapPacket(number, (context, value) => context.Reply(value, number));
        router.MapPacket(new NumberPacket(2), (context, value, _) =>
        {
            context.Reply(value, number);
            return default;
        });
        PacketDispatcher dispatcher = router.Start(new ServerMetrics(), NullLogger.Instance, TimeProvider.System);
        _synchronous = Open(format, (Connection connection, in Frame frame) => dispatcher.HandleAsync(connection, in frame));
        _asynchronous = Open(format, (Connection connection, in Frame frame) => dispatcher.HandleAsync(connection, in frame));

        var handlers = new Dictionary<ushort, FrameCall> { [1] = AnswerByHand };
        _dictionary = Open(format, (Connection connection, in Frame frame) => handlers[frame.PacketId](connection, in frame));

        _toSynchronous = BenchConnection.Frames(format, Packets, sizeof(long), new FrameHeader(1, 7));
        _toAsynchronous = BenchConnection.Frames(format, Packets, sizeof(long), new FrameHeader(2, 7));
    }

    /// <summary>A handler that only computes.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Synchronous_handler() => _synchronous.Feed(_toSynchronous);

    /// <summary>A handler that might wait and does not.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Asynchronous_handler_that_completes_at_once() => _asynchronous.Feed(_toAsynchronous);

    /// <summary>The same connection without the router: a dictionary of delegates that read and write their bodies themselves.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    public void Dictionary_of_delegates() => _dictionary.Feed(_toSynchronous);

    private static StubLink Open(FrameFormat format, FrameCall handler)
    {
        var bench = new BenchConnection(format, handler);
        (Connection connection, StubLink link) = bench.Open();
        new SessionRegistry(bench.Metrics).Open(connection);
        return link;
    }

    private static ValueTask AnswerByHand(Connection connection, in Frame frame)
    {
        if (frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            Span<byte> answer = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(answer, BinaryPrimitives.ReadInt64BigEndian(body));
            connection.Send(answer, new FrameHeader(1, frame.RequestId));
        }

        return default;
    }
}
