namespace PlayChat.Cluster.OwnedRooms;

/// <summary>What a record of <see cref="ClusterEntryKind.Output"/> consists of. The kinds stand in logs: never renumber.</summary>
internal enum ClusterOutputKind : byte
{
    /// <summary>A frame for every member.</summary>
    ToAll = 1,

    /// <summary>A frame for every member but one.</summary>
    ToOthers = 2,

    /// <summary>A frame for some sessions.</summary>
    ToSome = 3,

    /// <summary>A session has become a member.</summary>
    Joined = 4,

    /// <summary>The answer to a join.</summary>
    Answer = 5,

    /// <summary>A member has left.</summary>
    Left = 6,

    /// <summary>The room closes a connection.</summary>
    Close = 7,

    /// <summary>The room has ended, on all nodes. A record of its own.</summary>
    Removed = 8,

    /// <summary>What replicas have asked for may be lost: the owner was too far behind, its node has missed records, or it has dropped what
    /// it sends. They ask again.</summary>
    AskAgain = 9,

    /// <summary>Members have left, and their nodes learn what to do with their sessions (<see cref="Room.Transfer"/>).</summary>
    Transferred = 10,
}
