using System.Buffers;
using System.Buffers.Binary;

namespace PlayChat.Benchmark.Baselines;

/// <summary>Finds where frames end. Immutable and thread-safe.</summary>
internal sealed class BaselineFraming
{
    /// <summary>Largest body, as PlayChat.Server's own default.</summary>
    public const int MaxBodyBytes = 65_536;

    private readonly int _headerBytes;
    private readonly bool _hasShortLength;

    private BaselineFraming(int headerBytes, bool hasShortLength)
    {
        _headerBytes = headerBytes;
        _hasShortLength = hasShortLength;
    }

    /// <summary>The framing of a mode.</summary>
    public static BaselineFraming Of(BaselineMode mode) => mode is BaselineMode.Echo or BaselineMode.Chat
        ? new BaselineFraming(headerBytes: 4, hasShortLength: false)
        : new BaselineFraming(headerBytes: 4, hasShortLength: true); // length and sender, two bytes each

    /// <summary>Takes all whole frames at the front.</summary>
    /// <returns>False when a length is over the limit: the connection must end.</returns>
    public bool TryScan(ReadOnlySpan<byte> received, out FrameRun run)
    {
        int bytes = 0;
        int frames = 0;
        while (received.Length - bytes >= _headerBytes)
        {
            uint body = ReadLength(received[bytes..]);
            if (body > MaxBodyBytes)
            {
                run = default;
                return false;
            }

            int whole = _headerBytes + (int)body;
            if (received.Length - bytes < whole)
            {
                run = new FrameRun(bytes, frames);
                return true;
            }

            bytes += whole;
            frames++;
        }

        run = new FrameRun(bytes, frames);
        return true;
    }

    /// <summary>The same for bytes in several pieces.</summary>
    public bool TryScan(in ReadOnlySequence<byte> received, out FrameRun run)
    {
        if (received.IsSingleSegment)
        {
            return TryScan(received.FirstSpan, out run);
        }

        var reader = new SequenceReader<byte>(received);
        Span<byte> header = stackalloc byte[_headerBytes];
        int frames = 0;
        run = default;
        while (reader.TryCopyTo(header))
        {
            uint body = ReadLength(header);
            if (body > MaxBodyBytes)
            {
                return false;
            }

            int whole = _headerBytes + (int)body;
            if (reader.Remaining < whole)
            {
                run = new FrameRun((int)reader.Consumed, frames);
                return true;
            }

            reader.Advance(whole);
            frames++;
        }

        run = new FrameRun((int)reader.Consumed, frames);
        return true;
    }

    private uint ReadLength(ReadOnlySpan<byte> header) =>
        _hasShortLength ? BinaryPrimitives.ReadUInt16BigEndian(header) : BinaryPrimitives.ReadUInt32BigEndian(header);
}
