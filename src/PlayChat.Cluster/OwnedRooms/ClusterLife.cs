using System.Collections.Concurrent;
using PlayChat.Cluster.Broadcast;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>One life of a node that shares rooms, from its registration to its stop or its loss. Thread-safe.</summary>
internal sealed class ClusterLife : IAsyncDisposable
{
    private readonly RoomCluster _cluster;
    private readonly IRoomBackplane _backplane;
    private readonly TimeProvider _time;
    private readonly List<IAsyncDisposable> _subscriptions = [];
    private readonly ConcurrentDictionary<(int Shard, RecordOrigin Node), bool> _down = [];
    private readonly object _fenceGate = new();
    private long _renewed;
    private volatile bool _isFenced;

    internal ClusterLife(RoomCluster cluster, NodeLease lease, IRoomBackplane backplane, TimeProvider time)
    {
        _cluster = cluster;
        Lease = lease;
        _backplane = backplane;
        _time = time;
        _renewed = time.GetTimestamp();
    }

    internal NodeLease Lease { get; }

    internal RecordOrigin Origin => Lease.Origin;

    internal int ShardCount => _backplane.ShardCount;

    internal bool IsFenced => _isFenced;

    internal bool IsLogUp => _backplane.State == BackplaneState.Up;

    internal TimeSpan LeaseAge => _time.GetElapsedTime(Interlocked.Read(ref _renewed));

    /// <summary>The lease was renewed by a call that began at a timestamp.</summary>
    internal void NoteRenewed(long timestamp) => Interlocked.Exchange(ref _renewed, timestamp);

    /// <summary>Tells a room that the life has begun, unless it has ended.</summary>
    internal void TellBegun(RoomReplica replica)
    {
        lock (_fenceGate)
        {
            if (!_isFenced)
            {
                replica.Enqueue(new ClusterEntry(this, ClusterEntryKind.Begun, Origin, []));
            }
        }
    }

    /// <summary>Ends the life and tells the rooms. When a call returns, all rooms have been told, even if another thread made the first
    /// call. So the log's reader cannot tell them a later record before it, and the next life cannot begin before it.</summary>
    /// <returns>Whether this call is the first.</returns>
    internal bool TryFence()
    {
        lock (_fenceGate)
        {
            if (_isFenced)
            {
                return false;
            }

            _isFenced = true;
            foreach (RoomReplica replica in _cluster.Replicas)
            {
                replica.Enqueue(new ClusterEntry(this, ClusterEntryKind.Fenced, Origin, []));
            }

            return true;
        }
    }

    /// <summary>Begins to read all logs at their ends; completes when the node reads and writes each of them.</summary>
    internal async Task ReadAsync(CancellationToken cancellationToken)
    {
        for (int shard = 0; shard < _backplane.ShardCount; shard++)
        {
            _subscriptions.Add(await _backplane.SubscribeAsync(
                shard, SubscribeFrom.Tail, new Handler(this, shard), cancellationToken).ConfigureAwait(false));
        }

        _subscriptions.Add(await _cluster.Sessions.JoinClusterAsync(_backplane, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Hands a record to the log. Never waits.</summary>
    /// <returns><see langword="false"/> if the log refuses it for now; <see langword="true"/> also after the life has ended.</returns>
    internal bool TryPublish(long roomId, ClusterEntryKind kind, byte[] body) =>
        IsFenced || PublishTo(RoomShard.Of(roomId, ShardCount), new RoomRecord { Kind = (byte)kind, RoomId = roomId, Body = body })
            is PublishResult.Accepted or PublishResult.TooLarge;

    internal PublishResult PublishTo(int shard, in RoomRecord record) => _backplane.Publish(shard, in record);

    /// <summary>Asks every log by a record: a log that does not answer is not up after a while, also on a node that is idle.</summary>
    internal void Probe()
    {
        for (int shard = 0; shard < ShardCount; shard++)
        {
            PublishTo(shard, new RoomRecord { Kind = (byte)ClusterEntryKind.Probe });
        }
    }

    /// <summary>Whether a log has declared a node dead.</summary>
    internal bool IsDown(int shard, RecordOrigin node) => _down.ContainsKey((shard, node));

    public async ValueTask DisposeAsync()
    {
        TryFence(); // whatever still wants to publish comes too late
        foreach (IAsyncDisposable subscription in _subscriptions)
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
        }

        await _backplane.DisposeAsync().ConfigureAwait(false);
    }

    private sealed class Handler(ClusterLife life, int shard) : IShardHandler
    {
        public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
        {
            if (life._cluster.Find(record.RoomId) is { } replica && record.Kind < (byte)ClusterEntryKind.NodeDown)
            {
                replica.Enqueue(new ClusterEntry(life, (ClusterEntryKind)record.Kind, origin, record.Body.ToArray()));
            }

            if (record.Kind == (byte)ClusterEntryKind.Released && origin == life.Origin)
            {
                life._cluster.Tenures.OnReleaseRead(record.RoomId);
            }
        }

        public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
        {
            Tell(ClusterEntryKind.Gap, life.Origin);
            life._cluster.Tenures.OnGap(life, shard);
        }

        public void OnNodeDown(RecordOrigin origin)
        {
            life._down[(shard, origin)] = true;
            if (origin == life.Origin)
            {
                life._cluster.Fence(life, "another node has declared it dead");
            }
            else
            {
                Tell(ClusterEntryKind.NodeDown, origin);
            }
        }

        private void Tell(ClusterEntryKind kind, RecordOrigin origin)
        {
            foreach (RoomReplica replica in life._cluster.Replicas)
            {
                if (RoomShard.Of(replica.RoomId, life.ShardCount) == shard)
                {
                    replica.Enqueue(new ClusterEntry(life, kind, origin, []));
                }
            }
        }
    }
}
