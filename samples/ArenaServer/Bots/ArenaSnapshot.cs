using ArenaServer.Protocol;

namespace ArenaServer.Bots;

/// <summary>The arena at one moment, as a client knows it.</summary>
/// <param name="Width">Cells from left to right.</param>
/// <param name="Height">Cells from top to bottom.</param>
/// <param name="Players">By id.</param>
/// <param name="Coin">Where the coin lies.</param>
/// <param name="Positions">How many positions have come so far.</param>
internal sealed record ArenaSnapshot(int Width, int Height, IReadOnlyList<PlayerState> Players, Cell Coin, long Positions);
