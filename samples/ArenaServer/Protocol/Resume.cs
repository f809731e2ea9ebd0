namespace ArenaServer.Protocol;

/// <summary>Asks for the seat that a client had before its connection broke. <see cref="JoinAnswer"/> answers.</summary>
/// <param name="Token">From the latest answer that the client has.</param>
internal sealed record Resume(ReadOnlyMemory<byte> Token);
