namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The time in which this node owns a room, until the directory lets another node own it. Thread-safe.</summary>
/// <remarks>A node has one tenure of a room at a time: from its claim on, and it does not ask for the room before <see cref="Ended"/>. So
/// what the former tenure still does, at the directory or in the log, is never taken for the next one's.</remarks>
internal sealed class RoomTenure
{
    private readonly RoomCluster _cluster;
    private readonly TaskCompletionSource _read = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Task _asking; // the last question for the room
    private volatile bool _isReleasing;
    private volatile bool _isRemoved;
    private volatile bool _hasGap; // so the node may have missed that it gives the room up

    internal RoomTenure(RoomCluster cluster, NodeLife life, long roomId, Task asking)
    {
        _cluster = cluster;
        _asking = asking;
        Life = life;
        RoomId = roomId;
        Sender = new ClusterSender(cluster, roomId);
        Sender.Begin(life);
    }

    internal NodeLife Life { get; }

    internal long RoomId { get; }

    /// <summary>Sends the claim, and what the owner publishes.</summary>
    internal ClusterSender Sender { get; }

    internal bool IsReleasing => _isReleasing;

    /// <summary>Completes when this node may own the room no more.</summary>
    internal Task Ended => _ended.Task;

    /// <summary>The replica has asked the directory for the room again. The room is given up behind the answer, because the directory may
    /// do later what it was asked first, and would make this node the owner anew.</summary>
    internal void OnAsked(Task asking) => _asking = asking;

    /// <summary>The room has another owner, or the node has no place in the cluster. Nothing more is sent.</summary>
    internal void Lose()
    {
        Sender.Begin(null);
        _cluster.Tenures.Remove(this);
        _ended.TrySetResult();
    }

    /// <summary>Tells all nodes that this one gives the room up.</summary>
    /// <param name="isRemoved">Whether the room has ended on all nodes.</param>
    internal void SendReleased(bool isRemoved = false)
    {
        _isRemoved = isRemoved;
        _isReleasing = true;
        SendReleased();
    }

    /// <summary>Lets another node own the room, behind all that was sent. The caller has called <see cref="SendReleased(bool)"/>.</summary>
    /// <param name="isOver">Whether there is no state from which another node could continue.</param>
    internal void Release(bool isOver) => _ = Task.Run(() => ReleaseAsync(isOver));

    /// <summary>The node has read that it gives the room up.</summary>
    internal void OnRead()
    {
        if (_isReleasing)
        {
            _read.TrySetResult();
        }
    }

    /// <summary>The node has missed records.</summary>
    internal void OnGap() => _hasGap = _isReleasing;

    private void SendReleased()
    {
        if (_isRemoved)
        {
            Sender.TakeOverflow();
            Sender.Send(ClusterEntryKind.Output, [(byte)ClusterOutputKind.Removed]);
            if (Sender.HasOverflowed)
            {
                return; // without the one the other would let another node continue the room; ReleaseAsync sends both again
            }
        }

        Sender.Send(ClusterEntryKind.Released, []);
    }

    private async Task ReleaseAsync(bool isOver)
    {
        await _asking.ConfigureAwait(false);
        // A new owner then publishes behind the last state, and behind the end of the room.
        while (!_read.Task.IsCompleted && !_ended.Task.IsCompleted && !Life.IsFenced && !_cluster.HasStopped)
        {
            if (Sender.TakeOverflow() || _hasGap)
            {
                _hasGap = false;
                SendReleased();
            }

            await Task.WhenAny(_read.Task, _cluster.WaitForLookAsync()).ConfigureAwait(false);
        }

        if (_ended.Task.IsCompleted)
        {
            return; // it was lost meanwhile
        }

        await _cluster.ReleaseAsync(RoomId, Life, isOver).ConfigureAwait(false);
        // The replica may have missed the record.
        _cluster.Find(RoomId)?.Enqueue(new ClusterEntry(Life, ClusterEntryKind.HandOver, Life.Origin, []));
        Lose();
    }
}
