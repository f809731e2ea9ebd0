namespace PlayChat.Core.Diagnostics;

/// <summary>What the instruments that tell of an interval tell of: the time between the two latest readings at least 10 s apart.</summary>
/// <remarks>Thread-safe. Any number of collectors, however often they collect, see the same values and cost one snapshot in 10 s.</remarks>
internal sealed class MeterWindow(ServerMetrics metrics)
{
    // 10 s: the interval of the KPI table.
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private KpiSnapshot? _latest;
    private KpiInterval? _window;

    internal KpiInterval Read()
    {
        lock (_gate)
        {
            if (_latest is null || metrics.Elapsed - _latest.Elapsed >= s_shortest)
            {
                KpiSnapshot snapshot = metrics.Snapshot();
                _window = KpiInterval.Between(_latest ?? snapshot, snapshot);
                _latest = snapshot;
            }

            return _window!;
        }
    }
}
