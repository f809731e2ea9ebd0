namespace PlayChat.Server.Cluster;

/// <summary>The result of a player's attempt to become a member of a room in the cluster.</summary>
internal enum EnterOutcome
{
    /// <summary>The player is a member in the cluster, and the replica of this node is ready for it.</summary>
    Ready,

    /// <summary>There is no such room.</summary>
    NoSuchRoom,

    /// <summary>The room is full.</summary>
    Full,

    /// <summary>The node has reached its limit of rooms.</summary>
    ServerFull,

    /// <summary>The node has no place in the cluster, or the log does not answer.</summary>
    Unavailable,

    /// <summary>The database does not answer.</summary>
    StorageUnavailable,
}
