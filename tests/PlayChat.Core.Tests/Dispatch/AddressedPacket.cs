using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>The packet of an <see cref="Addressed"/>. For tests that count allocations, <c>readAs</c> replaces each message read.</summary>
internal sealed class AddressedPacket(ushort id, Addressed? readAs = null) : PacketType<Addressed>(id, nameof(Addressed))
{
    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out Addressed message)
    {
        bool whole = frame.TryGetSpan(out ReadOnlySpan<byte> body) & body.Length == sizeof(long);
        message = whole ? readAs ?? new Addressed(BinaryPrimitives.ReadInt64BigEndian(body)) : null;
        return whole;
    }

    public override int GetBodyBytes(Addressed message) => sizeof(long);

    public override void Encode(Addressed message, Span<byte> destination) =>
        BinaryPrimitives.WriteInt64BigEndian(destination, message.RoomId);
}
