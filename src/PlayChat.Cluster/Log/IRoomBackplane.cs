namespace PlayChat.Cluster.Log;

/// <summary>An ordered log per shard of rooms, which all nodes of a cluster write and read.</summary>
/// <remarks>
/// <para>All members are thread-safe. All readers of a shard see the same records in the same order. Records that one thread publishes to a
/// shard keep their order. The publisher reads its own records back like those of others.</para>
/// <para>A record is read at most once by a subscription, unless the node that reads it starts again.</para>
/// </remarks>
public interface IRoomBackplane : IAsyncDisposable
{
    /// <summary>How many shards there are. Fixed for the life of the logs.</summary>
    int ShardCount { get; }

    /// <summary>This node and its present life.</summary>
    RecordOrigin Origin { get; }

    /// <summary>Whether records are accepted now.</summary>
    BackplaneState State { get; }

    /// <summary>Raised after <see cref="State"/> has changed, one call at a time, on a thread of the pool. Handlers must not
    /// block.</summary>
#pragma warning disable MA0046 // a state and nothing else: no sender, no allocation
    event Action<BackplaneState>? StateChanged;
#pragma warning restore MA0046

    /// <summary>Queues a record for the log of a shard. Never waits, and copies the body.</summary>
    /// <param name="shard">0 to <see cref="ShardCount"/> − 1; for a room <see cref="RoomShard.Of"/>.</param>
    /// <param name="record">The record.</param>
    /// <returns>
    /// Only <see cref="PublishResult.Accepted"/> says that the record may get into the log; reading it back says that it is there.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// There is no such shard, or the kind is reserved and not one of a node's end, a broadcast and a probe.
    /// </exception>
    PublishResult Publish(int shard, in RoomRecord record);

    /// <summary>Reads the log of a shard until the returned subscription is disposed.</summary>
    /// <param name="shard">0 to <see cref="ShardCount"/> − 1.</param>
    /// <param name="from">Where to begin.</param>
    /// <param name="handler">Called for every record; its first calls may come before this method completes.</param>
    /// <param name="cancellationToken">Ends the wait and the subscription.</param>
    /// <returns>
    /// Completes when the handler has seen everything that the log held at the call, however long the log is away. Disposing the
    /// subscription waits for a running call of the handler, so do not await it inside of one.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such shard.</exception>
    /// <exception cref="ObjectDisposedException">The backplane is disposed.</exception>
    ValueTask<IAsyncDisposable> SubscribeAsync(
        int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken = default);
}
