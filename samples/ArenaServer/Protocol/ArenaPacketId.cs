namespace ArenaServer.Protocol;

/// <summary>Which message a packet carries.</summary>
internal enum ArenaPacketId : ushort
{
    /// <summary>A client wants to play: <see cref="Protocol.Join"/>.</summary>
    Join = 1,

    /// <summary>The answer to <see cref="Join"/> and <see cref="Resume"/>: <see cref="Protocol.JoinAnswer"/>.</summary>
    JoinAnswer = 2,

    /// <summary>A client leaves for good: <see cref="Protocol.Goodbye"/>.</summary>
    Goodbye = 3,

    /// <summary>Where a client goes from now on: <see cref="Protocol.Steer"/>.</summary>
    Steer = 4,

    /// <summary>All there is to know, when a player enters and when it returns: <see cref="ArenaState"/>.</summary>
    State = 5,

    /// <summary>What has happened: <see cref="ArenaEvent"/>. Reliable.</summary>
    Event = 6,

    /// <summary>Where a player is: <see cref="Protocol.Position"/>. Only the latest counts.</summary>
    Position = 7,

    /// <summary>A client wants its seat back after a break: <see cref="Protocol.Resume"/>.</summary>
    Resume = 8,
}
