using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>A registered node of a test.</summary>
public sealed record DirectoryNode(IClusterDirectory Directory, NodeLease Lease)
{
    public RecordOrigin Origin => Lease.Origin;
}
