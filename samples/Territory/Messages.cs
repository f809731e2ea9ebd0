using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace Territory;

/// <summary>
/// Asks for a match, or to watch one; first of all, for the place in lobby or match that the client had before its connection broke.
/// <see cref="Joined"/> answers.
/// </summary>
/// <param name="Name">What the others see: 1 to 16 letters, digits or spaces between them.</param>
/// <param name="IsSpectator">Whether the client only watches.</param>
/// <param name="Token">From the latest answer that the client has; empty for none.</param>
/// <param name="Revision">The revision of the state that the client has; 0 for none.</param>
[PacketId(1)]
internal sealed record Join(string Name, bool IsSpectator, ReadOnlyMemory<byte> Token = default, uint Revision = 0);

/// <summary>The answer to <see cref="Join"/>.</summary>
/// <param name="PlayerId">The key of the client's player.</param>
/// <param name="Token">Brings the client back to its place when its connection breaks, once. It is a secret of this client.</param>
/// <param name="Refusal">Why the client may not; null when it may.</param>
[PacketId(2)]
internal sealed record Joined(long PlayerId, ReadOnlyMemory<byte> Token, string? Refusal = null);

/// <summary>Where the player goes until it says otherwise.</summary>
/// <param name="Dx">-1, 0 or 1: to the left, nowhere, to the right.</param>
/// <param name="Dy">-1, 0 or 1: up, nowhere, down.</param>
[PacketId(4)]
internal sealed record Steer(int Dx, int Dy);

/// <summary>Tells a player that it waits for a match. The first state that has the player ends that.</summary>
/// <param name="Seconds">For how long.</param>
/// <param name="HasFailed">Whether it waits no more, because the server made no match.</param>
[PacketId(6)]
internal sealed record Waiting(int Seconds, bool HasFailed);

[JsonPackets(typeof(TerritoryJson))]
internal static partial class TerritoryPackets
{
    /// <summary>The packet that carries the state.</summary>
    public const ushort State = 5;
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Join))]
[JsonSerializable(typeof(Joined))]
[JsonSerializable(typeof(Steer))]
[JsonSerializable(typeof(Waiting))]
internal sealed partial class TerritoryJson : JsonSerializerContext;
