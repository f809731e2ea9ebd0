using System.Text.Json.Serialization;

namespace PlayChat.Recording;

/// <summary>How the header of a recording is written.</summary>
// Metadata alone: the generated writer of .NET 8 writes an array of bytes that is null as an empty text.
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(RecordingHeader))]
internal sealed partial class RecordingJson : JsonSerializerContext;
