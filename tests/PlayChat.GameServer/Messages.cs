using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace PlayChat.GameServer;

#pragma warning disable MA0048 // the protocol is read as a whole; clients of the contract tests compile it, too
// The first four are those of docs/how-to/browser-client.md, whose pages run against this server.
[PacketId(1, Answer = typeof(Joined))]
internal sealed record Join(string Name);

[PacketId(2)]
internal sealed record Say(string Text);

[PacketId(3)]
internal sealed record Said(string Name, string Text);

[PacketId(4)]
internal sealed record Joined(string? Refusal, byte[]? Token = null);

[PacketId(5, Answer = typeof(Joined))]
internal sealed record ComeBack(byte[] Token, long FramesReceived, uint? Revision = null);

/// <summary>The member has returned to the room.</summary>
[PacketId(6)]
internal sealed record Back(bool Recovered);

[PacketId(7, Answer = typeof(Rolled))]
internal sealed record Roll(int Sides);

[PacketId(8)]
internal sealed record Rolled(int Number);

[PacketId(9, IsFailure = true)]
internal sealed record Problem(string Code);

/// <summary>A request that is never answered.</summary>
[PacketId(10)]
internal sealed record Ignore;

/// <summary>Closes the connection for this reason.</summary>
[PacketId(11)]
internal sealed record CloseMe(string Reason);

/// <summary>Has the server ask the client; the client's answer is the answer to this.</summary>
[PacketId(12, Answer = typeof(Answer))]
internal sealed record AskMe(string Text);

[PacketId(13)]
internal sealed record Question(string Text);

[PacketId(14)]
internal sealed record Answer(string Text);

/// <summary>Tells the other players that one has lost its connection.</summary>
[PacketId(15)]
internal sealed record Gone(string Name);

/// <summary>Joins the table of a name, which has a <see cref="Board"/>.</summary>
[PacketId(16, Answer = typeof(Joined))]
internal sealed record Sit(string Name, string Table);

/// <summary>Moves the player's piece.</summary>
[PacketId(17)]
internal sealed record Move(double X, string Note);

/// <summary>Asks what the table's board is now.</summary>
[PacketId(18, Answer = typeof(Looked))]
internal sealed record Look;

[PacketId(19)]
internal sealed record Looked(string Board);

// Without generated writers: those of byte arrays need a System.Memory that Mono 6.8 lacks.
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(Join))]
[JsonSerializable(typeof(Say))]
[JsonSerializable(typeof(Said))]
[JsonSerializable(typeof(Joined))]
[JsonSerializable(typeof(ComeBack))]
[JsonSerializable(typeof(Back))]
[JsonSerializable(typeof(Roll))]
[JsonSerializable(typeof(Rolled))]
[JsonSerializable(typeof(Problem))]
[JsonSerializable(typeof(Ignore))]
[JsonSerializable(typeof(CloseMe))]
[JsonSerializable(typeof(AskMe))]
[JsonSerializable(typeof(Question))]
[JsonSerializable(typeof(Answer))]
[JsonSerializable(typeof(Gone))]
[JsonSerializable(typeof(Sit))]
[JsonSerializable(typeof(Move))]
[JsonSerializable(typeof(Look))]
[JsonSerializable(typeof(Looked))]
internal sealed partial class GameJson : JsonSerializerContext;
