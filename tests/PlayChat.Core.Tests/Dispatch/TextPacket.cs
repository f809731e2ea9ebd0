using System.Diagnostics.CodeAnalysis;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A packet that is a text; the empty one counts as malformed.</summary>
internal sealed class TextPacket(ushort id) : PacketType<string>(id, $"TEXT_{id}")
{
    public override bool TryDecode(in Frame frame, [MaybeNullWhen(false)] out string message)
    {
        message = Encoding.UTF8.GetString(frame.ToArray());
        return message.Length > 0;
    }

    public override int GetBodyBytes(string message) => Encoding.UTF8.GetByteCount(message);

    public override void Encode(string message, Span<byte> destination) => Encoding.UTF8.GetBytes(message, destination);
}
