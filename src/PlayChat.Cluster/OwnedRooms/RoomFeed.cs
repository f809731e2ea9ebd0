namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Reads the log of one shard during a life of the node, and hands what it says to the replicas and tenures of the shard's
/// rooms.</summary>
internal sealed class RoomFeed(RoomCluster cluster, NodeLife life, int shard) : IShardHandler
{
    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        if (record.Kind == (byte)ClusterEntryKind.Load)
        {
            cluster.Loads.OnRecord(origin, record.Body.Span);
        }
        else if (record.Kind < (byte)ClusterEntryKind.NodeDown && cluster.Find(record.RoomId) is { } replica)
        {
            replica.Enqueue(new ClusterEntry(life, (ClusterEntryKind)record.Kind, origin, record.Body.ToArray()));
        }

        if (record.Kind == (byte)ClusterEntryKind.Released && origin == life.Origin)
        {
            cluster.Tenures.OnReleaseRead(record.RoomId);
        }
    }

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
    {
        Tell(ClusterEntryKind.Gap, life.Origin);
        cluster.Tenures.OnGap(life, shard);
    }

    public void OnNodeDown(RecordOrigin origin)
    {
        cluster.Loads.Forget(origin);
        Tell(ClusterEntryKind.NodeDown, origin);
    }

    private void Tell(ClusterEntryKind kind, RecordOrigin origin)
    {
        foreach (RoomReplica replica in cluster.Replicas)
        {
            if (RoomShard.Of(replica.RoomId, life.Backplane.ShardCount) == shard)
            {
                replica.Enqueue(new ClusterEntry(life, kind, origin, []));
            }
        }
    }
}
