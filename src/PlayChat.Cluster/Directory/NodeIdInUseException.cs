namespace PlayChat.Cluster.Directory;

/// <summary>Another live node has the node id that a node wanted to register.</summary>
public sealed class NodeIdInUseException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="holder">The node that has the id.</param>
    public NodeIdInUseException(NodeInfo holder)
        : base(
            $"Node id {holder.Origin.NodeId} belongs to the live node at {holder.Endpoint}. Give every node an id of its own; the id of a "
                + "node that has ended without unregistering becomes free when its lease ends.") => Holder = holder;

    /// <summary>The node that has the id.</summary>
    public NodeInfo Holder { get; }
}
