namespace PlayChat.Recording;

/// <summary>What an entry of a turn is. The numbers are those of the file: never changed.</summary>
internal enum EntryKind : byte
{
    /// <summary>Not an entry: the turn is over.</summary>
    None = 0,

    /// <summary>The entries that follow name a session by a number.</summary>
    Session = 1,

    /// <summary>A session has ended, is away or is back.</summary>
    Changed = 2,

    /// <summary>A timer has run.</summary>
    Timer = 3,

    /// <summary>The room has ticked.</summary>
    Tick = 4,

    /// <summary>A frame for <c>OnFrame</c>.</summary>
    Frame = 5,

    /// <summary>A packet for a handler.</summary>
    Packet = 6,

    /// <summary>A join by a request.</summary>
    Join = 7,

    /// <summary>A member leaves, as its client or the cluster wants.</summary>
    Leave = 8,

    /// <summary>A <see cref="RoomCommand"/>.</summary>
    Command = 9,

    /// <summary>Code that nothing can repeat.</summary>
    Code = 10,

    /// <summary>A <see cref="RoomJob"/>.</summary>
    Job = 11,

    /// <summary>Whether the member that has just returned has missed nothing.</summary>
    Recovered = 12,

    /// <summary>The room has sent a frame.</summary>
    Sent = 13,

    /// <summary>The session of the last frame has not accepted it.</summary>
    NotAccepted = 14,

    /// <summary>Code of the room has thrown an exception.</summary>
    Failed = 15,

    /// <summary>What follows is of the end of the turn. Left out if nothing follows.</summary>
    EndOfTurn = 16,

    /// <summary>A member on a node of the cluster is away, or has returned.</summary>
    LinkChanged = 17,
}
