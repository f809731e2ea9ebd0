namespace PlayChat.Cluster.Directory;

/// <summary>What a node does with its directory in more than one call.</summary>
public static class ClusterDirectoryExtensions
{
    private static readonly TimeSpan s_margin = TimeSpan.FromMilliseconds(100);

    /// <summary>Registers a node. If the id is held, waits until it would be free if its holder were dead, and tries once more: a node that
    /// was killed and starts again succeeds, and a second start of a node that lives does not.</summary>
    /// <param name="directory">The node's directory.</param>
    /// <param name="nodeId">The node's number.</param>
    /// <param name="endpoint">Where clients reach the node.</param>
    /// <param name="logger">Learns of a wait.</param>
    /// <param name="time">The clock of the wait, which is at most half a lease.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="NodeIdInUseException">The holder of the id lives: it has renewed its lease during the wait.</exception>
    /// <exception cref="ClusterDirectoryException">The directory is unreachable.</exception>
    public static async Task<NodeLease> RegisterWhenFreeAsync(
        this IClusterDirectory directory,
        int nodeId,
        string endpoint,
        ILogger logger,
        TimeProvider time,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(directory);
        try
        {
            return await directory.RegisterAsync(nodeId, endpoint, cancellationToken).ConfigureAwait(false);
        }
        catch (NodeIdInUseException held) when (held.FreeAfter != Timeout.InfiniteTimeSpan)
        {
            ClusterLog.NodeIdHeld(logger, nodeId, held.Holder.Endpoint, held.Holder.Origin.Incarnation, held.FreeAfter.TotalSeconds);
            await Task.Delay(held.FreeAfter + s_margin, time, cancellationToken).ConfigureAwait(false);
        }

        return await directory.RegisterAsync(nodeId, endpoint, cancellationToken).ConfigureAwait(false);
    }
}
