namespace PlayChat.MicroBenchmarks;

/// <summary>A batch of frames through a connection and back: receive, parse, handler, queue, one send.</summary>
[MemoryDiagnoser]
public class EchoBenchmarks
{
    private readonly byte[] _received = new byte[64 * 1024];
    private readonly byte[] _answers = new byte[64 * 1024];
    private StubLink _link = null!;
    private byte[] _batch = [];

    [Params("30x64", "200x8")]
    public string Batch { get; set; } = "30x64";

    /// <summary>Whether the connection counts bytes and frames against a limit, here one that is never reached.</summary>
    [Params(false, true)]
    public bool Limited { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        FrameFormat format = FrameFormat.LengthPrefixed();
        var bench = new BenchConnection(format, static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame);
            return default;
        });
        bench.Services.Options.BytesPerSecond = Limited ? int.MaxValue : 0;
        bench.Services.Options.FramesPerSecond = Limited ? int.MaxValue : 0;
        (_, _link) = bench.Open();
        int[] numbers = [.. Batch.Split('x').Select(int.Parse)];
        _batch = BenchConnection.Frames(format, numbers[0], numbers[1]);
    }

    /// <summary>What a receive brings of a client with some requests in flight; figures are those of the batch.</summary>
    [Benchmark]
    public void Connection() => _link.Feed(_batch);

    /// <summary>The same work without a framework: copied in, parsed over a span, each frame copied out.</summary>
    [Benchmark(Baseline = true)]
    public int Loop_by_hand()
    {
        _batch.CopyTo(_received, 0);
        ReadOnlySpan<byte> rest = _received.AsSpan(0, _batch.Length);
        int written = 0;
        while (rest.Length >= sizeof(uint) && sizeof(uint) + (int)BinaryPrimitives.ReadUInt32BigEndian(rest) is var frameBytes
            && frameBytes <= rest.Length)
        {
            rest[..frameBytes].CopyTo(_answers.AsSpan(written));
            written += frameBytes;
            rest = rest[frameBytes..];
        }

        return written;
    }
}
