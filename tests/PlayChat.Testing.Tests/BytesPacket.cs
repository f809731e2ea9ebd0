using System.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Testing.Tests;

/// <summary>A packet whose message is a view of what was received.</summary>
internal sealed class BytesPacket(ushort id) : PacketType<ReadOnlySequence<byte>>(id, "BYTES", isTransient: true)
{
    public override bool TryDecode(in Frame frame, out ReadOnlySequence<byte> message)
    {
        message = frame.Body;
        return true;
    }

    public override int GetBodyBytes(ReadOnlySequence<byte> message) => (int)message.Length;

    public override void Encode(ReadOnlySequence<byte> message, Span<byte> destination) => message.CopyTo(destination);
}
