using PlayChat.Core.Cluster;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>A registered node of a test.</summary>
public sealed record DirectoryNode(IClusterDirectory Directory, NodeLease Lease)
{
    public RecordOrigin Origin => Lease.Origin;
}
