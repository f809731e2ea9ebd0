using System.Text.Json.Serialization;

namespace PlayChat.Generators.Tests.Game;

/// <summary>How the messages of <see cref="Waves"/> are written.</summary>
[JsonSerializable(typeof(Waves.Wave))]
[JsonSerializable(typeof(Waves.NoWave))]
internal sealed partial class WaveJson : JsonSerializerContext;
