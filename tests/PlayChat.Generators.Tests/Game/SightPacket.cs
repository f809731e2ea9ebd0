using System.Diagnostics.CodeAnalysis;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Generators.Tests.Game;

/// <summary>The packet of a <see cref="Sight"/>, whose body is its text.</summary>
internal sealed class SightPacket() : PacketType<Sight>((ushort)PacketId.Sight, nameof(Sight))
{
    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out Sight message)
    {
        message = new Sight(Encoding.UTF8.GetString(frame.ToArray()));
        return true;
    }

    public override int GetBodyBytes(Sight message) => Encoding.UTF8.GetByteCount(message.Text);

    public override void Encode(Sight message, Span<byte> destination) => Encoding.UTF8.GetBytes(message.Text, destination);
}
