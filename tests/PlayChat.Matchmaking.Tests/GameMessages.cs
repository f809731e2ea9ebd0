#pragma warning disable MA0048 // the messages of one game

using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.Matchmaking.Tests;

/// <summary>Asks for a match.</summary>
[PacketId(1)]
public sealed record Find(string Name, double Rating = 0, string? Party = null, int PartySize = 1);

[PacketId(2)]
public sealed record Answered(bool Accepts);

[PacketId(3)]
public sealed record Told(MatchState State, double Waited, double Typical, double AnswerWithin);

[PacketId(4)]
public sealed record Seated(int Team, ReadOnlyMemory<byte> Token, long Room);

[JsonPackets(typeof(GameJson))]
public static partial class GamePackets;

[JsonSerializable(typeof(Find))]
[JsonSerializable(typeof(Answered))]
[JsonSerializable(typeof(Told))]
[JsonSerializable(typeof(Seated))]
internal sealed partial class GameJson : JsonSerializerContext;
