namespace ArenaServer.Protocol;

/// <summary>What happens in an arena.</summary>
internal enum ArenaEventKind
{
    /// <summary>A new player has come.</summary>
    Joined = 1,

    /// <summary>A player's connection has broken; its seat waits for it.</summary>
    Away = 2,

    /// <summary>A player is back in its seat.</summary>
    Returned = 3,

    /// <summary>A player has said goodbye, or has not come back in time.</summary>
    Left = 4,

    /// <summary>A player has taken the coin, and another one lies elsewhere.</summary>
    Scored = 5,
}
