namespace ArenaServer.Protocol;

/// <summary>The whole arena. Events and positions that follow change it.</summary>
/// <param name="Width">Cells from left to right.</param>
/// <param name="Height">Cells from top to bottom.</param>
/// <param name="Players">Everybody who has a seat, the receiver included.</param>
/// <param name="Coin">Where the coin lies.</param>
internal sealed record ArenaState(int Width, int Height, IReadOnlyList<PlayerState> Players, Cell Coin);
