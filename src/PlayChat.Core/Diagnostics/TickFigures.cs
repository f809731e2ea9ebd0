namespace PlayChat.Core.Diagnostics;

/// <summary>How late the rooms' ticks run. Thread-safe.</summary>
internal sealed class TickFigures(TimeProvider time)
{
    // 10 s: the interval of the KPI table.
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(10);

    private readonly LatencyRecorder _drift = new();
    private readonly object _gate = new();
    private LatencyHistogram _earlier = new(); // guarded by _gate, like the next
    private long _readTimestamp;
    private LatencySummary? _window;

    internal void Record(long driftNanoseconds) => _drift.Record(driftNanoseconds);

    /// <summary>The drift between the two latest readings at least 10 s apart, the same for every reader; at first all there was.</summary>
    internal LatencySummary Read()
    {
        lock (_gate)
        {
            if (_window is null || time.GetElapsedTime(_readTimestamp) >= s_shortest)
            {
                LatencyHistogram all = _drift.Snapshot();
                var window = new LatencyHistogram();
                window.Add(all);
                window.Subtract(_earlier);
                _window = window.Summarize();
                _earlier = all;
                _readTimestamp = time.GetTimestamp();
            }

            return _window;
        }
    }
}
