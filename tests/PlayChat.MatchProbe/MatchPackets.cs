#pragma warning disable MA0048 // the messages of one game

using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.MatchProbe;

/// <summary>Asks for a duel. Each ticket has another name.</summary>
[PacketId(1)]
public sealed record FindDuel(string Name);

/// <summary>The ticket is out of the queue without a duel.</summary>
[PacketId(2)]
public sealed record Unmatched(string Name, string? Why);

/// <summary>The ticket has its seat in a duel, which a node runs.</summary>
[PacketId(3)]
public sealed record DuelSeat(string Name, string Match, string[] Tickets, int Node);

/// <summary>Leaves the duel.</summary>
[PacketId(4)]
public sealed record LeaveDuel;

/// <summary>The session is in no duel any more.</summary>
[PacketId(5)]
public sealed record DuelLeft;

/// <summary>Takes a seat in a duel.</summary>
[PacketId(6)]
public sealed record TakeSeat(ReadOnlyMemory<byte> Token);

/// <summary>Asks how many matches the queue has made, as the node knows it.</summary>
[PacketId(7)]
public sealed record AskMatches;

/// <summary>The answer.</summary>
[PacketId(8)]
public sealed record MatchesMade(long Count);

/// <summary>The packets.</summary>
[JsonPackets(typeof(MatchJson))]
public static partial class MatchPackets;

[JsonSerializable(typeof(FindDuel))]
[JsonSerializable(typeof(Unmatched))]
[JsonSerializable(typeof(DuelSeat))]
[JsonSerializable(typeof(LeaveDuel))]
[JsonSerializable(typeof(DuelLeft))]
[JsonSerializable(typeof(TakeSeat))]
[JsonSerializable(typeof(AskMatches))]
[JsonSerializable(typeof(MatchesMade))]
internal sealed partial class MatchJson : JsonSerializerContext;
