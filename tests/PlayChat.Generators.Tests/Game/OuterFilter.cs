using PlayChat.Core.Dispatch;

namespace PlayChat.Generators.Tests.Game;

internal sealed class OuterFilter(World world) : PacketFilter
{
    protected override ValueTask OnReceiveAsync(IncomingPacket packet)
    {
        world.Trace.Add("outer");
        return packet.NextAsync();
    }
}
