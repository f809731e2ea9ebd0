namespace PlayChat.Testing;

/// <summary>A clock that moves only in <see cref="Advance"/>. Thread-safe.</summary>
/// <remarks>
/// Timers fire inside <see cref="Advance"/>, on its thread, in the order of their due times, with the clock standing at
/// the due time; timers that those callbacks start fire in the same call when they fall due within it. A timer due at
/// once waits for the next call, too, <c>Advance(TimeSpan.Zero)</c> included.
/// </remarks>
public sealed class ManualTimeProvider : TimeProvider
{
    private readonly object _gate = new();
    private readonly List<ManualTimer> _pending = [];
    private readonly List<(int Count, TaskCompletionSource Reached)> _watchers = [];
    private readonly DateTimeOffset _start;
    private long _elapsedTicks;
    private long _armed;

    /// <summary>Starts the clock at 2024-01-01 00:00 UTC.</summary>
    public ManualTimeProvider()
        : this(new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.Zero))
    {
    }

    /// <summary>Starts the clock at <paramref name="start"/>.</summary>
    public ManualTimeProvider(DateTimeOffset start) => _start = start.ToUniversalTime();

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Timers that are armed and have not fired.</summary>
    public int PendingTimers
    {
        get
        {
            lock (_gate)
            {
                return _pending.Count;
            }
        }
    }

    /// <summary>How long it is until the next timer is due; 0 when one is due at once, <see langword="null"/> when none is armed.</summary>
    public TimeSpan? UntilNextTimer
    {
        get
        {
            lock (_gate)
            {
                return _pending.Count == 0 ? null
                    : TimeSpan.FromTicks(Math.Max(0, _pending.Min(static timer => timer.DueTicks) - GetTimestamp()));
            }
        }
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start.AddTicks(GetTimestamp());

    /// <inheritdoc/>
    public override long GetTimestamp() => Interlocked.Read(ref _elapsedTicks);

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock forward and fires what falls due, in order. Call it from one thread at a time.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="by"/> is negative.</exception>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        long target = GetTimestamp() + by.Ticks;
        while (TakeNextDue(target) is { } timer)
        {
            // Outside the lock: a callback may arm timers or read the clock.
            timer.Fire();
        }
        Interlocked.Exchange(ref _elapsedTicks, target);
    }

    /// <summary>
    /// Completes when at least <paramref name="count"/> timers are armed: the code under test has begun to wait, so
    /// <see cref="Advance"/> will reach it. Guard the wait with a time-out.
    /// </summary>
    public Task WaitForTimersAsync(int count = 1)
    {
        lock (_gate)
        {
            if (_pending.Count >= count)
            {
                return Task.CompletedTask;
            }
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _watchers.Add((count, reached));
            return reached.Task;
        }
    }

    /// <summary>Fires one timer, the first that is due until a time.</summary>
    /// <returns><see langword="false"/> if none is.</returns>
    internal bool FireNext(long untilTicks)
    {
        ManualTimer? timer = TakeNextDue(untilTicks);
        timer?.Fire();
        return timer is not null;
    }

    private ManualTimer? TakeNextDue(long target)
    {
        lock (_gate)
        {
            ManualTimer? next = null;
            foreach (ManualTimer timer in _pending)
            {
                if (timer.DueTicks <= target && (next is null || timer.IsBefore(next)))
                {
                    next = timer;
                }
            }
            if (next is null)
            {
                return null;
            }
            Interlocked.Exchange(ref _elapsedTicks, Math.Max(GetTimestamp(), next.DueTicks));
            if (next.PeriodTicks > 0)
            {
                next.DueTicks += next.PeriodTicks;
                next.Order = ++_armed;
            }
            else
            {
                _pending.Remove(next);
            }
            return next;
        }
    }

    private bool Arm(ManualTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        lock (_gate)
        {
            _pending.Remove(timer);
            if (timer.IsDisposed)
            {
                return false;
            }
            if (dueTime == Timeout.InfiniteTimeSpan)
            {
                return true;
            }
            timer.DueTicks = GetTimestamp() + dueTime.Ticks;
            timer.PeriodTicks = period == Timeout.InfiniteTimeSpan ? 0 : period.Ticks;
            timer.Order = ++_armed;
            _pending.Add(timer);
            foreach ((int Count, TaskCompletionSource Reached) watcher in _watchers)
            {
                if (_pending.Count >= watcher.Count)
                {
                    watcher.Reached.TrySetResult();
                }
            }
            _watchers.RemoveAll(static watcher => watcher.Reached.Task.IsCompleted);
            return true;
        }
    }

    private void Disarm(ManualTimer timer)
    {
        lock (_gate)
        {
            timer.IsDisposed = true;
            _pending.Remove(timer);
        }
    }

    private sealed class ManualTimer(ManualTimeProvider owner, TimerCallback callback, object? state) : ITimer
    {
        public long DueTicks { get; set; }

        public long PeriodTicks { get; set; }

        public long Order { get; set; }

        public bool IsDisposed { get; set; }

        public bool IsBefore(ManualTimer other) => (DueTicks, Order).CompareTo((other.DueTicks, other.Order)) < 0;

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period) => owner.Arm(this, dueTime, period);

        public void Dispose() => owner.Disarm(this);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
