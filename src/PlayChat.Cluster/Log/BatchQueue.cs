namespace PlayChat.Cluster.Log;

/// <summary>The records of this node that are not safe in the log of one shard yet, as numbered batches in their order.</summary>
/// <remarks>
/// <para>Thread-safe; one loop of the engine takes batches. A batch leaves the queue when the engine confirms it, so after a broken
/// connection the engine calls <see cref="Rewind"/> and sends the same batches again, under the same numbers. Readers drop a batch that
/// arrives twice.</para>
/// <para>Every lock is held for copying one record or less.</para>
/// </remarks>
public sealed class BatchQueue
{
    private const int RememberedTimes = 1024; // a power of two

    private readonly object _gate = new();
    private readonly Queue<BatchBuffer> _waiting = new(); // to be taken; the last may be open
    private readonly Queue<BatchBuffer> _unconfirmed = new(); // taken, in the order of their numbers
    private readonly Stack<BatchBuffer> _spare = new();
    private readonly long[] _times = new long[RememberedTimes]; // by number: when its first record came
    private readonly RecordOrigin _origin;
    private readonly BackplaneOptions _options;
    private readonly PendingBudget _budget;
    private readonly TimeProvider _time;
    private BatchBuffer? _open; // the last of _waiting, while it takes records
    private long _lastNumber;
    private long _readBack;
    private int _readers;
    private bool _isClosed;

    internal BatchQueue(RecordOrigin origin, BackplaneOptions options, PendingBudget budget, TimeProvider time)
    {
        _origin = origin;
        _options = options;
        _budget = budget;
        _time = time;
    }

    /// <summary>How many batches were taken and are not confirmed.</summary>
    public int Unconfirmed
    {
        get
        {
            lock (_gate)
            {
                return _unconfirmed.Count;
            }
        }
    }

    /// <summary>Takes the next batch for the log.</summary>
    /// <param name="epoch">The epoch of the log that it goes to.</param>
    /// <param name="batch">The batch.</param>
    /// <returns><see langword="false"/> if nothing waits, or <see cref="BackplaneOptions.MaxUnconfirmed"/> are unconfirmed.</returns>
    public bool TryTake(uint epoch, out PendingBatch batch)
    {
        lock (_gate)
        {
            if (_unconfirmed.Count >= _options.MaxUnconfirmed || !_waiting.TryDequeue(out BatchBuffer? next))
            {
                batch = default;
                return false;
            }

            if (next == _open)
            {
                _open = null;
            }

            if (next.Number == 0)
            {
                next.Number = ++_lastNumber;
                _times[next.Number % RememberedTimes] = next.Timestamp;
            }

            next.WriteHeader(_origin, epoch);
            _unconfirmed.Enqueue(next);
            batch = new PendingBatch(next.Number, next.Memory);
            return true;
        }
    }

    /// <summary>Confirms a batch: the log holds it, and the queue reuses its memory.</summary>
    /// <param name="number">The batch. Unknown and earlier numbers are ignored.</param>
    /// <param name="multiple">Whether all batches up to this one are confirmed, too.</param>
    public void Confirm(long number, bool multiple)
    {
        lock (_gate)
        {
            foreach (BatchBuffer batch in _unconfirmed)
            {
                if (batch.Number > number)
                {
                    break;
                }

                batch.IsConfirmed |= multiple || batch.Number == number;
            }

            while (_unconfirmed.TryPeek(out BatchBuffer? oldest) && oldest.IsConfirmed)
            {
                Recycle(_unconfirmed.Dequeue());
            }
        }
    }

    /// <summary>Puts the unconfirmed batches back to the front: the connection that carried them is gone.</summary>
    /// <returns>How many will be taken again.</returns>
    public int Rewind()
    {
        lock (_gate)
        {
            int again = _unconfirmed.Count(static batch => !batch.IsConfirmed);
            BatchBuffer[] later = [.. _waiting];
            _waiting.Clear();
            while (_unconfirmed.TryDequeue(out BatchBuffer? batch))
            {
                if (batch.IsConfirmed)
                {
                    Recycle(batch);
                }
                else
                {
                    _waiting.Enqueue(batch);
                }
            }

            foreach (BatchBuffer batch in later)
            {
                _waiting.Enqueue(batch);
            }

            return again;
        }
    }

    /// <param name="record">The record, whose body is copied.</param>
    /// <param name="opened">Whether the engine must be woken: the record is the first of a batch.</param>
    internal PublishResult Add(in RoomRecord record, out bool opened)
    {
        opened = false;
        if (record.Body.Length > _options.MaxBodyBytes)
        {
            return PublishResult.TooLarge;
        }

        int bytes = RecordBatch.RecordHeaderBytes + record.Body.Length;
        if (!_budget.TryTake(bytes))
        {
            return PublishResult.Full;
        }

        lock (_gate)
        {
            if (_isClosed)
            {
                _budget.Return(bytes);
                return PublishResult.Unavailable;
            }

            if (_open is null || _open.Count == LogPosition.MaxBatchRecords || _open.Length + bytes > _options.BatchBytes)
            {
                _open = _spare.TryPop(out BatchBuffer? spare) ? spare : new BatchBuffer();
                _open.Begin(_time.GetTimestamp());
                _waiting.Enqueue(_open);
                opened = true;
            }

            _open.Add(in record);
            return PublishResult.Accepted;
        }
    }

    /// <summary>Notes that this node's reader has read a batch of this queue.</summary>
    /// <returns>When its first record came; <see langword="null"/> when that is no longer known.</returns>
    internal long? ReadBack(long number)
    {
        lock (_gate)
        {
            if (number <= _readBack || number > _lastNumber)
            {
                return null;
            }

            _readBack = number;
            return _lastNumber - number < RememberedTimes ? _times[number % RememberedTimes] : null;
        }
    }

    /// <summary>Notes that a reader of this node follows the shard. Its first greeting shows how far it has read.</summary>
    internal void AddReader()
    {
        lock (_gate)
        {
            _readers++;
        }
    }

    internal void RemoveReader()
    {
        lock (_gate)
        {
            _readers--;
        }
    }

    /// <summary>Notes that this node has read its own greeting. Batches that were confirmed before the greeting was sent need no reading
    /// back.</summary>
    internal void Greeted()
    {
        lock (_gate)
        {
            // Batches that a broken connection left behind are sent after the greeting.
            long before = _lastNumber;
            if (_unconfirmed.TryPeek(out BatchBuffer? oldest) || _waiting.TryPeek(out oldest))
            {
                before = oldest.Number > 0 ? oldest.Number - 1 : _lastNumber;
            }

            _readBack = Math.Max(_readBack, before);
        }
    }

    /// <summary>Notes that this node's reader has missed batches. Those that were taken so far may be among them, so they need no reading
    /// back.</summary>
    internal void Missed()
    {
        lock (_gate)
        {
            _readBack = _lastNumber;
        }
    }

    /// <summary>
    /// The time of the oldest record that is not safe yet: the log has not confirmed it, or this node's reader, if there is one, has not
    /// read it. <see langword="null"/> when there is none.
    /// </summary>
    internal long? OldestTimestamp()
    {
        lock (_gate)
        {
            if (_readers > 0 && _readBack < _lastNumber)
            {
                return _times[Math.Max(_readBack + 1, _lastNumber - RememberedTimes + 1) % RememberedTimes];
            }

            return _unconfirmed.TryPeek(out BatchBuffer? oldest) || _waiting.TryPeek(out oldest) ? oldest.Timestamp : null;
        }
    }

    /// <summary>Refuses further records and drops those that wait.</summary>
    internal void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _open = null;
            foreach (BatchBuffer batch in _waiting)
            {
                // The engine may still send the unconfirmed ones, so their memory is left to the collector.
                _budget.Return(batch.Length - RecordBatch.HeaderBytes);
                batch.Return();
            }

            _waiting.Clear();
            while (_spare.TryPop(out BatchBuffer? spare))
            {
                spare.Return();
            }
        }
    }

    private void Recycle(BatchBuffer batch)
    {
        _budget.Return(batch.Length - RecordBatch.HeaderBytes);
        if (_isClosed || _spare.Count >= _options.MaxUnconfirmed)
        {
            batch.Return();
        }
        else
        {
            _spare.Push(batch);
        }
    }
}
