namespace PlayChat.Simulation;

/// <summary>The only clock of a world. It moves to the next event when nothing is ready to run.</summary>
/// <remarks>Times are multiples of a millisecond, so that events fall due together and the seed decides their order.</remarks>
internal sealed class SimulatedClock : TimeProvider
{
    private readonly PriorityQueue<IThreadPoolWorkItem, (long Due, long Order)> _events = new();
    private long _now = TimeSpan.TicksPerHour; // a clock that has run before the server starts
    private long _order;
    private TimeSpan _wall;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Whether a timer that is due fires. For broken variants.</summary>
    internal Func<bool>? Filter { get; set; }

    internal TimeSpan Elapsed => TimeSpan.FromTicks(_now - TimeSpan.TicksPerHour);

    public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.Zero).AddTicks(_now) + _wall;

    public override long GetTimestamp() => _now;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new SimulatedTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Runs an action after a time.</summary>
    internal void After(TimeSpan delay, Action action) => Add(new WorkItem(action), delay);

    internal void After(TimeSpan delay, IThreadPoolWorkItem item) => Add(item, delay);

    /// <summary>Lets time pass without any event, as on a machine that was suspended: whatever is due meanwhile is late.</summary>
    internal void Suspend(TimeSpan time) => _now += time.Ticks;

    /// <summary>Steps the clock on the wall, on which no deadline may depend.</summary>
    internal void StepWall(TimeSpan by) => _wall += by;

    /// <summary>Moves to the next time at which something is due.</summary>
    /// <param name="queue">Takes what is due then.</param>
    /// <returns><see langword="false"/> if nothing will ever be due.</returns>
    internal bool MoveOn(Action<IThreadPoolWorkItem> queue)
    {
        if (!_events.TryPeek(out _, out (long Due, long Order) next))
        {
            return false;
        }

        _now = Math.Max(_now, next.Due);
        while (_events.TryPeek(out IThreadPoolWorkItem? item, out next) && next.Due <= _now)
        {
            _events.Dequeue();
            if (item is not Firing firing || (!firing.IsStale && Filter?.Invoke() != false))
            {
                queue(item);
            }
        }

        return true;
    }

    private void Add(IThreadPoolWorkItem item, TimeSpan delay)
    {
        long due = _now + Math.Max(0, delay.Ticks);
        due = (due + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond * TimeSpan.TicksPerMillisecond;
        _events.Enqueue(item, (due, ++_order));
    }

    /// <summary>One setting of a timer. Like the system's, it may call back although the timer is changed or disposed.</summary>
    private sealed class Firing(SimulatedTimer timer, int version) : IThreadPoolWorkItem
    {
        internal bool IsStale => timer.Version != version;

        public void Execute() => timer.Fire(version);
    }

    private sealed class SimulatedTimer(SimulatedClock clock, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;
        private bool _isDisposed;

        internal int Version { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Version++;
            _period = period;
            if (_isDisposed || dueTime == Timeout.InfiniteTimeSpan)
            {
                return !_isDisposed;
            }

            clock.Add(new Firing(this, Version), dueTime);
            return true;
        }

        public void Dispose()
        {
            Version++;
            _isDisposed = true;
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        internal void Fire(int version)
        {
            if (version == Version && _period > TimeSpan.Zero)
            {
                clock.Add(new Firing(this, Version), _period);
            }

            callback(state);
        }
    }
}
