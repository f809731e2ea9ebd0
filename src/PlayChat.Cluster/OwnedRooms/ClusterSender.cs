namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Hands records of one room to the log in order, and keeps those that the log refuses, within a bound. Thread-safe.</summary>
/// <remarks>The cluster tries again (<see cref="RoomCluster.RetryLater"/>) while records wait.</remarks>
internal sealed class ClusterSender(RoomCluster cluster, long roomId)
{
    private const int MaxUnsentBytes = 4 << 20; // as many as the log itself keeps by default

    private readonly Queue<(ClusterEntryKind Kind, byte[] Body)> _unsent = new(); // it guards all fields
    private int _unsentBytes;
    private NodeLife? _life;
    private bool _hasOverflowed;
    private bool _isToRetry; // the cluster has been asked to

    internal bool HasUnsent
    {
        get
        {
            lock (_unsent)
            {
                return _unsent.Count > 0;
            }
        }
    }

    /// <summary>Whether records were dropped since the last <see cref="TakeOverflow"/>.</summary>
    internal bool HasOverflowed
    {
        get
        {
            lock (_unsent)
            {
                return _hasOverflowed;
            }
        }
    }

    /// <returns>Whether records were dropped since the last call.</returns>
    internal bool TakeOverflow()
    {
        lock (_unsent)
        {
            bool hasOverflowed = _hasOverflowed;
            _hasOverflowed = false;
            return hasOverflowed;
        }
    }

    /// <summary>Begins with another life of the node, or with none. What waits is dropped.</summary>
    internal void Begin(NodeLife? life)
    {
        lock (_unsent)
        {
            _life = life;
            _unsent.Clear();
            _unsentBytes = 0;
            _hasOverflowed = false;
        }
    }

    internal void Send(ClusterEntryKind kind, byte[] body)
    {
        lock (_unsent)
        {
            if (_life is null)
            {
                return;
            }

            if (_unsentBytes + body.Length > MaxUnsentBytes)
            {
                _unsent.Clear();
                _unsentBytes = 0;
                _hasOverflowed = true;
                return;
            }

            _unsent.Enqueue((kind, body));
            _unsentBytes += body.Length;
            Flush();
        }
    }

    internal void Flush()
    {
        lock (_unsent)
        {
            while (_life is { } life && _unsent.TryPeek(out (ClusterEntryKind Kind, byte[] Body) next))
            {
                if (!TryPublish(life, next.Kind, next.Body))
                {
                    if (!_isToRetry)
                    {
                        _isToRetry = true;
                        cluster.RetryLater(this);
                    }

                    return;
                }

                _unsent.Dequeue();
                _unsentBytes -= next.Body.Length;
            }
        }
    }

    /// <summary>Flushes again what the log has refused.</summary>
    internal void Retry()
    {
        lock (_unsent)
        {
            _isToRetry = false;
            Flush();
        }
    }

    /// <returns><see langword="false"/> if the log refuses the record for now; <see langword="true"/> also after the life has
    /// ended.</returns>
    private bool TryPublish(NodeLife life, ClusterEntryKind kind, byte[] body)
    {
        int shard = RoomShard.Of(roomId, life.Backplane.ShardCount);
        return life.IsFenced || life.Backplane.Publish(shard, new RoomRecord { Kind = (byte)kind, RoomId = roomId, Body = body })
            is PublishResult.Accepted or PublishResult.TooLarge;
    }
}
