using Saves = System.Collections.Generic.Dictionary<PlayChat.Players.DocumentKey, PlayChat.Players.PlayerWrite>;

namespace PlayChat.Players;

/// <summary>What waits in a writer: saves by player, and the jobs that the loop does next. Thread-safe.</summary>
/// <remarks>
/// Invariants, under <see cref="_gate"/>. A player's writes are in this order, the oldest first: its returned set, its sets in the queued
/// jobs in the order of the jobs, its open set. A job gets the returned sets of its players when the loop takes it, and the loop does one
/// job at a time, so the order of the calls is the order in the store. The documents of a set are written in one transaction (by
/// <see cref="IPlayerStore.MaxWrites"/>), so their order among each other does not matter. <see cref="_pendingBytes"/> counts every write
/// from its call until the store has it.
/// </remarks>
internal sealed class WriterQueue(PlayerWriterOptions options)
{
    private const int BytesPerWrite = 200; // the objects around a key and a value, roughly

    private readonly object _gate = new();
    private readonly long _start = options.Time.GetTimestamp();
    private readonly Dictionary<string, Saves> _open = new(StringComparer.Ordinal); // takes further saves
    private readonly Dictionary<string, Saves> _returned = new(StringComparer.Ordinal); // the store failed them
    private readonly PriorityQueue<(string Player, Saves Set), TimeSpan> _due = new(); // of open sets; others are passed over
    private readonly Queue<WriterJob> _jobs = new();
    private TimeSpan _heldUntil; // after a failure
    private long _pendingBytes;
    private bool _isFull;
    private bool _isStopping;
    private bool _hasEnded;

    public long PendingBytes => Interlocked.Read(ref _pendingBytes);

    private TimeSpan Now => options.Time.GetElapsedTime(_start);

    /// <summary>Adds a save, or replaces the one of the same document that is not being written yet.</summary>
    /// <param name="write">The save.</param>
    /// <param name="isNewlyFull">Whether this is the first refusal since the last save was accepted.</param>
    public bool TrySave(PlayerWrite write, out bool isNewlyFull)
    {
        lock (_gate)
        {
            Saves? set = _open.GetValueOrDefault(write.Key.Player);
            bool isAccepted = !_isStopping && TryReserve(SizeOf(write) - SizeOf(set?.GetValueOrDefault(write.Key)));
            isNewlyFull = !isAccepted && !_isStopping && !_isFull;
            _isFull = !isAccepted;
            if (!isAccepted)
            {
                return false;
            }

            if (set is null)
            {
                _open.Add(write.Key.Player, set = []);
                _due.Enqueue((write.Key.Player, set), Now + options.SaveInterval);
            }

            set[write.Key] = write;
            return true;
        }
    }

    /// <summary>Queues a transaction behind the saves of its players so far.</summary>
    /// <returns>False if the writer is full or stops.</returns>
    public bool TryEnqueue(WriterJob transaction)
    {
        lock (_gate)
        {
            bool isAccepted = !_isStopping && TryReserve(transaction.Writes.Sum(SizeOf));
            if (isAccepted)
            {
                Enqueue(transaction, transaction.Writes.Select(static write => write.Key.Player).Distinct(StringComparer.Ordinal));
            }

            return isAccepted;
        }
    }

    /// <summary>Queues the saves so far of one player, or of all.</summary>
    /// <returns>The job; null if the writer has ended.</returns>
    public WriterJob? EnqueueFlush(string? player)
    {
        lock (_gate)
        {
            return _hasEnded ? null
                : Enqueue(new WriterJob(TakesAllReturned: player is null), player is null ? _open.Keys.ToArray() : [player]);
        }
    }

    /// <summary>Takes what the loop does next.</summary>
    /// <param name="wait">If there is nothing: how long that stays so, unless something is added.</param>
    public WriterJob? TakeNext(out TimeSpan wait)
    {
        wait = Timeout.InfiniteTimeSpan;
        lock (_gate)
        {
            if ((_jobs.TryDequeue(out WriterJob? next) ? next : TakeDue(out wait)) is not { } job)
            {
                return null;
            }

            foreach (string player in job.TakesAllReturned ? _returned.Keys.ToArray() : [.. job.Sets.Keys])
            {
                if (_returned.Remove(player, out Saves? older) && !job.Sets.TryAdd(player, older))
                {
                    // A newer save of the same document replaces the one that was returned.
                    Release(older.Values.Where(write => !job.Sets[player].TryAdd(write.Key, write)).Sum(SizeOf));
                }
            }

            return job;
        }
    }

    /// <summary>Forgets writes of a job: saves that the store has, or its transaction, however that ended.</summary>
    public void Complete(WriterJob job, IReadOnlyCollection<PlayerWrite> writes)
    {
        lock (_gate)
        {
            Release(writes.Sum(SizeOf));
            foreach (PlayerWrite write in writes == job.Writes ? [] : writes)
            {
                job.Sets[write.Key.Player].Remove(write.Key);
            }
        }
    }

    /// <summary>Keeps what is left of a job's saves for the next try.</summary>
    /// <returns>How many there are.</returns>
    public int Return(WriterJob job)
    {
        lock (_gate)
        {
            _heldUntil = Now + PlayerWriter.RetryInterval;
            foreach ((string player, Saves set) in job.Sets.Where(static entry => entry.Value.Count > 0))
            {
                _returned.Add(player, set); // the job had taken the former one
            }

            return _returned.Values.Sum(static set => set.Count);
        }
    }

    /// <summary>Refuses further saves and transactions.</summary>
    /// <returns>False if that was done before.</returns>
    public bool TryStop()
    {
        lock (_gate)
        {
            bool isFirst = !_isStopping;
            _isStopping = true;
            return isFirst;
        }
    }

    /// <summary>Ends after the loop has ended.</summary>
    /// <param name="jobs">Those that did not run.</param>
    /// <returns>How many documents were not written.</returns>
    public int End(out IReadOnlyList<WriterJob> jobs)
    {
        lock (_gate)
        {
            _hasEnded = true;
            jobs = [.. _jobs];
            Release(_pendingBytes);
            return _returned.Values.Concat(jobs.SelectMany(static job => job.Sets.Values)).Concat(_open.Values)
                .SelectMany(static set => set.Keys).Distinct().Count();
        }
    }

    private static long SizeOf(PlayerWrite? write) => write is null ? 0
        : BytesPerWrite + write.Value.Length + (2 * (write.Key.Player.Length + write.Key.Collection.Length + write.Key.Key.Length));

    private WriterJob Enqueue(WriterJob job, IEnumerable<string> players)
    {
        foreach (string player in players)
        {
            job.Sets.Add(player, _open.Remove(player, out Saves? set) ? set : []);
        }

        _jobs.Enqueue(job);
        return job;
    }

    private WriterJob? TakeDue(out TimeSpan wait)
    {
        TimeSpan now = Now;
        wait = _returned.Count > 0 ? _heldUntil - now : Timeout.InfiniteTimeSpan;
        var job = new WriterJob(TakesAllReturned: _returned.Count > 0);
        while (_due.TryPeek(out (string Player, Saves Set) first, out TimeSpan dueAt))
        {
            bool isOpen = _open.GetValueOrDefault(first.Player) == first.Set; // else a flush or a transaction has taken it
            if (isOpen && (dueAt > now || _heldUntil > now))
            {
                wait = _returned.Count > 0 ? wait : Max(dueAt, _heldUntil) - now;
                break;
            }

            _due.Dequeue();
            if (isOpen)
            {
                _open.Remove(first.Player);
                job.Sets.Add(first.Player, first.Set);
            }
        }

        return job.Sets.Count > 0 || (_returned.Count > 0 && _heldUntil <= now) ? job : null;
    }

    private bool TryReserve(long bytes)
    {
        if (_pendingBytes + bytes > options.MaxPendingBytes)
        {
            return false;
        }

        Release(-bytes);
        return true;
    }

    private void Release(long bytes)
    {
        _pendingBytes -= bytes;
        PlayerMeter.RecordPending(-bytes);
    }

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
