namespace PlayChat.Cluster.Directory;

/// <summary>A membership that ended with its node.</summary>
/// <param name="RoomId">The room.</param>
/// <param name="Member">The member; its node is the lost one.</param>
public sealed record LostMember(long RoomId, ClusterMember Member);
