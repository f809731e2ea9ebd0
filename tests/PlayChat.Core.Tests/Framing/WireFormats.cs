using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>The formats that come with the library, by name, with a limit small enough to reach.</summary>
internal static class WireFormats
{
    public const int MaxFrameBytes = 20;

    private static readonly FrameFormat[] s_all =
    [
        FrameFormat.Packet(MaxFrameBytes),
        FrameFormat.LengthPrefixed(MaxFrameBytes, prefixBytes: 4),
        FrameFormat.LengthPrefixed(MaxFrameBytes, prefixBytes: 4, littleEndian: true),
        FrameFormat.LengthPrefixed(MaxFrameBytes, prefixBytes: 2),
        FrameFormat.LengthPrefixed(MaxFrameBytes, prefixBytes: 2, littleEndian: true),
        FrameFormat.SenderPrefixed(MaxFrameBytes),
        FrameFormat.Line(MaxFrameBytes),
        FrameFormat.Raw(MaxFrameBytes),
    ];

    /// <summary>Every format.</summary>
    public static TheoryData<string> Names => new(s_all.Select(format => format.Name));

    /// <summary>Those that have frames on the wire.</summary>
    public static TheoryData<string> DelimitedNames => new(s_all.Select(format => format.Name).Where(name => name != "raw"));

    /// <summary>Those with a length field.</summary>
    public static TheoryData<string> PrefixedNames => new(s_all.Where(format => format.HeaderBytes > 0).Select(format => format.Name));

    public static FrameFormat Get(string name) => s_all.Single(format => format.Name == name);

    public static byte[] Encode(FrameFormat format, ReadOnlySpan<byte> body, FrameHeader header = default)
    {
        byte[] encoded = new byte[format.GetEncodedBytes(body.Length)];
        Assert.Equal(encoded.Length, format.Encode(body, header, encoded));
        return encoded;
    }

    /// <summary>The fields of <paramref name="header"/> that the format has.</summary>
    public static FrameHeader Carried(FrameFormat format, FrameHeader header) => format.Name switch
    {
        "packet" => header with { SenderId = 0 },
        "sender" => new FrameHeader(SenderId: header.SenderId),
        _ => default,
    };

    /// <summary>A small stream of every kind of body: empty, one byte, some, the largest, empty at the end.</summary>
    public static (byte[] Bytes, ReceivedFrame[] Frames) Sample(FrameFormat format)
    {
        byte[][] bodies = [[], [1], [1, 2, 3], new byte[format.MaxBodyBytes], [0xFF, 0x0D, 0x0B], []];
        var bytes = new List<byte>();
        var frames = new List<ReceivedFrame>();
        for (ushort i = 0; i < bodies.Length; i++)
        {
            var header = new FrameHeader(PacketId: (ushort)(0x0102 + i), RequestId: (ushort)(0xFFF0 + i), SenderId: (ushort)(0x8070 + i));
            bytes.AddRange(Encode(format, bodies[i], header));
            frames.Add(ReceivedFrame.Of(Carried(format, header), bodies[i]));
        }

        return (bytes.ToArray(), frames.ToArray());
    }
}
