namespace PlayChat.MicroBenchmarks;

/// <summary>
/// Taking the frames out of one read, 8-byte bodies, beside the simplest rival: a loop written by hand for that format. The
/// results are per read; the sink does as good as nothing. Both call something for each frame that is not inlined.
/// </summary>
[MemoryDiagnoser]
public class FramingBenchmarks
{
    private readonly CountingSink _sink = new();
    private FrameFormat _format = FrameFormat.Packet();
    private ReadOnlySequence<byte> _read;
    private byte[] _bytes = [];

    [Params("packet", "length4", "length4-le", "length2", "length2-le", "sender", "line", "raw")]
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
            "length4-le" => FrameFormat.LengthPrefixed(littleEndian: true),
            "length2" => FrameFormat.LengthPrefixed(prefixBytes: 2),
            "length2-le" => FrameFormat.LengthPrefixed(prefixBytes: 2, littleEndian: true),
            "sender" => FrameFormat.SenderPrefixed(),
            "line" => FrameFormat.Line(),
            "raw" => FrameFormat.Raw(),
            _ => throw new InvalidOperationException($"There is no format '{Format}'."),
        };
        _bytes = Repeat(_format, FramesPerRead);
        _read = new ReadOnlySequence<byte>(_bytes);
    }

    /// <summary>What the server does with a read.</summary>
    [Benchmark]
    public int DecodeBatch() => _format.DecodeBatch(in _read, 0, _sink).Frames;

    /// <summary>A loop over a span that is written for this format.</summary>
    [Benchmark(Baseline = true)]
    public int Loop_by_hand() => Format switch
    {
        "packet" or "length4" => HandWrittenFraming.Length4(_bytes, _sink, littleEndian: false),
        "length4-le" => HandWrittenFraming.Length4(_bytes, _sink, littleEndian: true),
        "length2" => HandWrittenFraming.Length2(_bytes, _sink, headerBytes: 2, littleEndian: false),
        "length2-le" => HandWrittenFraming.Length2(_bytes, _sink, headerBytes: 2, littleEndian: true),
        "sender" => HandWrittenFraming.Length2(_bytes, _sink, headerBytes: 4, littleEndian: false),
        "line" => HandWrittenFraming.Lines(_bytes, _sink),
        _ => HandWrittenFraming.Raw(_bytes, _sink),
    };

    private static byte[] Repeat(FrameFormat format, int frames)
    {
        byte[] frame = new byte[format.GetEncodedBytes(8)];
        format.Encode("12345678"u8, new FrameHeader(1, 2, 3), frame);
        return Enumerable.Repeat(frame, frames).SelectMany(value => value).ToArray();
    }
}

/// <summary>Taking frames out of a read as one would for one format alone: a loop over a span.</summary>
internal static class HandWrittenFraming
{
    private const int MaxFrameBytes = 64 * 1024;

    /// <summary>A length of 4 bytes, then the body: packets too, whose ids are then the handler's business.</summary>
    internal static int Length4(ReadOnlySpan<byte> rest, CountingSink sink, bool littleEndian)
    {
        int frames = 0;
        while (rest.Length >= sizeof(uint))
        {
            uint bodyBytes = littleEndian ? BinaryPrimitives.ReadUInt32LittleEndian(rest) : BinaryPrimitives.ReadUInt32BigEndian(rest);
            if (bodyBytes > MaxFrameBytes || bodyBytes > rest.Length - sizeof(uint))
            {
                break;
            }

            sink.OnBody(rest.Slice(sizeof(uint), (int)bodyBytes));
            rest = rest[(sizeof(uint) + (int)bodyBytes)..];
            frames++;
        }

        return frames;
    }

    /// <summary>A length of 2 bytes, then perhaps more of a header, then the body.</summary>
    internal static int Length2(ReadOnlySpan<byte> rest, CountingSink sink, int headerBytes, bool littleEndian)
    {
        int frames = 0;
        while (rest.Length >= headerBytes)
        {
            int bodyBytes = littleEndian ? BinaryPrimitives.ReadUInt16LittleEndian(rest) : BinaryPrimitives.ReadUInt16BigEndian(rest);
            if (bodyBytes > rest.Length - headerBytes)
            {
                break;
            }

            sink.OnBody(rest.Slice(headerBytes, bodyBytes));
            rest = rest[(headerBytes + bodyBytes)..];
            frames++;
        }

        return frames;
    }

    /// <summary>Bodies that end with a line feed.</summary>
    internal static int Lines(ReadOnlySpan<byte> rest, CountingSink sink)
    {
        int frames = 0;
        for (int end = rest.IndexOf((byte)'\n'); end >= 0; end = rest.IndexOf((byte)'\n'))
        {
            sink.OnBody(rest[..end]);
            rest = rest[(end + 1)..];
            frames++;
        }

        return frames;
    }

    internal static int Raw(ReadOnlySpan<byte> read, CountingSink sink)
    {
        sink.OnBody(read);
        return 1;
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
