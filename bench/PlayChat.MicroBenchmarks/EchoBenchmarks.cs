using BenchmarkDotNet.Attributes;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.MicroBenchmarks;

/// <summary>A batch of frames through a connection and back: receive, parse, handler, queue, one send.</summary>
[MemoryDiagnoser]
public class EchoBenchmarks
{
    private StubLink _link = null!;
    private byte[] _small = [];
    private byte[] _tiny = [];

    /// <summary>Opens the connection.</summary>
    [GlobalSetup]
    public void Setup()
    {
        FrameFormat format = FrameFormat.LengthPrefixed();
        var bench = new BenchConnection(format, static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame);
            return default;
        });
        (_, _link) = bench.Open();
        _small = BenchConnection.Frames(format, 30, 64);
        _tiny = BenchConnection.Frames(format, 200, 8);
    }

    /// <summary>What a receive brings of a client with some requests in flight; figures are those of one frame.</summary>
    [Benchmark(OperationsPerInvoke = 30)]
    public void Batch_of_30_frames_of_64_bytes() => _link.Feed(_small);

    /// <summary>The same with many tiny frames.</summary>
    [Benchmark(OperationsPerInvoke = 200)]
    public void Batch_of_200_frames_of_8_bytes() => _link.Feed(_tiny);
}
