using System.Buffers.Binary;
using System.Text;
using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>The content of a record in the cluster's log. Immutable.</summary>
/// <param name="Number">The publisher's own number, by which it recognizes the record.</param>
/// <param name="Node">The node of the session.</param>
/// <param name="SessionId">The player's session on that node; of a direct message, the session of the player that it is for; of a
/// change and of a read mark, the sequence of the message.</param>
/// <param name="SentAtUnixMs">When it was published, by the publisher's clock: milliseconds since 1970.</param>
/// <param name="Name">The name of the player that speaks, joins or leaves.</param>
/// <param name="Text">What was said; of a leave for good, what the members hear; of a moderator's change and of a report, its
/// encoding.</param>
internal readonly record struct RoomEntryBody(
    long Number, RecordOrigin Node, long SessionId, long SentAtUnixMs, string Name, string Text)
{
    // Little endian, as the batch around it: number, node, incarnation, session, time, bytes of the name, name, text.
    private const int FixedBytes = 8 + 4 + 8 + 8 + 8 + 2;

    public byte[] Encode()
    {
        int nameBytes = Encoding.UTF8.GetByteCount(Name);
        byte[] encoded = new byte[FixedBytes + nameBytes + Encoding.UTF8.GetByteCount(Text)];
        Span<byte> rest = encoded;
        BinaryPrimitives.WriteInt64LittleEndian(rest, Number);
        BinaryPrimitives.WriteInt32LittleEndian(rest[8..], Node.NodeId);
        BinaryPrimitives.WriteInt64LittleEndian(rest[12..], Node.Incarnation);
        BinaryPrimitives.WriteInt64LittleEndian(rest[20..], SessionId);
        BinaryPrimitives.WriteInt64LittleEndian(rest[28..], SentAtUnixMs);
        BinaryPrimitives.WriteUInt16LittleEndian(rest[36..], checked((ushort)nameBytes));
        Encoding.UTF8.GetBytes(Name, rest[FixedBytes..]);
        Encoding.UTF8.GetBytes(Text, rest[(FixedBytes + nameBytes)..]);
        return encoded;
    }

    /// <returns><see langword="false"/> for bytes of another version.</returns>
    public static bool TryDecode(ReadOnlySpan<byte> encoded, out RoomEntryBody body)
    {
        body = default;
        if (encoded.Length < FixedBytes)
        {
            return false;
        }

        int nameBytes = BinaryPrimitives.ReadUInt16LittleEndian(encoded[36..]);
        if (encoded.Length < FixedBytes + nameBytes)
        {
            return false;
        }

        body = new RoomEntryBody(
            BinaryPrimitives.ReadInt64LittleEndian(encoded),
            new RecordOrigin(
                BinaryPrimitives.ReadInt32LittleEndian(encoded[8..]), BinaryPrimitives.ReadInt64LittleEndian(encoded[12..])),
            BinaryPrimitives.ReadInt64LittleEndian(encoded[20..]),
            BinaryPrimitives.ReadInt64LittleEndian(encoded[28..]),
            Encoding.UTF8.GetString(encoded.Slice(FixedBytes, nameBytes)),
            Encoding.UTF8.GetString(encoded[(FixedBytes + nameBytes)..]));
        return true;
    }
}
