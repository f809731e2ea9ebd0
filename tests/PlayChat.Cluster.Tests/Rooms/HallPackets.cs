using PlayChat.Core.Packets;

namespace PlayChat.Cluster.Tests.Rooms;

internal static class HallPackets
{
    public static PacketSet All => new PacketSet()
        .Add(new TextPacket<Enter>(1, static text => new Enter(text), static message => message.Name))
        .Add(new TextPacket<Entered>(2, static text => new Entered(text), static message => message.Result))
        .Add(new TextPacket<Say>(3, static text => new Say(text), static message => message.Text))
        .Add(new TextPacket<Said>(4, static text => new Said(text), static message => message.Text))
        .Add(new TextPacket<Ask>(5, static text => new Ask(text), static message => message.Question))
        .Add(new TextPacket<Told>(6, static text => new Told(text), static message => message.Answer));
}
