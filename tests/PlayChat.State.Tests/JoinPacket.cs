using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.State.Tests;

/// <summary>Asks for a seat; it has no content.</summary>
internal sealed class JoinPacket() : PacketType<JoinPacket.Join>(1, nameof(Join))
{
    public override bool TryDecode(in Frame frame, out Join message)
    {
        message = new Join();
        return true;
    }

    public override int GetBodyBytes(Join message) => 0;

    public override void Encode(Join message, Span<byte> destination)
    {
    }

    internal sealed record Join;
}
