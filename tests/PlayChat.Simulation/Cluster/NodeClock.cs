namespace PlayChat.Simulation.Cluster;

/// <summary>The clock of a node: the world's, with a time of day of its own, and with timers that fire in the node's process.</summary>
internal sealed class NodeClock(SimulatedClock clock, NodeProcess process) : TimeProvider
{
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => clock.TimestampFrequency;

    /// <summary>By how much the time of day is wrong.</summary>
    internal TimeSpan Skew { get; set; }

    public override DateTimeOffset GetUtcNow() => clock.GetUtcNow() + Skew;

    public override long GetTimestamp() => clock.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new NodeTimer(clock, process, callback, state, dueTime, period);

    private sealed class NodeTimer : ITimer, IThreadPoolWorkItem
    {
        private readonly NodeProcess _process;
        private readonly TimerCallback _callback;
        private readonly object? _state;
        private readonly ITimer _timer;
        private bool _isHeld;
        private bool _isDisposed;

        internal NodeTimer(
            SimulatedClock clock, NodeProcess process, TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            (_process, _callback, _state) = (process, callback, state);
            _timer = clock.CreateTimer(static self => ((NodeTimer)self!).Fire(), this, dueTime, period);
        }

        public void Execute()
        {
            _isHeld = false;
            if (!_isDisposed)
            {
                Fire();
            }
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => _timer.Change(dueTime, period);

        public void Dispose()
        {
            _isDisposed = true;
            _timer.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        private void Fire()
        {
            if (!_process.IsFrozen)
            {
                if (!_process.IsDead)
                {
                    _callback(_state);
                }
            }
            else if (!_isHeld)
            {
                _isHeld = true; // a timer that has fired several times meanwhile fires once
                _process.Enqueue(this);
            }
        }
    }
}
