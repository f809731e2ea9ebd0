namespace ArenaServer.Protocol;

/// <summary>A player at one moment.</summary>
/// <param name="Id">The id of its session, not used again.</param>
/// <param name="Name">What it is called; not unique.</param>
/// <param name="X">As in <see cref="Position"/>.</param>
/// <param name="Y">As in <see cref="Position"/>.</param>
/// <param name="Score">Coins taken.</param>
/// <param name="IsAway">Its connection has broken, and its seat waits for it.</param>
internal sealed record PlayerState(long Id, string Name, float X, float Y, int Score, bool IsAway);
