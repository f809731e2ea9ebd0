namespace PlayChat.Core.Packets;

/// <summary>A kind of packet whose message is its body: a view of what was received.</summary>
internal sealed class RawPacket(ushort id, string name) : PacketType<ReadOnlySequence<byte>>(id, name, isTransient: true)
{
    public override bool TryDecode(in Frame frame, out ReadOnlySequence<byte> message)
    {
        message = frame.Body;
        return true;
    }

    public override int GetBodyBytes(ReadOnlySequence<byte> message) => checked((int)message.Length);

    public override void Encode(ReadOnlySequence<byte> message, Span<byte> destination) => message.CopyTo(destination);
}
