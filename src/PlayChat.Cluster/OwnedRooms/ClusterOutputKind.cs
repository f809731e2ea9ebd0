namespace PlayChat.Cluster.OwnedRooms;

/// <summary>What a record of <see cref="ClusterEntryKind.Output"/> consists of. The kinds stand in logs: never renumber.</summary>
internal enum ClusterOutputKind : byte
{
    ToAll = 1, // a frame for every member
    ToOthers = 2, // a frame for every member but one
    ToSome = 3, // a frame for some sessions
    Joined = 4, // a session has become a member
    Answer = 5, // the answer to a join
    Left = 6, // a member has left
    Close = 7, // the room closes a connection
    Removed = 8, // the room has ended, on all nodes. A record of its own

    // What replicas have asked for may be lost: the owner was too far behind, its node has missed records, or it has dropped what it sends.
    // They ask again.
    AskAgain = 9,
    Transferred = 10, // members have left, and their nodes learn what to do with their sessions (Room.Transfer)
}
