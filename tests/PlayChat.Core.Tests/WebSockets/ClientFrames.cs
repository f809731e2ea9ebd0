using System.Buffers.Binary;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.WebSockets;

/// <summary>Frames as a client sends them.</summary>
internal static class ClientFrames
{
    private static readonly byte[] s_mask = [0x11, 0xA2, 0x37, 0xFD];

    internal static byte[] Of(WebSocketOpcode opcode, byte[] payload, bool isFinal = true, byte[]? mask = null) =>
        Of((byte)((isFinal ? 0x80 : 0) | (byte)opcode), payload, LengthOf(payload.Length), mask ?? s_mask);

    /// <summary>A frame whose parts need not fit together.</summary>
    internal static byte[] Of(byte first, byte[] payload, byte[] length, byte[] mask)
    {
        byte[] masked = [.. payload.Select((b, i) => (byte)(b ^ mask[i % 4]))];
        length = [.. length];
        length[0] |= 0x80;
        return [first, .. length, .. mask, .. masked];
    }

    /// <summary>A length in the fewest bytes.</summary>
    internal static byte[] LengthOf(long bytes) => LengthIn(bytes < 126 ? 1 : bytes <= ushort.MaxValue ? 3 : 9, bytes);

    /// <summary>A length in 1, 3 or 9 bytes.</summary>
    internal static byte[] LengthIn(int size, long bytes)
    {
        byte[] length = new byte[size];
        switch (size)
        {
            case 1:
                length[0] = (byte)bytes;
                break;
            case 3:
                length[0] = 126;
                BinaryPrimitives.WriteUInt16BigEndian(length.AsSpan(1), (ushort)bytes);
                break;
            default:
                length[0] = 127;
                BinaryPrimitives.WriteInt64BigEndian(length.AsSpan(1), bytes);
                break;
        }

        return length;
    }
}
