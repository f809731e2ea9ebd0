using System.Threading.Channels;

namespace PlayChat.Storage.ChatLog;

/// <summary>The bounded queue of the chat log. Many writers, one reader.</summary>
/// <remarks>
/// The bound counts a record from its acceptance until every sink has it, so records in a batch that is being retried still
/// take space, and memory stays bounded however long a sink is away. The channel therefore needs no bound of its own.
/// </remarks>
internal sealed class ChatLogQueue(ChatLogOptions options, TimeProvider time)
{
    private readonly object _gate = new();
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly Channel<QueuedRecord> _channel = Channel.CreateUnbounded<QueuedRecord>(new() { SingleReader = true });

    // An event that resets itself: one slot, and writing to a full one changes nothing.
    private readonly Channel<bool> _wake = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private int _records;
    private int _peakRecords;
    private int _unread;
    private long _bytes;
    private long _accepted;
    private bool _closed;
    private volatile bool _isFull;
    private TaskCompletionSource? _halfFull; // both guarded by _gate; while somebody waits for it
    private TaskCompletionSource? _nearlyFull;

    public int Records => Volatile.Read(ref _records);

    public int PeakRecords => Volatile.Read(ref _peakRecords);

    public long Bytes => Interlocked.Read(ref _bytes);

    public long Accepted => Interlocked.Read(ref _accepted);

    /// <summary>Whether a quarter of either bound is taken.</summary>
    public bool IsQuarterFull => IsTaken(quarters: 1);

    /// <summary>Whether half of either bound is taken.</summary>
    public bool IsHalfFull => IsTaken(quarters: 2);

    /// <summary>Whether three quarters of either bound are taken: time to do something before the queue must refuse.</summary>
    public bool IsNearlyFull => IsTaken(quarters: 3);

    public int Waiting
    {
        get
        {
            lock (_gate)
            {
                return _waiters.Count;
            }
        }
    }

    private bool IsBatchDue => Volatile.Read(ref _unread) >= options.MaxBatchRecords || Volatile.Read(ref _closed) || _isFull || IsNearlyFull;

    /// <summary>Completes when <see cref="IsHalfFull"/> has become true; one that is fuller has.</summary>
    public Task WaitUntilHalfFullAsync()
    {
        lock (_gate)
        {
            return IsHalfFull ? Task.CompletedTask : (_halfFull ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Completes when <see cref="IsNearlyFull"/> has become true; one that is full has.</summary>
    public Task WaitUntilNearlyFullAsync()
    {
        lock (_gate)
        {
            return IsNearlyFull ? Task.CompletedTask : (_nearlyFull ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    public bool TryAdd(in ChatRecord record)
    {
        long bytes = QueuedRecord.EstimateBytes(in record);
        lock (_gate)
        {
            // Those who wait came first.
            if (_closed || _waiters.Count > 0 || !HasSpace(bytes))
            {
                NoteFull();
                return false;
            }
            Add(in record, bytes);
            return true;
        }
    }

    /// <returns><see langword="false"/> when the queue closed before there was space.</returns>
    public ValueTask<bool> AddAsync(in ChatRecord record, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<bool>(cancellationToken);
        }
        long bytes = QueuedRecord.EstimateBytes(in record);
        LinkedListNode<Waiter> node;
        lock (_gate)
        {
            if (_closed)
            {
                return ValueTask.FromResult(false);
            }
            if (_waiters.Count == 0 && HasSpace(bytes))
            {
                Add(in record, bytes);
                return ValueTask.FromResult(true);
            }
            NoteFull();
            node = _waiters.AddLast(new Waiter(record, bytes));
        }
        return new ValueTask<bool>(WaitAsync(node, cancellationToken));
    }

    /// <summary>Waits for a first record. False when the queue is closed and empty.</summary>
    public ValueTask<bool> WaitToReadAsync() => _channel.Reader.WaitToReadAsync();

    /// <summary>Waits until a batch is full, its oldest record has waited for the flush interval, or the queue is full or closed.</summary>
    /// <param name="timer">Its callback is <see cref="Wake"/>. Not running on return.</param>
    public async ValueTask WaitForBatchAsync(ITimer timer)
    {
        // Forget what woke the last wait; everything that matters is looked at again below.
        _wake.Reader.TryRead(out _);
        if (!_channel.Reader.TryPeek(out QueuedRecord oldest))
        {
            return;
        }
        TimeSpan left = options.FlushInterval - time.GetElapsedTime(oldest.AcceptedTimestamp);
        if (left <= TimeSpan.Zero || IsBatchDue)
        {
            return;
        }
        timer.Change(left, Timeout.InfiniteTimeSpan);
        // The clock is looked at again after arming: it may have moved between the two.
        if (!IsBatchDue && time.GetElapsedTime(oldest.AcceptedTimestamp) < options.FlushInterval)
        {
            await _wake.Reader.ReadAsync().ConfigureAwait(false);
        }
        timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Wake() => _wake.Writer.TryWrite(true);

    /// <summary>Takes the next batch; null when nothing is queued.</summary>
    /// <param name="sinks">How many sinks will get it.</param>
    public ChatLogBatch? TakeBatch(int sinks)
    {
        _isFull = false;
        // Counted before they are read: a record is in the channel before it counts as unread.
        int most = Math.Min(Volatile.Read(ref _unread), options.MaxBatchRecords);
        if (most == 0 || !_channel.Reader.TryPeek(out QueuedRecord next))
        {
            return null;
        }
        var records = new List<ChatRecord>(most);
        long bytes = 0;
        long oldest = next.AcceptedTimestamp;
        do
        {
            _channel.Reader.TryRead(out _);
            records.Add(next.Record);
            bytes += next.Bytes;
        }
        while (records.Count < most && _channel.Reader.TryPeek(out next) && bytes + next.Bytes <= options.MaxBatchBytes);
        Interlocked.Add(ref _unread, -records.Count);
        return new ChatLogBatch(records, bytes, oldest, sinks);
    }

    /// <summary>Gives back the space of a batch that has left the writer.</summary>
    public void Release(ChatLogBatch batch)
    {
        lock (_gate)
        {
            _records -= batch.Records.Count;
            _bytes -= batch.Bytes;
            while (_waiters.First is { } first && HasSpace(first.Value.Bytes))
            {
                _waiters.RemoveFirst();
                Add(in first.Value.Record, first.Value.Bytes);
                first.Value.Result.TrySetResult(true);
            }
        }
    }

    /// <summary>Takes nothing more. What was accepted can still be read, and so can what waited for space.</summary>
    public void Close()
    {
        lock (_gate)
        {
            // What waits is in memory already, so the bound has nothing to save; refused, it would be lost although it came in time.
            foreach (Waiter waiter in _waiters)
            {
                Add(in waiter.Record, waiter.Bytes);
                waiter.Result.TrySetResult(true);
            }
            _waiters.Clear();
            _closed = true;
            _channel.Writer.TryComplete();
        }
        Wake();
    }

    private bool IsTaken(int quarters) => Records * 4L >= options.MaxQueuedRecords * (long)quarters || Bytes * 4 >= options.MaxQueuedBytes * quarters;

    // A record larger than the whole bound passes when it is alone: refused, it would wait for ever.
    private bool HasSpace(long bytes) => _records == 0 || (_records < options.MaxQueuedRecords && _bytes + bytes <= options.MaxQueuedBytes);

    // With no space for another record, nothing is gained by waiting for the batch to fill.
    private void NoteFull()
    {
        if (!_isFull)
        {
            _isFull = true;
            Wake();
        }
    }

    private void Add(in ChatRecord record, long bytes)
    {
        _records++;
        _bytes += bytes;
        _accepted++;
        _peakRecords = Math.Max(_peakRecords, _records);
        _channel.Writer.TryWrite(new QueuedRecord(record, time.GetTimestamp(), bytes));
        if (_halfFull is not null && IsHalfFull)
        {
            _halfFull.SetResult();
            _halfFull = null;
        }
        if (_nearlyFull is not null && IsNearlyFull)
        {
            _nearlyFull.SetResult();
            _nearlyFull = null;
            Wake();
        }
        if (Interlocked.Increment(ref _unread) == options.MaxBatchRecords)
        {
            Wake();
        }
    }

    private async Task<bool> WaitAsync(LinkedListNode<Waiter> node, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            static (state, token) =>
            {
                var (queue, waiting) = ((ChatLogQueue, LinkedListNode<Waiter>))state!;
                queue.Cancel(waiting, token);
            },
            (this, node));
        return await node.Value.Result.Task.ConfigureAwait(false);
    }

    private void Cancel(LinkedListNode<Waiter> node, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            // No list: it was accepted or refused just before.
            if (node.List is not null)
            {
                _waiters.Remove(node);
                node.Value.Result.TrySetCanceled(cancellationToken);
            }
        }
    }

    private sealed class Waiter(ChatRecord record, long bytes)
    {
        public readonly ChatRecord Record = record;

        public long Bytes { get; } = bytes;

        public TaskCompletionSource<bool> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
