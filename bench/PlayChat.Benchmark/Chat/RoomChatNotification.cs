using System.Numerics;
using System.Runtime.CompilerServices;

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
        while (body.Length > 0)
        {
            if (!TryReadVarint(ref body, out ulong varint))
            {
                return false;
            }

            uint tag = (uint)varint; // what is longer is cut, as the generated class does
            if (tag >> 3 == 0)
            {
                return false;
            }

            ulong number = 0;
            ReadOnlySpan<byte> bytes = default;
            bool read = (tag & 7) switch
            {
                Varint => TryReadVarint(ref body, out number),
                Bytes => TryReadBytes(ref body, out bytes),
                Fixed64 => TryTake(8, ref body, out _),
                Fixed32 => TryTake(4, ref body, out _),
                _ => false, // groups: not in proto3
            };
            if (!read)
            {
                return false;
            }

            switch (tag)
            {
                case (1 << 3) | Varint:
                    notification.RoomId = (long)number;
                    break;
                case (2 << 3) | Varint:
                    notification.Sequence = (long)number;
                    break;
                case (3 << 3) | Varint:
                    notification.PreviousSequence = (long)number;
                    break;
                case (4 << 3) | Varint:
                    notification.PlayerId = (long)number;
                    break;
                case (6 << 3) | Bytes:
                    notification.Text = bytes;
                    break;
                case (8 << 3) | Varint:
                    notification.IsSystem = number != 0;
                    break;
            }
        }

        return true;
    }

    private static bool TryTake(ulong count, scoped ref ReadOnlySpan<byte> body, out ReadOnlySpan<byte> taken)
    {
        if (count > (ulong)body.Length)
        {
            taken = default;
            return false;
        }

        taken = body[..(int)count];
        body = body[(int)count..];
        return true;
    }

    private static bool TryReadBytes(scoped ref ReadOnlySpan<byte> body, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        return TryReadVarint(ref body, out ulong length) && TryTake(length, ref body, out bytes);
    }

    // Tags, flags and most lengths are one byte.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReadVarint(scoped ref ReadOnlySpan<byte> body, out ulong value)
    {
        if (body.Length > 0 && body[0] < 0x80)
        {
            value = body[0];
            body = body[1..];
            return true;
        }

        return TryReadLongVarint(ref body, out value);
    }

    private static bool TryReadLongVarint(scoped ref ReadOnlySpan<byte> body, out ulong value)
    {
        value = 0;
        for (int i = 0; i < body.Length && i < 10; i++)
        {
            byte next = body[i];
            value |= (ulong)(next & 0x7f) << (7 * i);
            if (next < 0x80)
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
