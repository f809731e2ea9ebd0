using System.Text.Json.Serialization;

namespace PlayChat.Core.Tests.Packets;

/// <summary>How <see cref="JsonMove"/> is read and written without reflection.</summary>
[JsonSerializable(typeof(JsonMove))]
[JsonSerializable(typeof(JsonShape))]
internal sealed partial class JsonMoves : JsonSerializerContext;
