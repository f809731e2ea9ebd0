namespace ArenaServer.Protocol;

/// <summary>Something has happened that nobody may miss.</summary>
/// <param name="Kind">What.</param>
/// <param name="Player">To whom; as it is now.</param>
/// <param name="Coin">Where the coin lies now.</param>
internal sealed record ArenaEvent(ArenaEventKind Kind, PlayerState Player, Cell Coin);
