using BenchmarkDotNet.Attributes;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.MicroBenchmarks;

/// <summary>Packets through the router to a typed handler that answers.</summary>
[MemoryDiagnoser]
public class RouterBenchmarks
{
    private const int Packets = 30;

    private StubLink _synchronous = null!;
    private StubLink _asynchronous = null!;
    private byte[] _toSynchronous = [];
    private byte[] _toAsynchronous = [];

    /// <summary>Maps a handler of each form, and opens a connection for each.</summary>
    [GlobalSetup]
    public void Setup()
    {
        FrameFormat format = FrameFormat.Packet();
        var router = new PacketRouter(provider: null);
        var number = new NumberPacket(1);
        router.Map(number, (context, value) => context.Reply(number, value), beforeLogin: true);
        router.Map(
            new NumberPacket(2),
            (context, value, _) =>
            {
                context.Reply(number, value);
                return default;
            },
            beforeLogin: true);
        var bench = new BenchConnection(format, (Connection connection, in Frame frame) => router.HandleAsync(Session.Of(connection), in frame));
        var sessions = new SessionRegistry(bench.Metrics);
        _synchronous = Open();
        _asynchronous = Open();
        _toSynchronous = BenchConnection.Frames(format, Packets, sizeof(long), new FrameHeader(1, 7));
        _toAsynchronous = BenchConnection.Frames(format, Packets, sizeof(long), new FrameHeader(2, 7));

        StubLink Open()
        {
            (Connection connection, StubLink link) = bench.Open();
            sessions.Open(connection);
            return link;
        }
    }

    /// <summary>A handler that only computes; figures are those of one packet.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Synchronous_handler() => _synchronous.Feed(_toSynchronous);

    /// <summary>A handler that might wait and does not.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public void Asynchronous_handler_that_completes_at_once() => _asynchronous.Feed(_toAsynchronous);
}
