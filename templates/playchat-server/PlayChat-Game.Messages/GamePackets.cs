using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat_Game.Messages;

/// <summary>The protocol, the same at both ends. A source generator writes <c>All</c>: the messages with [PacketId].</summary>
[JsonPackets(typeof(GameJson))]
public static partial class GamePackets;

/// <summary>How the messages are written as JSON: code that the compiler makes. A message that is missing here is an error.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Join))]
[JsonSerializable(typeof(Joined))]
[JsonSerializable(typeof(Say))]
[JsonSerializable(typeof(Said))]
[JsonSerializable(typeof(PlayerCame))]
[JsonSerializable(typeof(PlayerLeft))]
internal sealed partial class GameJson : JsonSerializerContext;
