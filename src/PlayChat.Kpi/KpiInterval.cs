namespace PlayChat.Kpi;

/// <summary>What happened between two snapshots: rates, peaks and latency of just that time. Immutable.</summary>
/// <remarks>
/// Rates are differences of the snapshots' totals, whose documentation defines them, divided by <see cref="Duration"/>; in an
/// interval of no length they are 0. Peaks are those of the interval as long as fewer than 512 snapshots were taken in it, else
/// those since the server's start.
/// </remarks>
public sealed class KpiInterval
{
    private readonly Peaks _peaks;
    private readonly double _seconds;

    private KpiInterval(KpiSnapshot earlier, KpiSnapshot later)
    {
        Earlier = earlier;
        Later = later;
        Duration = later.Elapsed - earlier.Elapsed;
        _seconds = Duration.TotalSeconds;
        _peaks = later.Mark.Since(earlier.Mark);
        Extras = later.Extras.Select(extra => Growth(extra, earlier)).ToArray();

        var latency = new LatencyHistogram();
        latency.Add(later.Histogram);
        latency.Subtract(earlier.Histogram);
        Latency = latency.Summarize();
    }

    /// <summary>The state at its beginning.</summary>
    public KpiSnapshot Earlier { get; }

    /// <summary>The state at its end.</summary>
    public KpiSnapshot Later { get; }

    /// <summary>How long it was, by the monotonic clock.</summary>
    public TimeSpan Duration { get; }

    /// <summary>Latency in the interval: from receipt of a frame to the hand-over of what it caused to the sockets.</summary>
    public LatencySummary Latency { get; }

    /// <summary>The figures added from outside: the growth of totals, the later value of the others.</summary>
    public IReadOnlyList<KpiExtra> Extras { get; }

    /// <summary>Receive operations that moved bytes, per second (<c>io r/s</c>).</summary>
    public double ReceivesPerSecond => Rate(static s => s.Receives);

    /// <summary>Send operations that moved bytes, per second (<c>io s/s</c>).</summary>
    public double SendsPerSecond => Rate(static s => s.Sends);

    /// <summary>Frames received per second (<c>app in/s</c>).</summary>
    public double FramesReceivedPerSecond => Rate(static s => s.FramesReceived);

    /// <summary>Frames sent per second, deliveries included (<c>app out/s</c>).</summary>
    public double FramesSentPerSecond => Rate(static s => s.FramesSent);

    /// <summary>Bytes received per second (<c>bytes r/s</c>).</summary>
    public double BytesReceivedPerSecond => Rate(static s => s.BytesReceived);

    /// <summary>Bytes sent per second (<c>bytes s/s</c>).</summary>
    public double BytesSentPerSecond => Rate(static s => s.BytesSent);

    /// <summary>Deliveries of broadcasts per second (<c>bc-deliv/s</c>).</summary>
    public double DeliveriesPerSecond => Rate(static s => s.Deliveries);

    /// <summary>Deliveries per I/O: deliveries divided by send operations; 0 when nothing was sent.</summary>
    public double DeliveriesPerSend => Ratio(Growth(static s => s.Deliveries), Growth(static s => s.Sends), otherwise: 0);

    /// <summary>Items posted to rooms per second (<c>job e/s</c>).</summary>
    public double JobsEnqueuedPerSecond => Rate(static s => s.JobsEnqueued);

    /// <summary>Items executed by rooms per second (<c>job x/s</c>).</summary>
    public double JobsExecutedPerSecond => Rate(static s => s.JobsExecuted);

    /// <summary>The deepest that any one room's queue was when an item was put in it (<c>jobs q-peak</c>).</summary>
    public long QueuePeak => _peaks.QueueDepth;

    /// <summary>The most pooled segments that waited in outbound queues at one time (<c>sendbuf peak</c>).</summary>
    public long SendBuffersPeak => _peaks.SendBuffers;

    /// <summary>Segments put in outbound queues, per second (<c>sendbuf push/s</c>).</summary>
    public double SendBufferPushesPerSecond => Rate(static s => s.SendBufferPushes);

    /// <summary>Segments that left outbound queues, per second (<c>sendbuf pop/s</c>).</summary>
    public double SendBufferPopsPerSecond => Rate(static s => s.SendBufferPops);

    /// <summary>
    /// The most pooled buffers rented at one time (<c>mpool peak</c>): exact when it was the most since the start, else the highest
    /// value at any snapshot of the interval.
    /// </summary>
    public long PoolPeak => _peaks.PoolBuffers;

    /// <summary>Buffers rented per second (<c>mpool alloc/s</c>).</summary>
    public double PoolRentsPerSecond => Rate(static s => s.PoolRents);

    /// <summary>Buffers returned per second (<c>mpool free/s</c>).</summary>
    public double PoolReturnsPerSecond => Rate(static s => s.PoolReturns);

    /// <summary>Rents served without new memory, in percent of all (<c>mpool reuse%</c>); 100 when nothing was rented.</summary>
    public double PoolReusePercent => 100 * Ratio(Growth(static s => s.PoolReuses), Growth(static s => s.PoolRents), otherwise: 1);

    /// <summary>Processor time used.</summary>
    public TimeSpan CpuTime => Later.Process.CpuTime - Earlier.Process.CpuTime;

    /// <summary>Processor time in percent of one processor: 200 is two busy ones.</summary>
    public double CpuPercent => PerSecond(100 * CpuTime.TotalSeconds);

    /// <summary>Collections of generation 0 or higher.</summary>
    public int Gc0 => Later.Process.Gc0 - Earlier.Process.Gc0;

    /// <summary>Collections of generation 1 or higher.</summary>
    public int Gc1 => Later.Process.Gc1 - Earlier.Process.Gc1;

    /// <summary>Full collections.</summary>
    public int Gc2 => Later.Process.Gc2 - Earlier.Process.Gc2;

    /// <summary>Time for which the collector held all threads.</summary>
    public TimeSpan GcPause => Later.Process.GcPause - Earlier.Process.GcPause;

    /// <summary>Managed memory allocated per second.</summary>
    public double AllocatedBytesPerSecond => PerSecond(Later.Process.AllocatedBytes - Earlier.Process.AllocatedBytes);

    /// <summary>Makes the interval between two snapshots of one server.</summary>
    /// <exception cref="ArgumentException">They are of different servers, or in the wrong order.</exception>
    public static KpiInterval Between(KpiSnapshot earlier, KpiSnapshot later)
    {
        ArgumentNullException.ThrowIfNull(earlier);
        ArgumentNullException.ThrowIfNull(later);
        if (earlier.Source != later.Source)
        {
            throw new ArgumentException("The snapshots are of different servers.", nameof(later));
        }

        if (later.Elapsed < earlier.Elapsed)
        {
            throw new ArgumentException("The later snapshot was taken before the earlier one.", nameof(later));
        }

        return new KpiInterval(earlier, later);
    }

    private static double Ratio(double part, double whole, double otherwise) => whole == 0 ? otherwise : part / whole;

    private static KpiExtra Growth(KpiExtra extra, KpiSnapshot earlier)
    {
        // One that was added in between is absent in the earlier snapshot: it has grown from 0.
        KpiExtra before = earlier.Extras.FirstOrDefault(e => e.Name == extra.Name);
        return extra.IsTotal ? extra with { Value = extra.Value - before.Value } : extra;
    }

    private long Growth(Func<KpiSnapshot, long> total) => total(Later) - total(Earlier);

    private double Rate(Func<KpiSnapshot, long> total) => PerSecond(Growth(total));

    private double PerSecond(double growth) => Ratio(growth, _seconds, otherwise: 0);
}
