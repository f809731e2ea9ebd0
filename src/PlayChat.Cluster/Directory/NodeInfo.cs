namespace PlayChat.Cluster.Directory;

/// <summary>A live node of the cluster.</summary>
/// <param name="Origin">The node's id and incarnation.</param>
/// <param name="Endpoint">Where clients reach the node, in the form it registered; the directory does not parse it.</param>
/// <param name="IsDraining">Whether the node is stopping and takes no new clients (<see cref="IClusterDirectory.DrainAsync"/>).</param>
/// <param name="Version">The version of the node's program; empty if its directory does not say.</param>
public sealed record NodeInfo(RecordOrigin Origin, string Endpoint, bool IsDraining = false, string Version = "");
