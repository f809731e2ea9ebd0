using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A packet that is its length, and notes what is given back.</summary>
internal sealed class TransientPacket(ushort id) : PacketType<int>(id, $"TRANSIENT_{id}", isTransient: true)
{
    internal List<int> Returned { get; } = [];

    public override bool TryDecode(in Frame frame, out int message)
    {
        message = frame.BodyBytes;
        return true;
    }

    public override int GetBodyBytes(int message) => message;

    public override void Encode(int message, Span<byte> destination) => destination.Clear();

    public override void Return(int message) => Returned.Add(message);
}
