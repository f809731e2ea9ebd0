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
    private readonly Queue<Job> _jobs = new();
    private TimeSpan _heldUntil; // after a failure
    private long _pendingBytes;
    private bool _isFull;
    private bool _isStopping;
    private bool _hasEnded;

    public long PendingBytes => Interlocked.Read(ref _pendingBytes);

    private TimeSpan Now => options.Time.GetElapsedTime(_start);

    // Adds a save, or replaces the one of the same document that is not being written yet. The first of several refusals is newly full.
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

    // Queues a transaction behind the saves of its players so far. False: the writer is full or stops.
    public bool TryEnqueue(Job transaction)
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

    // Queues the saves so far of one player, or of all. Null: the writer has ended.
    public Job? EnqueueFlush(string? player)
    {
        lock (_gate)
        {
            return _hasEnded ? null
                : Enqueue(new Job(TakesAllReturned: player is null), player is null ? _open.Keys.ToArray() : [player]);
        }
    }

    // Takes what the loop does next. If there is nothing: how long that stays so, unless something is added.
    public Job? TakeNext(out TimeSpan wait)
    {
        wait = Timeout.InfiniteTimeSpan;
        lock (_gate)
        {
            if ((_jobs.TryDequeue(out Job? next) ? next : TakeDue(out wait)) is not { } job)
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

    // Forgets writes of a job: saves that the store has, or its transaction, however that ended.
    public void Complete(Job job, IReadOnlyCollection<PlayerWrite> writes)
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

    // Keeps what is left of a job's saves for the next try. Returns how many wait for one.
    public int Return(Job job)
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

    // Refuses further saves and transactions. False: that was done before.
    public bool TryStop()
    {
        lock (_gate)
        {
            bool isFirst = !_isStopping;
            _isStopping = true;
            return isFirst;
        }
    }

    // Ends after the loop has ended: the jobs that did not run, and how many documents were not written.
    public int End(out IReadOnlyList<Job> jobs)
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

    private Job Enqueue(Job job, IEnumerable<string> players)
    {
        foreach (string player in players)
        {
            job.Sets.Add(player, _open.Remove(player, out Saves? set) ? set : []);
        }

        _jobs.Enqueue(job);
        return job;
    }

    private Job? TakeDue(out TimeSpan wait)
    {
        TimeSpan now = Now;
        wait = _returned.Count > 0 ? _heldUntil - now : Timeout.InfiniteTimeSpan;
        var job = new Job(TakesAllReturned: _returned.Count > 0);
        while (_due.TryPeek(out (string Player, Saves Set) first, out TimeSpan dueAt))
        {
            bool isOpen = _open.GetValueOrDefault(first.Player) == first.Set; // else a flush or a transaction has taken it
            if (isOpen && (dueAt > now || _heldUntil > now))
            {
                wait = _returned.Count > 0 ? wait : (dueAt > _heldUntil ? dueAt : _heldUntil) - now;
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

    /// <summary>What the loop of a writer does at once: writes saves, and then perhaps a transaction.</summary>
    /// <param name="TakesAllReturned">Whether the job also writes what was returned of players that it does not name.</param>
    internal sealed record Job(bool TakesAllReturned = false)
    {
        /// <summary>By player: of each document the newest save. Players of a transaction are always there, also without saves.</summary>
        public Dictionary<string, Saves> Sets { get; } = new(StringComparer.Ordinal);

        /// <summary>The transaction; empty in a job without one.</summary>
        public IReadOnlyList<PlayerWrite> Writes { get; init; } = [];

        public TransactionKey? Key { get; init; }

        public TaskCompletionSource<TransactionResult>? Result { get; init; }

        /// <summary>Whether all saves were written.</summary>
        public TaskCompletionSource<bool> Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
