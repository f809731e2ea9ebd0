using PlayChat.Core.Dispatch;

namespace PlayChat.NativeProgram;

/// <summary>A filter that is made from the host's services, and lets through what it can read.</summary>
internal sealed class Passing(EchoCount count) : PacketFilter
{
    protected override ValueTask OnReceiveAsync(IncomingPacket packet)
    {
        count.Add();
        return packet.Message is null ? default : packet.NextAsync();
    }
}
