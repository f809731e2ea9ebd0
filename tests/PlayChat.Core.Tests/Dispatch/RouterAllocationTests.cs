using System.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

[Collection(nameof(RunsAlone))]
public sealed class RouterAllocationTests
{
    [Fact]
    public async Task An_echo_through_a_lambda_allocates_nothing() => Assert.Equal(0, await MeasureAsync(static router =>
    {
        router.MapPacket<ReadOnlySequence<byte>>(static (context, body) => context.Reply(body));
        router.MapPacket<long>(static (context, number) => context.Reply(number));
    }));

    [Fact]
    public async Task An_echo_through_an_attribute_handler_allocates_nothing() => Assert.Equal(0, await MeasureAsync(static router =>
    {
        // As the source generator maps it.
        Handlers handlers = router.GetHandler<Handlers>();
        router.MapPacket<ReadOnlySequence<byte>>((context, body) => handlers.Echo(context, body), 1);
        router.MapPacket<long>((context, number, _) => handlers.EchoAsync(context, number), 8);
    }));

    [Fact]
    public async Task Limits_and_filters_of_received_packets_allocate_nothing() => Assert.Equal(0, await MeasureAsync(static router =>
    {
        router.RateLimit(1_000_000, perSeconds: 0.001);
        router.MapPacket<ReadOnlySequence<byte>>(static (context, body) => context.Reply(body))
            .AddFilter(new PassingFilter())
            .RateLimit(1_000_000, 0.001);
        router.MapPacket<long>(static (context, number) => context.Reply(number)).AllowBeforeLogin().AddFilter(new PassingFilter());
    }));

    private static async Task<long> MeasureAsync(Action<PacketRouter> configure)
    {
        // On a stub: what is fed is handled on this thread, where allocation is counted.
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.Packet());
        var router = new PacketRouter(provider: null, harness.Packets.Add(new NumberPacket(8)).Add(new BytesPacket()));
        configure(router);
        PacketDispatcher dispatcher = router.Start(harness.Metrics, harness.Logger, harness.Time);
        new SessionRegistry(harness.Metrics).Open(harness.Connection);
        harness.Handler.OnFrame = (Connection connection, in Frame frame) => dispatcher.HandleAsync(connection, in frame);
        harness.Stub.Sent = null;
        harness.Start();
        byte[] batch = [.. harness.Frame(new byte[64], new FrameHeader(1)), .. harness.Frame(new byte[8], new FrameHeader(8))];
        return AllocatedBytes.InSteadyState(() =>
        {
            harness.Time.Advance(TimeSpan.FromSeconds(1));
            harness.Stub.Feed(batch);
        });
    }

    private sealed class PassingFilter : PacketFilter;

    private sealed class Handlers
    {
        public void Echo(PacketContext context, ReadOnlySequence<byte> body) => context.Reply(body);

        public ValueTask EchoAsync(PacketContext context, long number)
        {
            context.Reply(number);
            return default;
        }
    }

    private sealed class BytesPacket() : PacketType<ReadOnlySequence<byte>>(1, "BYTES", isTransient: true)
    {
        public override bool TryDecode(in Frame frame, out ReadOnlySequence<byte> message)
        {
            message = frame.Body;
            return true;
        }

        public override int GetBodyBytes(ReadOnlySequence<byte> message) => (int)message.Length;

        public override void Encode(ReadOnlySequence<byte> message, Span<byte> destination) => message.CopyTo(destination);
    }
}
