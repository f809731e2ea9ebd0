using System.Numerics;

namespace PlayChat.Benchmark.Chat;

/// <summary>What the load looks at in a S_ROOM_CHAT_NTF, read straight from the received bytes.</summary>
/// <remarks>
/// By hand, because the load must be faster than the server it measures: the generated class makes five objects a delivery and
/// decodes the text into a string, which at 250,000 deliveries a second costs as much as all the rest of receiving. A test holds it
/// against the generated class.
/// </remarks>
internal ref struct RoomChatNotification
{
    private const int Varint = 0;
    private const int Fixed64 = 1;
    private const int Bytes = 2;
    private const int Fixed32 = 5;
    private const int TextField = 6;
    private const int LastField = 8;

    public long RoomId { get; private set; }

    public long Sequence { get; private set; }

    public long PreviousSequence { get; private set; }

    public long PlayerId { get; private set; }

    public bool IsSystem { get; private set; }

    public ReadOnlySpan<byte> Text { get; private set; }

    /// <summary>Reads a body. Fields that are not known are skipped, as protobuf wants it.</summary>
    /// <returns>False when it is no protobuf message.</returns>
    public static bool TryRead(ReadOnlySpan<byte> body, out RoomChatNotification notification)
    {
        notification = default;
        Span<ulong> numbers = stackalloc ulong[LastField + 1]; // by field
        numbers.Clear();
        ReadOnlySpan<byte> text = default;
        while (body.Length > 0)
        {
            if (!TryReadVarint(ref body, out ulong tag) || (uint)tag >> 3 == 0)
            {
                return false;
            }

            uint field = (uint)tag >> 3; // what is longer is cut, as the generated class does
            ulong number = 0;
            ReadOnlySpan<byte> bytes = default;
            bool read = (tag & 7) switch
            {
                Varint => TryReadVarint(ref body, out number),
                Bytes => TryReadVarint(ref body, out ulong length) && TryTake(length, ref body, out bytes),
                Fixed64 => TryTake(8, ref body, out _),
                Fixed32 => TryTake(4, ref body, out _),
                _ => false, // groups: not in proto3
            };
            if (!read)
            {
                return false;
            }

            if ((tag & 7) == Varint && field <= LastField)
            {
                numbers[(int)field] = number;
            }

            text = (tag & 7) == Bytes && field == TextField ? bytes : text;
        }

        notification = new RoomChatNotification
        {
            RoomId = (long)numbers[1],
            Sequence = (long)numbers[2],
            PreviousSequence = (long)numbers[3],
            PlayerId = (long)numbers[4],
            Text = text,
            IsSystem = numbers[8] != 0,
        };
        return true;
    }

    private static bool TryTake(ulong count, scoped ref ReadOnlySpan<byte> body, out ReadOnlySpan<byte> taken)
    {
        bool isThere = count <= (ulong)body.Length;
        taken = isThere ? body[..(int)count] : default;
        body = body[taken.Length..];
        return isThere;
    }

    private static bool TryReadVarint(scoped ref ReadOnlySpan<byte> body, out ulong value)
    {
        value = 0;
        for (int i = 0; i < body.Length && i < 10; i++)
        {
            value |= (ulong)(body[i] & 0x7f) << (7 * i);
            if (body[i] < 0x80)
            {
                body = body[(i + 1)..];
                return true;
            }
        }

        return false;
    }
}

/// <summary>Writes the body of C_ROOM_CHAT_REQ for a text that is written in place: room_id, then the text's tag and length.</summary>
/// <remarks>
/// By hand, because the generated class wants the text as a string: one allocation and one encoding for each message. A test holds
/// it against the generated class.
/// </remarks>
internal static class RoomChatRequest
{
    private const byte RoomIdTag = (1 << 3) | 0;
    private const byte TextTag = (2 << 3) | 2;

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
