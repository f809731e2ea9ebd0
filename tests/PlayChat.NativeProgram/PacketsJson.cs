using System.Text.Json.Serialization;

namespace PlayChat.NativeProgram;

/// <summary>How the JSON messages are read and written, without reflection.</summary>
[JsonSerializable(typeof(Move))]
[JsonSerializable(typeof(Moved))]
internal sealed partial class PacketsJson : JsonSerializerContext;
