namespace PlayChat.Cluster.Directory;

/// <summary>The node has lost its lease, so the directory refused the write. Close the node's clients, then register again.</summary>
public sealed class NodeFencedException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="node">The node that was refused.</param>
    public NodeFencedException(RecordOrigin node)
        : base($"Node {node.NodeId} (incarnation {node.Incarnation}) has lost its lease. Register it again; its clients must reconnect.") =>
        Node = node;

    /// <summary>The node that was refused.</summary>
    public RecordOrigin Node { get; }
}
