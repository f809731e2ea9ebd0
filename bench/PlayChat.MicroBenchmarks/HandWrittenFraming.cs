using System.Buffers.Binary;

namespace PlayChat.MicroBenchmarks;

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

    /// <summary>What came is the frame.</summary>
    internal static int Raw(ReadOnlySpan<byte> read, CountingSink sink)
    {
        sink.OnBody(read);
        return 1;
    }
}
