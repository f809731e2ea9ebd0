namespace PlayChat.Simulation;

/// <summary>The kind of a room's event.</summary>
internal enum EventKind
{
    /// <summary>A member has entered.</summary>
    Join = 1,

    /// <summary>A membership has ended.</summary>
    Leave = 2,

    /// <summary>A member has said something.</summary>
    Say = 3,

    /// <summary>The room has ticked.</summary>
    Tick = 4,
}
