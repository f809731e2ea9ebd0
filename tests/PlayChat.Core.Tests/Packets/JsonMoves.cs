using System.Text.Json.Serialization;

namespace PlayChat.Core.Tests.Packets;

/// <summary>How messages are read and written without reflection.</summary>
[JsonSerializable(typeof(JsonMove))]
[JsonSerializable(typeof(JsonShape))]
[JsonSerializable(typeof(JsonOrder))]
[JsonSerializable(typeof(JsonTicket))]
internal sealed partial class JsonMoves : JsonSerializerContext;
