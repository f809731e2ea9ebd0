using System.Threading.Channels;

namespace PlayChat.Core.Rooms;

/// <summary>The work that waits for a room's turn: jobs and frames, bounded in items and bytes, and sessions that have changed.</summary>
/// <remarks>
/// <para>Invariant: <c>_bytes</c> is the sum of the frames' bytes that are in <c>_items</c>, are about to be written to it, or were taken
/// by the present turn. It exceeds the bound only by a frame that an empty queue accepted. After <see cref="Close"/> no item is
/// added.</para>
/// <para>Every addition schedules the room's turn after the item is visible, so no item is left behind. Posting is thread-safe; only the
/// room's turn takes.</para>
/// </remarks>
internal sealed class RoomQueue
{
    private readonly RoomScheduler _scheduler;
    private readonly ServerMetrics _metrics;
    private readonly long _maxBytes;
    private readonly Channel<RoomItem> _items;
    private readonly ConcurrentQueue<Session> _changed = new(); // unbounded, because a room must learn of these even when it is full
    private long _bytes;
    private long _executed; // written by the room's turn
    private TaskCompletionSource? _bytesReturned; // the posts that wait for bytes share it
    private volatile bool _isClosed;

    internal RoomQueue(RoomScheduler scheduler, RoomServices services)
    {
        _scheduler = scheduler;
        _metrics = services.Metrics;
        _maxBytes = services.Options.QueueBytes;
        _items = Channel.CreateBounded<RoomItem>(
            new BoundedChannelOptions(services.Options.QueueItems) { SingleReader = true, FullMode = BoundedChannelFullMode.Wait });
    }

    internal bool IsClosed => _isClosed;

    /// <summary>What waits and what has run. Any thread may ask.</summary>
    internal RoomActivity Activity => new()
    {
        QueuedJobs = _items.Reader.Count,
        QueuedBytes = Interlocked.Read(ref _bytes),
        JobsExecuted = Volatile.Read(ref _executed),
    };

    internal bool HasItems => _items.Reader.TryPeek(out _);

    internal bool HasChangedSessions => !_changed.IsEmpty;

    /// <summary>Adds an item and takes over its body.</summary>
    /// <returns><see langword="false"/> if the queue is full or closed; the body is then released.</returns>
    internal bool TryPost(in RoomItem item)
    {
        if (TryAdd(in item))
        {
            return true;
        }

        _metrics.Add(Counter.JobsRefused);
        item.Body?.Release();
        return false;
    }

    /// <summary>Adds an item and takes over its body; waits while the queue is full.</summary>
    /// <returns><see langword="false"/> if the queue is closed; the body is then released, as it is on cancellation.</returns>
    internal ValueTask<bool> PostAsync(in RoomItem item, CancellationToken cancellationToken) =>
        TryAdd(in item) ? new ValueTask<bool>(true) : PostWhenFreeAsync(item, cancellationToken);

    /// <summary>Adds a frame and takes over its body; waits while the queue is full, until the sender's connection is aborted.</summary>
    /// <returns><see langword="false"/> if the queue is closed; the body is then released, as it is on cancellation.</returns>
    internal ValueTask<bool> PostFrameAsync(in RoomItem item, Session from) =>
        TryAdd(in item) ? new ValueTask<bool>(true) : PostWhenFreeAsync(item, from.Connection.Aborted);

    /// <summary>Adds a session that has ended, has become away or has returned, however full the queue is.</summary>
    internal void PostChanged(Session session)
    {
        _changed.Enqueue(session);
        _scheduler.Schedule();
    }

    internal bool TryTake(out RoomItem item) => _items.Reader.TryRead(out item);

    internal bool TryTakeChanged([MaybeNullWhen(false)] out Session session) => _changed.TryDequeue(out session);

    /// <summary>Counts the items that a turn has run, and lets waiting posts have their bytes.</summary>
    /// <param name="items">The number of items.</param>
    /// <param name="bytes">The sum of their <see cref="RoomItem.Bytes"/>.</param>
    internal void OnRun(int items, long bytes)
    {
        _metrics.Add(Counter.JobsExecuted, items);
        Volatile.Write(ref _executed, _executed + items);
        _metrics.ObserveQueueDepth(items + _items.Reader.Count);
        ReturnBytes(bytes);
    }

    /// <summary>Refuses all further items. Those in the queue stay, and a post that waits completes with <see langword="false"/>.</summary>
    internal void Close()
    {
        _isClosed = true;
        _items.Writer.TryComplete();
    }

    private bool TryAdd(in RoomItem item)
    {
        if (_isClosed || !TryTakeBytes(item.Bytes))
        {
            return false;
        }

        if (!(PlayChatTracing.IsOn ? _items.Writer.TryWrite(TracedJob.Wrap(in item)) : _items.Writer.TryWrite(item)))
        {
            ReturnBytes(item.Bytes);
            return false;
        }

        _metrics.Add(Counter.JobsEnqueued);
        _scheduler.Schedule();
        return true;
    }

    private async ValueTask<bool> PostWhenFreeAsync(RoomItem item, CancellationToken cancellationToken)
    {
        bool hasBytes = false;
        bool isPosted = false;
        try
        {
            while (!_isClosed && !(hasBytes = TryTakeBytes(item.Bytes)))
            {
                await BytesReturnedAsync(item.Bytes).WaitAsync(cancellationToken).ConfigureAwait(false);
            }

            if (hasBytes)
            {
                await _items.Writer.WriteAsync(TracedJob.Wrap(in item), cancellationToken).ConfigureAwait(false);
                isPosted = true;
            }
        }
        catch (ChannelClosedException)
        {
            // The room was removed while this post waited.
        }
        finally
        {
            if (!isPosted)
            {
                if (hasBytes)
                {
                    ReturnBytes(item.Bytes);
                }

                item.Body?.Release();
                _metrics.Add(Counter.JobsRefused);
            }
        }

        if (isPosted)
        {
            _metrics.Add(Counter.JobsEnqueued);
            _scheduler.Schedule();
        }

        return isPosted;
    }

    /// <summary>Whether a frame fits now. A frame above the bound fits an empty queue; otherwise it would wait without end.</summary>
    private bool Fits(long queued, int bytes) => queued == 0 || queued + bytes <= _maxBytes;

    private bool TryTakeBytes(int bytes)
    {
        if (bytes == 0)
        {
            return true;
        }

        // A compare-exchange, not an add that is undone: undoing it would wake the other waiting posts, and each of them the next.
        long queued = Interlocked.Read(ref _bytes);
        while (Fits(queued, bytes))
        {
            long seen = Interlocked.CompareExchange(ref _bytes, queued + bytes, queued);
            if (seen == queued)
            {
                return true;
            }

            queued = seen;
        }

        return false;
    }

    private void ReturnBytes(long bytes)
    {
        // The add is a full barrier before the read of _bytesReturned, as the exchange in BytesReturnedAsync is before the read of
        // _bytes. So either this method sees the waiting post, or the post sees the bytes.
        if (bytes > 0 && Interlocked.Add(ref _bytes, -bytes) < _maxBytes && Volatile.Read(ref _bytesReturned) is not null)
        {
            Interlocked.Exchange(ref _bytesReturned, null)?.SetResult();
        }
    }

    /// <summary>Completes when it is worth trying <see cref="TryTakeBytes"/> again.</summary>
    private Task BytesReturnedAsync(int bytes)
    {
        TaskCompletionSource? returned = Volatile.Read(ref _bytesReturned);
        if (returned is null)
        {
            var created = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            returned = Interlocked.CompareExchange(ref _bytesReturned, created, null) ?? created;
        }

        return Fits(Interlocked.Read(ref _bytes), bytes) ? Task.CompletedTask : returned.Task;
    }
}
