using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat_Game.Messages;

/// <summary>The protocol, the same at both ends: which id carries which message.</summary>
public static class GamePackets
{
    public static PacketSet All { get; } = new PacketSet()
        .AddJson((ushort)PacketId.Join, GameJson.Default.Join)
        .AddJson((ushort)PacketId.Joined, GameJson.Default.Joined)
        .AddJson((ushort)PacketId.Say, GameJson.Default.Say)
        .AddJson((ushort)PacketId.Said, GameJson.Default.Said)
        .AddJson((ushort)PacketId.PlayerCame, GameJson.Default.PlayerCame)
        .AddJson((ushort)PacketId.PlayerLeft, GameJson.Default.PlayerLeft);
}

/// <summary>How they are written: code that the compiler makes.</summary>
[JsonSerializable(typeof(Join))]
[JsonSerializable(typeof(Joined))]
[JsonSerializable(typeof(Say))]
[JsonSerializable(typeof(Said))]
[JsonSerializable(typeof(PlayerCame))]
[JsonSerializable(typeof(PlayerLeft))]
internal sealed partial class GameJson : JsonSerializerContext;
