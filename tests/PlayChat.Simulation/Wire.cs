using System.Buffers.Binary;
using PlayChat.Core.Rooms;

namespace PlayChat.Simulation;

/// <summary>The one message of the world's protocol; the packet id says what it means.</summary>
/// <param name="RoomId">The room, or 0.</param>
/// <param name="A">A number: of a room's event its sequence number.</param>
/// <param name="B">Another number: of a room's event its kind.</param>
/// <param name="Bytes">The rest.</param>
internal sealed record Wire(long RoomId, int A, int B, ReadOnlyMemory<byte> Bytes) : IRoomMessage
{
    internal const int HeaderBytes = 16;

    internal static Wire Read(ReadOnlySpan<byte> body) => new(
        BinaryPrimitives.ReadInt64BigEndian(body),
        BinaryPrimitives.ReadInt32BigEndian(body[8..]),
        BinaryPrimitives.ReadInt32BigEndian(body[12..]),
        body[HeaderBytes..].ToArray());

    internal void Write(Span<byte> body)
    {
        BinaryPrimitives.WriteInt64BigEndian(body, RoomId);
        BinaryPrimitives.WriteInt32BigEndian(body[8..], A);
        BinaryPrimitives.WriteInt32BigEndian(body[12..], B);
        Bytes.Span.CopyTo(body[HeaderBytes..]);
    }
}
