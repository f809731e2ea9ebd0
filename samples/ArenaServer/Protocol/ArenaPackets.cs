using PlayChat.Core.Packets;

namespace ArenaServer.Protocol;

/// <summary>The protocol, the same at both ends: JSON for what is rare, raw structs for what comes many times a second.</summary>
internal static class ArenaPackets
{
    public static PacketSet All { get; } = new PacketSet()
        .AddJson((ushort)ArenaPacketId.Join, ArenaJson.Default.Join)
        .AddJson((ushort)ArenaPacketId.Resume, ArenaJson.Default.Resume)
        .AddJson((ushort)ArenaPacketId.JoinAnswer, ArenaJson.Default.JoinAnswer)
        .AddJson((ushort)ArenaPacketId.Goodbye, ArenaJson.Default.Goodbye)
        .AddJson((ushort)ArenaPacketId.State, ArenaJson.Default.ArenaState)
        .AddJson((ushort)ArenaPacketId.Event, ArenaJson.Default.ArenaEvent)
        .Add(new StructPacket<Steer>((ushort)ArenaPacketId.Steer))
        .Add(new StructPacket<Position>((ushort)ArenaPacketId.Position));
}
