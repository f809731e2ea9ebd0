using Google.Protobuf.WellKnownTypes;
using PlayChat.Core.Packets;
using PlayChat.Protobuf;

namespace PlayChat.GameServer;

[JsonPackets(typeof(GameJson))]
internal static partial class GamePackets
{
    /// <summary>A payload that the server sends back as it is.</summary>
    public const ushort Picture = 20;

    /// <summary>A protobuf message that the server sends back.</summary>
    public const ushort Moment = 21;

    /// <summary>All packets of the server.</summary>
    public static PacketSet CreateAll() =>
        new PacketSet().Add(All).AddRaw(Picture, nameof(Picture)).AddProtobuf(Moment, Timestamp.Parser, nameof(Moment));
}
