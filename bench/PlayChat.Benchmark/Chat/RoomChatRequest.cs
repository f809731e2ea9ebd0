using System.Numerics;

namespace PlayChat.Benchmark.Chat;

/// <summary>Writes the body of C_ROOM_CHAT_REQ for a text that is written in place: room_id, then the text's tag and length.</summary>
/// <remarks>
/// By hand, because the generated class wants the text as a string: one allocation and one encoding for each message. A test holds
/// it against the generated class.
/// </remarks>
internal static class RoomChatRequest
{
    private const byte RoomIdTag = (1 << 3) | 0;
    private const byte TextTag = (2 << 3) | 2;

    /// <summary>Length of the body of a message.</summary>
    public static int GetBodyBytes(long roomId, int textBytes) =>
        1 + VarintBytes((ulong)roomId) + 1 + VarintBytes((ulong)textBytes) + textBytes;

    /// <summary>Writes all but the text.</summary>
    /// <returns>Where the text belongs.</returns>
    public static Span<byte> WriteHead(Span<byte> destination, long roomId, int textBytes)
    {
        destination[0] = RoomIdTag;
        int at = 1 + WriteVarint(destination[1..], (ulong)roomId);
        destination[at] = TextTag;
        at += 1 + WriteVarint(destination[(at + 1)..], (ulong)textBytes);
        return destination.Slice(at, textBytes);
    }

    private static int VarintBytes(ulong value) => (BitOperations.Log2(value | 1) / 7) + 1;

    private static int WriteVarint(Span<byte> destination, ulong value)
    {
        int at = 0;
        while (value >= 0x80)
        {
            destination[at++] = (byte)(value | 0x80);
            value >>= 7;
        }

        destination[at] = (byte)value;
        return at + 1;
    }
}
