using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Finds nodes that have ended, and tells every log. Of several nodes that do so, the directory gives each lost node to
/// one.</summary>
internal sealed class NodeSweep(IClusterDirectory directory, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(10);

    /// <summary>Looks once.</summary>
    /// <exception cref="NodeFencedException">This node has lost its own place.</exception>
    internal async Task RunAsync(ClusterLife life, CancellationToken cancellationToken)
    {
        foreach (LostNode lost in await directory.SweepAsync(cancellationToken).ConfigureAwait(false))
        {
            SharedRoomLog.NodeLost(logger, lost.Node.NodeId, lost.Node.Incarnation);
            await BuryAsync(life, lost.Node, cancellationToken).ConfigureAwait(false);
            await directory.ConfirmLostAsync(lost.Node, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Tells every log that a node is down, and reads that back.</summary>
    private async Task BuryAsync(ClusterLife life, RecordOrigin dead, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(s_timeout);
        for (int shard = 0; shard < life.ShardCount; shard++)
        {
            while (life.PublishTo(shard, RoomRecord.NodeDown(dead)) != PublishResult.Accepted)
            {
                await Task.Delay(s_pause, time, patience.Token).ConfigureAwait(false);
            }
        }

        for (int shard = 0; shard < life.ShardCount; shard++)
        {
            while (!life.IsDown(shard, dead))
            {
                await Task.Delay(s_pause, time, patience.Token).ConfigureAwait(false);
            }
        }
    }
}
