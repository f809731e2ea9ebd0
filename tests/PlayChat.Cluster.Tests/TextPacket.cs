using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Cluster.Tests;

/// <summary>A message that is one text.</summary>
internal sealed class TextPacket<TMessage>(ushort id, Func<string, TMessage> make, Func<TMessage, string> text)
    : PacketType<TMessage>(id, typeof(TMessage).Name)
{
    public override bool TryDecode(in Frame frame, out TMessage message)
    {
        message = make(Encoding.UTF8.GetString(frame.ToArray()));
        return true;
    }

    public override int GetBodyBytes(TMessage message) => Encoding.UTF8.GetByteCount(text(message));

    public override void Encode(TMessage message, Span<byte> destination) => Encoding.UTF8.GetBytes(text(message), destination);
}
