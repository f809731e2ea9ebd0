using System.Buffers.Binary;

namespace PlayChat.Simulation;

/// <summary>An event of a room.</summary>
/// <param name="Kind">What has happened.</param>
/// <param name="Member">The number of the membership.</param>
/// <param name="Number">Of what was said, the client's own number of it.</param>
internal readonly record struct RoomEvent(EventKind Kind, int Member, int Number)
{
    /// <summary>Encodes the event. The bytes behind it depend on it, so that memory that was overwritten does not look right.</summary>
    internal byte[] Encode(int fill)
    {
        byte[] bytes = new byte[8 + (((Member * 31) + (Number * 7)) % (fill + 1))];
        BinaryPrimitives.WriteInt32BigEndian(bytes, Member);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(4), Number);
        bytes.AsSpan(8).Fill((byte)(Member + Number));
        return bytes;
    }
}
