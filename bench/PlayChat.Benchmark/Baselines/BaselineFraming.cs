namespace PlayChat.Benchmark.Baselines;

/// <summary>What stands at the front of received bytes.</summary>
internal readonly record struct FrameRun(int Bytes, int Frames);

/// <summary>Finds where frames end. Immutable and thread-safe.</summary>
internal sealed class BaselineFraming(bool hasShortLength)
{
    /// <summary>Largest body, as PlayChat.Server's own default.</summary>
    public const int MaxBodyBytes = 65_536;

    // A length of four bytes, or length and sender of two bytes each.
    private const int HeaderBytes = 4;

    /// <summary>Takes all whole frames at the front.</summary>
    /// <returns>False when a length is over the limit: the connection must end.</returns>
    public bool TryScan(ReadOnlySpan<byte> received, out FrameRun run)
    {
        int bytes = 0;
        int frames = 0;
        uint body = 0;
        while (received.Length - bytes >= HeaderBytes && (body = ReadLength(received[bytes..])) <= MaxBodyBytes
            && received.Length - bytes >= HeaderBytes + (int)body)
        {
            bytes += HeaderBytes + (int)body;
            frames++;
        }

        run = new FrameRun(bytes, frames);
        return body <= MaxBodyBytes;
    }

    /// <summary>The same for bytes in several pieces.</summary>
    public bool TryScan(in ReadOnlySequence<byte> received, out FrameRun run)
    {
        if (received.IsSingleSegment)
        {
            return TryScan(received.FirstSpan, out run);
        }

        var reader = new SequenceReader<byte>(received);
        Span<byte> header = stackalloc byte[HeaderBytes];
        int frames = 0;
        uint body = 0;
        while (reader.TryCopyTo(header) && (body = ReadLength(header)) <= MaxBodyBytes && reader.Remaining >= HeaderBytes + (int)body)
        {
            reader.Advance(HeaderBytes + (int)body);
            frames++;
        }

        run = new FrameRun((int)reader.Consumed, frames);
        return body <= MaxBodyBytes;
    }

    private uint ReadLength(ReadOnlySpan<byte> header) =>
        hasShortLength ? BinaryPrimitives.ReadUInt16BigEndian(header) : BinaryPrimitives.ReadUInt32BigEndian(header);
}
