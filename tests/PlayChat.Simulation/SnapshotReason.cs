namespace PlayChat.Simulation;

/// <summary>Why a room sends a member its state.</summary>
internal enum SnapshotReason
{
    /// <summary>The member has entered.</summary>
    Entered,

    /// <summary>The member has returned, and the room is not sure that it has missed nothing.</summary>
    Returned,

    /// <summary>The member has returned and has missed nothing.</summary>
    Recovered,
}
