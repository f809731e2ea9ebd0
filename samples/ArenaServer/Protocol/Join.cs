namespace ArenaServer.Protocol;

/// <summary>Asks for a seat. <see cref="JoinAnswer"/> answers.</summary>
/// <param name="Name">What the others see: 1 to 16 characters.</param>
/// <param name="Token">From an earlier answer: the seat to come back to. None for a new one.</param>
internal sealed record Join(string Name, string? Token = null);
