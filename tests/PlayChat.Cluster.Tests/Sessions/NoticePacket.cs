using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Cluster.Tests.Sessions;

/// <summary>The packet that is a <see cref="Notice"/>.</summary>
internal sealed class NoticePacket() : PacketType<Notice>(1, "NOTICE")
{
    public override bool TryDecode(in Frame frame, out Notice message)
    {
        message = new Notice(Encoding.UTF8.GetString(frame.ToArray()));
        return true;
    }

    public override int GetBodyBytes(Notice message) => Encoding.UTF8.GetByteCount(message.Text);

    public override void Encode(Notice message, Span<byte> destination) => Encoding.UTF8.GetBytes(message.Text, destination);
}
