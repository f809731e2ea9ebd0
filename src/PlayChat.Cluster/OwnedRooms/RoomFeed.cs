namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Reads the log of one shard during a life of the node, and hands what it says to the replicas and tenures of the shard's
/// rooms.</summary>
internal sealed class RoomFeed(RoomCluster cluster, NodeLife life, int shard) : IShardHandler
{
    private readonly Dictionary<(long RoomId, RecordOrigin Owner), SnapshotReader> _snapshots = []; // of rooms without a replica here

    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        if (life.WasDead(origin))
        {
            return; // as on the nodes that have read of its death
        }

        if (record.Kind == (byte)ClusterEntryKind.Load)
        {
            cluster.Loads.OnRecord(origin, record.Body.Span);
        }
        else if (record.Kind < (byte)ClusterEntryKind.NodeDown && cluster.Find(record.RoomId) is { } replica)
        {
            replica.Enqueue(new ClusterEntry(life, (ClusterEntryKind)record.Kind, origin, record.Body.ToArray()));
        }
        else if (record.Kind == (byte)ClusterEntryKind.Snapshot && SnapshotReader.MayName(life.Origin, record.Body.Span))
        {
            LeaveAgain(record.RoomId, origin, record.Body.ToArray());
        }

        if (record.Kind == (byte)ClusterEntryKind.Released && origin == life.Origin)
        {
            cluster.Tenures.OnReleaseRead(record.RoomId);
        }
    }

    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
    {
        _snapshots.Clear();
        Tell(ClusterEntryKind.Gap, life.Origin);
        cluster.Tenures.OnGap(life, shard);
    }

    public void OnNodeDown(RecordOrigin origin)
    {
        cluster.Loads.Forget(origin);
        foreach (var unfinished in _snapshots.Keys.Where(key => key.Owner == origin))
        {
            _snapshots.Remove(unfinished);
        }

        Tell(ClusterEntryKind.NodeDown, origin);
    }

    /// <summary>Tells the owner of a room of which this node has no replica any more that the node's sessions have left: the owner has
    /// missed that, or the end of the room.</summary>
    private void LeaveAgain(long roomId, RecordOrigin owner, byte[] part)
    {
        SnapshotReader reader = _snapshots.GetValueOrDefault((roomId, owner)) ?? new SnapshotReader();
        if (!reader.TryRead(owner, part, out ClusterSeat[] seats, out _))
        {
            _snapshots[(roomId, owner)] = reader;
            return;
        }

        _snapshots.Remove((roomId, owner));
        var sender = new ClusterSender(cluster, roomId);
        sender.Begin(life);
        var requests = new ReplicaRequests(sender);
        foreach (ClusterSeat seat in seats.Where(seat => seat.Node == life.Origin))
        {
            requests.Leave(seat.SessionId, seat.Join, LeaveReason.RoomRemoved);
        }
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
