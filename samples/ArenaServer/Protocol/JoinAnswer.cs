namespace ArenaServer.Protocol;

/// <summary>The answer to <see cref="Join"/>.</summary>
/// <param name="PlayerId">Which player the client is.</param>
/// <param name="Token">Brings the client back to its seat when its connection breaks. Nobody else gets to see it.</param>
/// <param name="Refusal">Why there is no seat; null when there is one.</param>
internal sealed record JoinAnswer(int PlayerId, string Token, string? Refusal = null);
