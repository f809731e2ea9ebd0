namespace PlayChat.Cluster.Log;

/// <summary>Handles the records of one shard's log.</summary>
/// <remarks>
/// The backplane makes one call at a time for a subscription, in the log's order, on threads of the pool. A call must not block, because
/// the whole shard waits for it. An exception is logged, and reading continues with the next record.
/// </remarks>
public interface IShardHandler
{
    /// <summary>Handles a record.</summary>
    /// <param name="position">Where it stands; pass it to <see cref="SubscribeFrom.After"/> to continue behind it.</param>
    /// <param name="origin">The node that published it.</param>
    /// <param name="record">The record. Its body is valid during the call only.</param>
    void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record);

    /// <summary>Reports that records are missing here. Load again whatever depends on having read all of them.</summary>
    /// <param name="wanted">The last position before the hole.</param>
    /// <param name="found">The first position behind it.</param>
    /// <param name="reason">Why.</param>
    void OnGap(LogPosition wanted, LogPosition found, GapReason reason);

    /// <summary>Reports that a life of a node was declared dead. No record of this life follows. A subscription reports each life
    /// once.</summary>
    /// <remarks>A node that was killed may have started again before: then records of its later life precede the report, and more follow.
    /// Compare the whole origin, not the node id alone.</remarks>
    /// <param name="origin">The dead life. If it is the backplane's own, this node has been fenced.</param>
    void OnNodeDown(RecordOrigin origin);

    /// <summary>Handles a broadcast of <see cref="Broadcast.SessionBroadcastExtensions"/>. Default: nothing, because a server that has
    /// joined the log sends it. A handler that passes its calls on to another one passes this one on as well.</summary>
    /// <param name="origin">The node that published it.</param>
    /// <param name="record">The record. Its body is valid during the call only.</param>
    void OnBroadcast(RecordOrigin origin, in RoomRecord record)
    {
    }

    /// <summary>A node has asked whether the log answers. Default: nothing.</summary>
    /// <param name="origin">The node that asked.</param>
    void OnProbe(RecordOrigin origin)
    {
    }
}
