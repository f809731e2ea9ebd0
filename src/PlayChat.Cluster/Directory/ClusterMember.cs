namespace PlayChat.Cluster.Directory;

/// <summary>A member of a room, on whichever node its session is.</summary>
/// <param name="UserId">The user, which may be a member through several sessions.</param>
/// <param name="SessionId">The session on its node. Session ids of different nodes are unrelated.</param>
/// <param name="Name">The name to show, at most 100 characters.</param>
public sealed record ClusterMember(long UserId, long SessionId, string Name)
{
    /// <summary>The node that has the session. The directory sets it; <see cref="IClusterDirectory.JoinAsync"/> ignores what the caller
    /// passes.</summary>
    public RecordOrigin Node { get; init; }

    internal bool Is(RecordOrigin node, long sessionId) => Node == node && SessionId == sessionId;
}
