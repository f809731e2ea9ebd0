namespace PlayChat.Kpi;

/// <summary>Takes snapshots of a server's figures. Any two snapshots of one collector make a <see cref="KpiInterval"/>.</summary>
/// <remarks>Thread-safe. Several collectors of one server do not disturb each other.</remarks>
/// <param name="metrics">The server's counters, for example those of <c>PlayChatServer.Metrics</c>.</param>
/// <param name="extras">The program's own figures, if there are any.</param>
public sealed class KpiCollector(ServerMetrics metrics, KpiExtras? extras = null)
{
    private readonly object _gate = new();
    private readonly KpiExtras _extras = extras ?? new KpiExtras();
    private MetricsReading? _latest; // guarded by _gate, like the next
    private PeakMark? _mark;

    /// <summary>Reads everything: totals since the start, present values, the process's figures.</summary>
    /// <remarks>Takes some tenths of a millisecond and 100 KB, so it is meant for once a second or less.</remarks>
    public KpiSnapshot Snapshot()
    {
        // Outside of the lock: the functions are the program's own.
        KpiExtra[] added = _extras.Read();

        // One at a time, so that marks, times and totals rise together and any two snapshots make an interval.
        lock (_gate)
        {
            MetricsReading reading = metrics.ReadAll(_latest);
            var peaks = new Peaks(
                reading.Get(KpiInstruments.QueuePeak), reading.Get(KpiInstruments.SendBufferPeak), reading.Get(KpiInstruments.PoolPeak));
            _mark = _mark is null ? new PeakMark(0, peaks, []) : _mark.Next(peaks, Peaks.Max(_mark.SinceStart, peaks));
            _latest = reading;
            return new KpiSnapshot(
                this,
                KpiInstruments.ReadTotals(reading),
                Array.ConvertAll(Enum.GetValues<CloseReason>(), reading.GetCloses),
                new LatencyHistogram(reading),
                _mark,
                WithTicks(added, reading))
            {
                Timestamp = reading.Timestamp,
                Elapsed = reading.Elapsed,
                SendBuffersInUse = reading.Get(KpiInstruments.SendBuffersInUse),
                PoolInUse = reading.Get(KpiInstruments.PoolInUse),
                Process = ProcessFigures.Read(),
            };
        }
    }

    // A server whose rooms never tick does not show these figures. A figure of the program that has one of the names keeps it.
    private static KpiExtra[] WithTicks(KpiExtra[] added, MetricsReading reading)
    {
        if (reading.TickDriftP99 is not { } drift)
        {
            return added;
        }

        KpiExtra[] ticks =
        [
            new KpiExtra("room ticks", "ticks", reading.Get(KpiInstruments.RoomTicks), IsTotal: true),
            new KpiExtra("ticks missed", "ticks", reading.Get(KpiInstruments.RoomTicksMissed), IsTotal: true),
            new KpiExtra("tick drift p99 us", "µs", drift.TotalMicroseconds, IsTotal: false),
        ];
        return [.. added, .. ticks.Where(tick => !Array.Exists(added, extra => extra.Key == tick.Key))];
    }
}
