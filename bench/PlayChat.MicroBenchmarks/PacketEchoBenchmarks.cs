namespace PlayChat.MicroBenchmarks;

/// <summary>Packets that come back, through the router to a lambda and to an attribute handler; figures are those of one packet.</summary>
[MemoryDiagnoser]
public class PacketEchoBenchmarks
{
    internal const ushort Raw = 1;
    internal const ushort Numbers = 2;
    private const int Packets = 30;

    private byte[] _raw = [];
    private byte[] _numbers = [];
    private StubLink _bare = null!;
    private StubLink _lambdas = null!;
    private StubLink _attributes = null!;
    private StubLink _filtered = null!;

    [GlobalSetup]
    public void Setup()
    {
        FrameFormat format = FrameFormat.Packet();
        _bare = Open(format, new PacketSet(), AnswerByHand);
        _lambdas = OpenRouted(format, static router =>
        {
            router.MapPacket<ReadOnlySequence<byte>>(static (context, body) => context.Reply(body), Raw);
            router.MapPacket<SRoomChatRes>(static (context, message) => context.Reply(message));
        });
        _attributes = OpenRouted(format, static router => router.MapPacketHandlers());
        _filtered = OpenRouted(format, static router =>
        {
            router.AddFilter(new PassingFilter()).RateLimit(1_000_000, perSeconds: 0.001);
            router.MapPacketHandlers();
        });

        var message = new SRoomChatRes { RoomId = 12, Sequence = 123_456_789, ClientMessageId = 77 };
        _raw = BenchConnection.Frames(format, Packets, message.CalculateSize(), new FrameHeader(Raw, 7));
        _numbers = BenchConnection.Frames(format, Packets, message.ToByteArray(), new FrameHeader(Numbers, 7));
    }

    /// <summary>A handler without a router, which answers with the body.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Packets)]
    public void Bare_handler_raw() => _bare.Feed(_raw);

    [Benchmark(OperationsPerInvoke = Packets)]
    public void Lambda_raw() => _lambdas.Feed(_raw);

    [Benchmark(OperationsPerInvoke = Packets)]
    public void Attribute_raw() => _attributes.Feed(_raw);

    /// <summary>A protobuf message of numbers is decoded, and encoded again by a lambda.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Lambda_protobuf() => _lambdas.Feed(_numbers);

    /// <summary>A protobuf message of numbers is decoded, and encoded again by a method with [Packet].</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Attribute_protobuf() => _attributes.Feed(_numbers);

    /// <summary>As before, with a rate limit and a filter that sees both ways.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Attribute_raw_with_filter_and_rate_limit() => _filtered.Feed(_raw);

    private static StubLink OpenRouted(FrameFormat format, Action<PacketRouter> configure)
    {
        PacketSet packets = new PacketSet().AddRaw(Raw, "RAW").AddProtobuf(Numbers, SRoomChatRes.Parser, reuse: true);
        var router = new PacketRouter(provider: null, packets);
        configure(router);
        PacketDispatcher dispatcher = router.Start(new ServerMetrics(), NullLogger.Instance, TimeProvider.System);
        return Open(
            format, packets, (Connection connection, in Frame frame) => dispatcher.HandleAsync(connection, in frame), router.Outlet);
    }

    private static StubLink Open(FrameFormat format, PacketSet packets, FrameCall handler, PacketOutlet? outlet = null)
    {
        var bench = new BenchConnection(format, handler, packets);
        bench.Services.Outlet = outlet;
        (Connection connection, StubLink link) = bench.Open();
        new SessionRegistry(bench.Metrics).Open(connection);
        return link;
    }

    private static ValueTask AnswerByHand(Connection connection, in Frame frame)
    {
        connection.Send(frame.Header, frame.BodyBytes, frame.Body, static (destination, body) => body.CopyTo(destination));
        return default;
    }

    private sealed class PassingFilter : PacketFilter;
}

/// <summary>The handlers of <see cref="PacketEchoBenchmarks"/> that the source generator maps.</summary>
internal sealed class EchoHandlers
{
    [Packet(PacketEchoBenchmarks.Raw)]
    public void Echo(PacketContext context, ReadOnlySequence<byte> body) => context.Reply(body);

    [Packet(PacketEchoBenchmarks.Numbers)]
    public void Echo(PacketContext context, SRoomChatRes message) => context.Reply(message);
}
