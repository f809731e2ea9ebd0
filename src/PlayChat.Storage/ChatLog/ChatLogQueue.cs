using System.Threading.Channels;

namespace PlayChat.Storage.ChatLog;

/// <summary>The bounded queue of the chat log. Many writers, one reader.</summary>
/// <remarks>
/// The bound counts a record from its acceptance until every sink has it. Records in a batch that the writer retries still take space, so
/// memory stays bounded however long a sink is away, and the channel needs no bound of its own.
/// </remarks>
internal sealed class ChatLogQueue(ChatLogOptions options, TimeProvider time)
{
    private readonly object _gate = new();
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly Channel<QueuedRecord> _channel = Channel.CreateUnbounded<QueuedRecord>(new() { SingleReader = true });

    // An auto-reset event: one slot, and a write to a full one changes nothing.
    private readonly Channel<bool> _wake =
        Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private int _records;
    private int _peakRecords;
    private int _unread;
    private long _bytes;
    private long _accepted;
    private bool _closed;
    private volatile bool _isFull;
    private TaskCompletionSource? _halfFull; // this and the next are guarded by _gate; null while no pump waits
    private TaskCompletionSource? _nearlyFull;

    public int Records => Volatile.Read(ref _records);

    public int PeakRecords => Volatile.Read(ref _peakRecords);

    public long Bytes => Interlocked.Read(ref _bytes);

    public long Accepted => Interlocked.Read(ref _accepted);

    /// <summary>Whether a quarter of either bound is taken.</summary>
    public bool IsQuarterFull => IsTaken(quarters: 1);

    /// <summary>Whether half of either bound is taken.</summary>
    public bool IsHalfFull => IsTaken(quarters: 2);

    /// <summary>Whether three quarters of either bound are taken. The queue will soon refuse records.</summary>
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

    private bool IsBatchDue =>
        Volatile.Read(ref _unread) >= options.BatchRecords || Volatile.Read(ref _closed) || _isFull || IsNearlyFull;

    /// <summary>Completes when <see cref="IsHalfFull"/> is true, at once when it is already.</summary>
    public Task WaitUntilHalfFullAsync()
    {
        lock (_gate)
        {
            return IsHalfFull ? Task.CompletedTask : (_halfFull ??= NewEvent()).Task;
        }
    }

    /// <summary>Completes when <see cref="IsNearlyFull"/> is true, at once when it is already.</summary>
    public Task WaitUntilNearlyFullAsync()
    {
        lock (_gate)
        {
            return IsNearlyFull ? Task.CompletedTask : (_nearlyFull ??= NewEvent()).Task;
        }
    }

    public bool TryAdd(in ChatRecord record)
    {
        long bytes = QueuedRecord.EstimateBytes(in record);
        lock (_gate)
        {
            // Waiting senders came first.
            if (_closed || _waiters.Count > 0 || !HasSpace(bytes))
            {
                NoteFull();
                return false;
            }
            Add(in record, bytes, StorageTracing.Current());
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
                Add(in record, bytes, StorageTracing.Current());
                return ValueTask.FromResult(true);
            }
            NoteFull();
            node = _waiters.AddLast(new Waiter(record, bytes, StorageTracing.Current()));
        }
        return new ValueTask<bool>(WaitAsync(node, cancellationToken));
    }

    /// <summary>Waits for a first record. False when the queue is closed and empty.</summary>
    public ValueTask<bool> WaitToReadAsync() => _channel.Reader.WaitToReadAsync();

    /// <summary>Waits until a batch is full, its oldest record has waited for the flush interval, or the queue is full or closed.</summary>
    /// <param name="timer">Its callback is <see cref="Wake"/>. Not running on return.</param>
    public async ValueTask WaitForBatchAsync(ITimer timer)
    {
        // A wake-up from before this call says nothing new: the code below checks every condition again.
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
        // Checks the clock again: it may have moved before the timer was armed.
        if (!IsBatchDue && time.GetElapsedTime(oldest.AcceptedTimestamp) < options.FlushInterval)
        {
            await _wake.Reader.ReadAsync().ConfigureAwait(false);
        }
        timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Wake() => _wake.Writer.TryWrite(true);

    /// <summary>Takes the next batch; null when the queue is empty.</summary>
    /// <param name="sinks">How many sinks will get the batch.</param>
    public ChatLogBatch? TakeBatch(int sinks)
    {
        _isFull = false;
        // Reads no more than that: a record is in the channel before it counts as unread.
        int most = Math.Min(Volatile.Read(ref _unread), options.BatchRecords);
        if (most == 0 || !_channel.Reader.TryPeek(out QueuedRecord next))
        {
            return null;
        }
        var records = new List<ChatRecord>(most);
        long bytes = 0;
        List<RecordTrace>? traces = null;
        do
        {
            _channel.Reader.TryRead(out _);
            records.Add(next.Record);
            bytes += next.Bytes;
            if (next.Trace is { } trace)
            {
                (traces ??= []).Add(trace);
            }
        }
        while (records.Count < most && _channel.Reader.TryPeek(out next) && bytes + next.Bytes <= options.MaxBatchBytes);
        Interlocked.Add(ref _unread, -records.Count);
        return new ChatLogBatch(records, bytes, sinks, traces);
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
                Add(in first.Value.Record, first.Value.Bytes, first.Value.Trace);
                first.Value.Result.TrySetResult(true);
            }
        }
    }

    /// <summary>Refuses new records. The accepted ones can still be read, and so can those that waited for space.</summary>
    public void Close()
    {
        lock (_gate)
        {
            // The waiting records are in memory already, so the bound would save nothing, and they came in time.
            foreach (Waiter waiter in _waiters)
            {
                Add(in waiter.Record, waiter.Bytes, waiter.Trace);
                waiter.Result.TrySetResult(true);
            }
            _waiters.Clear();
            _closed = true;
            _channel.Writer.TryComplete();
        }
        Wake();
    }

    private static TaskCompletionSource NewEvent() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private bool IsTaken(int quarters) =>
        Records * 4L >= options.QueueRecords * (long)quarters || Bytes * 4 >= options.QueueBytes * quarters;

    // A record that is larger than the whole bound passes when it is alone. Otherwise it would wait without end.
    private bool HasSpace(long bytes) => _records == 0 || (_records < options.QueueRecords && _bytes + bytes <= options.QueueBytes);

    // Without space for another record, the batch cannot fill, so the reader need not wait for that.
    private void NoteFull()
    {
        if (!_isFull)
        {
            _isFull = true;
            Wake();
        }
    }

    private void Add(in ChatRecord record, long bytes, RecordTrace? trace)
    {
        _records++;
        _bytes += bytes;
        _accepted++;
        _peakRecords = Math.Max(_peakRecords, _records);
        _channel.Writer.TryWrite(new QueuedRecord(record, time.GetTimestamp(), bytes, trace));
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
        if (Interlocked.Increment(ref _unread) == options.BatchRecords)
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
            // Without a list, the record was accepted or refused just before.
            if (node.List is not null)
            {
                _waiters.Remove(node);
                node.Value.Result.TrySetCanceled(cancellationToken);
            }
        }
    }

    private sealed class Waiter(ChatRecord record, long bytes, RecordTrace? trace)
    {
        public readonly ChatRecord Record = record;

        public long Bytes { get; } = bytes;

        public RecordTrace? Trace { get; } = trace;

        public TaskCompletionSource<bool> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
