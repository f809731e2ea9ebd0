#pragma warning disable MA0048 // the messages of one game

using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.Persistence.Tests;

/// <summary>Logs a user in, and joins a room.</summary>
[PacketId(1, Answer = typeof(Entered))]
public sealed record Enter(long UserId, string Room, string Color);

/// <summary>Comes back by a token.</summary>
[PacketId(2, Answer = typeof(Entered))]
public sealed record ComeBack(ReadOnlyMemory<byte> Token);

[PacketId(3)]
public sealed record Entered(ReadOnlyMemory<byte> Token);

/// <summary>Adds to the room's sum.</summary>
[PacketId(4)]
public sealed record Add(int Amount);

/// <summary>What the room tells a member that is back.</summary>
[PacketId(5)]
public sealed record Sum(int Value, string Color, bool IsRecovered);

/// <summary>The argument of joins.</summary>
[PacketId(6)]
public sealed record Join(string Color);

[JsonPackets(typeof(GameJson))]
public static partial class GamePackets;

[JsonSerializable(typeof(Enter))]
[JsonSerializable(typeof(ComeBack))]
[JsonSerializable(typeof(Entered))]
[JsonSerializable(typeof(Add))]
[JsonSerializable(typeof(Sum))]
[JsonSerializable(typeof(Join))]
internal sealed partial class GameJson : JsonSerializerContext;
