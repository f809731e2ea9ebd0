namespace PlayChat.Cluster.Directory;

/// <summary>A node whose lease has ended, with the memberships it still had (<see cref="IClusterDirectory.SweepAsync"/>).</summary>
/// <param name="Node">The run of the node that has ended. The same node id may be live again with a newer incarnation.</param>
/// <param name="Members">The memberships to announce as ended. A user among them may be a member through
/// another session.</param>
public sealed record LostNode(RecordOrigin Node, IReadOnlyList<LostMember> Members);
