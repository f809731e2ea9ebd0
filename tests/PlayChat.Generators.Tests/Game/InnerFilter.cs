using PlayChat.Core.Dispatch;

namespace PlayChat.Generators.Tests.Game;

internal sealed class InnerFilter(World world) : PacketFilter
{
    protected override ValueTask OnReceiveAsync(IncomingPacket packet)
    {
        world.Trace.Add("inner");
        return packet.NextAsync();
    }
}
