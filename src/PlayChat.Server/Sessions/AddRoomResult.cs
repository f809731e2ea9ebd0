namespace PlayChat.Server.Sessions;

/// <summary>What came of entering a room on the books of a <see cref="Presence"/>.</summary>
internal enum AddRoomResult
{
    Added,

    /// <summary>The player is in all the rooms that one may be in.</summary>
    TooMany,

    /// <summary>The session is no longer the player's: taken over, resumed elsewhere, or gone.</summary>
    NotCurrent,
}
