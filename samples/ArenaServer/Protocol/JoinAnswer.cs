namespace ArenaServer.Protocol;

/// <summary>The answer to <see cref="Join"/> and <see cref="Resume"/>.</summary>
/// <param name="PlayerId">Which player the client is.</param>
/// <param name="Token">Brings the client back to its seat when its connection breaks, once. It is a secret of this client.</param>
/// <param name="Refusal">Why there is no seat; null when there is one.</param>
internal sealed record JoinAnswer(long PlayerId, ReadOnlyMemory<byte> Token, string? Refusal = null);
