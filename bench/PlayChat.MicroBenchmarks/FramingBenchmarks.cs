using System.Buffers;
using System.Buffers.Binary;
using BenchmarkDotNet.Attributes;
using PlayChat.Core.Framing;

namespace PlayChat.MicroBenchmarks;

/// <summary>
/// Taking the frames out of one read, 8-byte bodies, beside the simplest rival: a loop written by hand for one format. The
/// results are per read; the sink does as good as nothing. Both call something for each frame that is not inlined.
/// </summary>
[MemoryDiagnoser]
public class FramingBenchmarks
{
    private const int MaxFrameBytes = 64 * 1024;

    private readonly CountingSink _sink = new();
    private FrameFormat _format = FrameFormat.Packet();
    private ReadOnlySequence<byte> _read;
    private byte[] _handWritten = [];

    /// <summary>The format, by its name.</summary>
    [Params("packet", "length4", "length4-le", "length2", "length2-le", "sender", "line", "raw")]
    public string Format { get; set; } = "packet";

    /// <summary>How many frames one read brings.</summary>
    [Params(1, 8, 64)]
    public int FramesPerRead { get; set; }

    /// <summary>Encodes one read's worth of frames.</summary>
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
        _read = new ReadOnlySequence<byte>(Repeat(_format, FramesPerRead));
        _handWritten = Repeat(FrameFormat.LengthPrefixed(), FramesPerRead);
    }

    /// <summary>What the server does with a read.</summary>
    [Benchmark]
    public int DecodeBatch() => _format.DecodeBatch(in _read, 0, _sink).Frames;

    /// <summary>A 4-byte length read by hand over a span, whatever the format beside it.</summary>
    [Benchmark(Baseline = true)]
    public int HandWrittenLength4()
    {
        ReadOnlySpan<byte> rest = _handWritten;
        int frames = 0;
        while (rest.Length >= sizeof(uint))
        {
            uint bodyBytes = BinaryPrimitives.ReadUInt32BigEndian(rest);
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

    private static byte[] Repeat(FrameFormat format, int frames)
    {
        byte[] frame = new byte[format.GetEncodedBytes(8)];
        format.Encode("12345678"u8, new FrameHeader(1, 2, 3), frame);
        return Enumerable.Repeat(frame, frames).SelectMany(value => value).ToArray();
    }
}
