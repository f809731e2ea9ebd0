using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace Territory;

/// <summary>Asks for a seat, or to watch. <see cref="Joined"/> answers.</summary>
/// <param name="Name">What the others see: 1 to 16 characters.</param>
/// <param name="IsSpectator">Whether the client only watches.</param>
[PacketId(1)]
internal sealed record Join(string Name, bool IsSpectator);

/// <summary>The answer to <see cref="Join"/> and <see cref="Resume"/>.</summary>
/// <param name="PlayerId">The key of the client's player.</param>
/// <param name="Token">Brings the client back to its seat when its connection breaks, once. It is a secret of this client.</param>
/// <param name="Refusal">Why there is no seat; null when there is one.</param>
[PacketId(2)]
internal sealed record Joined(long PlayerId, ReadOnlyMemory<byte> Token, string? Refusal = null);

/// <summary>Asks for the seat that the client had before its connection broke.</summary>
/// <param name="Token">From the latest answer that the client has.</param>
/// <param name="Revision">The revision of the state that the client has; 0 for none.</param>
[PacketId(3)]
internal sealed record Resume(ReadOnlyMemory<byte> Token, uint Revision);

/// <summary>Where the player goes until it says otherwise.</summary>
/// <param name="Dx">-1, 0 or 1: to the left, nowhere, to the right.</param>
/// <param name="Dy">-1, 0 or 1: up, nowhere, down.</param>
[PacketId(4)]
internal sealed record Steer(int Dx, int Dy);

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
[JsonSerializable(typeof(Resume))]
[JsonSerializable(typeof(Steer))]
internal sealed partial class TerritoryJson : JsonSerializerContext;
