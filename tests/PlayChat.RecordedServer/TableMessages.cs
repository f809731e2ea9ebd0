#pragma warning disable MA0048 // the messages of one game

using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.RecordedServer;

[PacketId(10_000)]
internal sealed record Sit(string Name);

[PacketId(10_001)]
internal sealed record Seated(string? Refusal);

[PacketId(10_002)]
internal sealed record Roll(int Sides, [property: NotRecorded] string Card);

[PacketId(10_003)]
internal sealed record Rolled(string Name, int Eyes);

/// <summary>What a service sends to the room.</summary>
internal sealed record Tip(int Coins);

[JsonSerializable(typeof(Sit))]
[JsonSerializable(typeof(Seated))]
[JsonSerializable(typeof(Roll))]
[JsonSerializable(typeof(Rolled))]
[JsonSerializable(typeof(Tip))]
internal sealed partial class TableJson : JsonSerializerContext;
