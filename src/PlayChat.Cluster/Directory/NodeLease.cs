namespace PlayChat.Cluster.Directory;

/// <summary>What a node gets when it registers (<see cref="IClusterDirectory.RegisterAsync"/>).</summary>
/// <param name="Origin">The node's id and its new incarnation.</param>
/// <param name="Duration">How long the directory keeps the node after a registration or renewal. Renew at about a third of it. After four
/// fifths without a renewal the node must stop serving by its own monotonic clock, because another node may declare it lost at the
/// end.</param>
public sealed record NodeLease(RecordOrigin Origin, TimeSpan Duration);
