using System.Text.Json.Serialization;

namespace ArenaServer.Protocol;

/// <summary>How the JSON messages are read and written: code that the compiler makes, without reflection.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Join))]
[JsonSerializable(typeof(Resume))]
[JsonSerializable(typeof(JoinAnswer))]
[JsonSerializable(typeof(Goodbye))]
[JsonSerializable(typeof(ArenaState))]
[JsonSerializable(typeof(ArenaEvent))]
internal sealed partial class ArenaJson : JsonSerializerContext;
