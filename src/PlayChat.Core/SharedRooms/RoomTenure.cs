using PlayChat.Core.Cluster;

namespace PlayChat.Core.SharedRooms;

/// <summary>The time in which this node owns a room, until the directory lets another node own it. Thread-safe.</summary>
/// <remarks>A node has one tenure of a room at a time: it does not ask for the room before <see cref="Ended"/>. So what the former tenure
/// still does, at the directory or in the log, is never taken for the next one's.</remarks>
internal sealed class RoomTenure
{
    private readonly RoomCluster _cluster;
    private readonly TaskCompletionSource _read = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal RoomTenure(RoomCluster cluster, ClusterLife life, long roomId, ClusterSender sender)
    {
        _cluster = cluster;
        Life = life;
        RoomId = roomId;
        Sender = sender;
    }

    internal ClusterLife Life { get; }

    internal long RoomId { get; }

    /// <summary>Sends what the owner publishes.</summary>
    internal ClusterSender Sender { get; }

    /// <summary>Completes when this node may own the room no more.</summary>
    internal Task Ended => _ended.Task;

    /// <summary>The room has another owner, or the node has no place in the cluster.</summary>
    internal void Lose()
    {
        _cluster.Tenures.Remove(this);
        _ended.TrySetResult();
    }

    /// <summary>Lets another node own the room, behind all that was sent. The caller has sent
    /// <see cref="ClusterEntryKind.Released"/>.</summary>
    /// <param name="after">What has to complete before.</param>
    internal void Release(Task? after = null) => _ = Task.Run(() => ReleaseAsync(after ?? Task.CompletedTask));

    /// <summary>The node has read that it gives the room up, or has missed records.</summary>
    internal void OnRead() => _read.TrySetResult();

    private async Task ReleaseAsync(Task after)
    {
        await after.ConfigureAwait(false);
        // A new owner then publishes behind the last state, and behind the end of the room.
        while (!_read.Task.IsCompleted && !Life.IsFenced && !_cluster.HasStopped)
        {
            if (Sender.TakeOverflow())
            {
                Sender.Send(ClusterEntryKind.Released, []);
            }

            await Task.WhenAny(_read.Task, _cluster.WaitForLookAsync()).ConfigureAwait(false);
        }

        await _cluster.ReleaseAsync(RoomId, Life).ConfigureAwait(false);
        // The replica may have missed the record.
        _cluster.Find(RoomId)?.Enqueue(new ClusterEntry(Life, ClusterEntryKind.Released, Life.Origin, []));
        Lose();
    }
}
