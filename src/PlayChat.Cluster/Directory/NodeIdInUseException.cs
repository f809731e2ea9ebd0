namespace PlayChat.Cluster.Directory;

/// <summary>Another node has the node id that a node wanted to register, and has renewed its lease lately.</summary>
public sealed class NodeIdInUseException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="holder">The node that has the id.</param>
    /// <param name="freeAfter">When the id becomes free, see <see cref="FreeAfter"/>.</param>
    public NodeIdInUseException(NodeInfo holder, TimeSpan freeAfter)
        : base(
            $"Node id {holder.Origin.NodeId} belongs to the node at {holder.Endpoint} (incarnation {holder.Origin.Incarnation}), which "
                + "renews its lease. Stop that node, or give this one an id of its own. The id of a node that was killed becomes free when "
                + "it has not renewed for half a lease.")
    {
        Holder = holder;
        FreeAfter = freeAfter;
    }

    /// <summary>The node that has the id.</summary>
    public NodeInfo Holder { get; }

    /// <summary>After which time the id becomes free if the holder does not renew its lease meanwhile;
    /// <see cref="Timeout.InfiniteTimeSpan"/> for a lease without end.</summary>
    public TimeSpan FreeAfter { get; }
}
