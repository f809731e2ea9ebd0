using System.Buffers.Binary;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.TestUtilities;

/// <summary>A packet that is a number of eight bytes.</summary>
internal sealed class NumberPacket(ushort id) : PacketType<long>(id, $"NUMBER_{id}")
{
    public override bool TryDecode(in Frame frame, out long message)
    {
        bool whole = frame.TryGetSpan(out ReadOnlySpan<byte> body) & body.Length == sizeof(long);
        message = whole ? BinaryPrimitives.ReadInt64BigEndian(body) : 0;
        return whole;
    }

    public override int GetBodyBytes(long message) => sizeof(long);

    public override void Encode(long message, Span<byte> destination) => BinaryPrimitives.WriteInt64BigEndian(destination, message);
}
