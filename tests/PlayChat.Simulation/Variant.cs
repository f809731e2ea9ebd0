namespace PlayChat.Simulation;

/// <summary>A fault that is built into the world on purpose, to show that the judge notices it.</summary>
internal enum Variant
{
    /// <summary>No fault.</summary>
    None,

    /// <summary>The scheduler loses a work item now and then.</summary>
    LostWork,

    /// <summary>A timer does not fire now and then.</summary>
    LostTimer,

    /// <summary>The room orders a message again that the client repeats after a resume.</summary>
    RepeatedMessage,

    /// <summary>The room keeps a member whose session has ended.</summary>
    GhostMember,

    /// <summary>The client's count of frames is one too high, so that a resume claims a frame that was lost.</summary>
    WrongCount,

    /// <summary>The link sends the bytes of a send twice now and then.</summary>
    RepeatedSend,

    /// <summary>The link changes a byte of a send now and then.</summary>
    ChangedByte,

    /// <summary>A send that was under way does not complete now and then.</summary>
    LostCompletion,

    /// <summary>The queue forgets to create the room of a match now and then.</summary>
    LostMatch,

    /// <summary>A match takes any session, without the token of a seat.</summary>
    OpenSeats,
}
