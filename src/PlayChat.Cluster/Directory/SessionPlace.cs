namespace PlayChat.Cluster.Directory;

/// <summary>Where a user's session is.</summary>
/// <param name="Node">The node that has it.</param>
/// <param name="SessionId">The session on that node.</param>
public readonly record struct SessionPlace(RecordOrigin Node, long SessionId);
