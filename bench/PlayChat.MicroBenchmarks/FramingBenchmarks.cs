namespace PlayChat.MicroBenchmarks;

/// <summary>
/// Taking the frames out of one read, 8-byte bodies, beside the simplest rival: a loop over a span, written by hand for that format. The
/// results are per read; the sink does as good as nothing. Both call something for each frame that is not inlined.
/// </summary>
[MemoryDiagnoser]
public class FramingBenchmarks
{
    private const int MaxFrameBytes = 64 * 1024;

    private readonly CountingSink _sink = new();
    private FrameFormat _format = FrameFormat.Packet();
    private ReadOnlySequence<byte> _read;
    private byte[] _bytes = [];

    // A packet's ids are the handler's business for the rival, so its loop is that of "length4".
    [Params("packet", "length4", "sender", "line")]
    public string Format { get; set; } = "packet";

    [Params(1, 8, 64)]
    public int FramesPerRead { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _format = Format switch
        {
            "packet" => FrameFormat.Packet(),
            "length4" => FrameFormat.LengthPrefixed(),
            "sender" => FrameFormat.SenderPrefixed(),
            _ => FrameFormat.Line(),
        };
        _bytes = BenchConnection.Frames(_format, FramesPerRead, bodyBytes: 8, new FrameHeader(1, 2, 3));
        _read = new ReadOnlySequence<byte>(_bytes);
    }

    /// <summary>What the server does with a read.</summary>
    [Benchmark]
    public int DecodeBatch() => _format.DecodeBatch(in _read, 0, _sink).Frames;

    [Benchmark(Baseline = true)]
    public int Loop_by_hand() => Format == "line" ? Lines(_bytes) : Lengths(_bytes, isShort: Format == "sender");

    // A length of 4 bytes, or one of 2 with 2 of the sender behind it, then the body.
    private int Lengths(ReadOnlySpan<byte> rest, bool isShort)
    {
        int frames = 0;
        while (rest.Length >= sizeof(uint))
        {
            uint bodyBytes = isShort ? BinaryPrimitives.ReadUInt16BigEndian(rest) : BinaryPrimitives.ReadUInt32BigEndian(rest);
            if (bodyBytes > MaxFrameBytes || bodyBytes > rest.Length - sizeof(uint))
            {
                break;
            }

            _sink.OnBody(rest.Slice(sizeof(uint), (int)bodyBytes));
            rest = rest[(sizeof(uint) + (int)bodyBytes)..];
            frames++;
        }

        return frames;
    }

    private int Lines(ReadOnlySpan<byte> rest)
    {
        int frames = 0;
        for (int end = rest.IndexOf((byte)'\n'); end >= 0; end = rest.IndexOf((byte)'\n'))
        {
            _sink.OnBody(rest[..end]);
            rest = rest[(end + 1)..];
            frames++;
        }

        return frames;
    }
}

/// <summary>The least a handler can do. Not inlined, as a handler's work is not, either.</summary>
internal sealed class CountingSink : IFrameSink
{
    private long _bytes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public FrameVerdict OnFrame(in Frame frame)
    {
        _bytes += frame.BodyBytes;
        return FrameVerdict.Continue;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void OnBody(ReadOnlySpan<byte> body) => _bytes += body.Length;
}
