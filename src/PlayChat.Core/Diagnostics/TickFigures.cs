namespace PlayChat.Core.Diagnostics;

/// <summary>How late the rooms' ticks run. Thread-safe.</summary>
internal sealed class TickFigures(TimeProvider time)
{
    // As MeterWindow: all instruments of an interval report one of at least 10 s.
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(10);

    private readonly StripedLatency _drift = new();
    private readonly object _gate = new();
    private LatencyBuckets _earlier = new(); // guarded by _gate, like the next
    private long _readTimestamp;
    private LatencyBuckets? _window;

    internal void Record(long driftNanoseconds) => _drift.Record(driftNanoseconds);

    /// <summary>The drift of all ticks since the start, as an instance that the caller owns.</summary>
    internal LatencyBuckets ReadAll() => _drift.Snapshot();

    /// <summary>The drift between the two latest readings at least 10 s apart, the same for every reader; at first all there was.</summary>
    /// <returns>Never changed again.</returns>
    internal LatencyBuckets Read()
    {
        lock (_gate)
        {
            if (_window is null || time.GetElapsedTime(_readTimestamp) >= s_shortest)
            {
                LatencyBuckets all = _drift.Snapshot();
                var window = new LatencyBuckets();
                window.Add(all);
                window.Subtract(_earlier);
                _window = window;
                _earlier = all;
                _readTimestamp = time.GetTimestamp();
            }

            return _window;
        }
    }
}
