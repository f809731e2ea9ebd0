namespace ArenaServer.Protocol;

/// <summary>Asks for a seat. <see cref="JoinAnswer"/> answers.</summary>
/// <param name="Name">What the others see: 1 to 16 characters.</param>
internal sealed record Join(string Name);
