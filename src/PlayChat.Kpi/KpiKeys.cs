namespace PlayChat.Kpi;

/// <summary>The figures of JSON by their stable keys.</summary>
internal static class KpiKeys
{
    /// <summary>The keys of the totals, by the names of their properties.</summary>
    internal static (string Name, string Key)[] OfTotals { get; } =
        Array.ConvertAll(KpiInstruments.Totals, static total => (total.Name, JsonNamingPolicy.SnakeCaseLower.ConvertName(total.Name)));

    private static readonly string[] s_closeReasons =
        Array.ConvertAll(Enum.GetNames<CloseReason>(), JsonNamingPolicy.SnakeCaseLower.ConvertName);

    internal static (string Key, Func<KpiSnapshot, long> Read)[] Totals { get; } =
    [
        .. OfTotals.TakeWhile(static total => total.Name != nameof(KpiSnapshot.ConnectionsRefused)).Select(Read),
        ("connections_closed", s => s.ConnectionsClosed),
        .. OfTotals.SkipWhile(static total => total.Name != nameof(KpiSnapshot.ConnectionsRefused)).Select(Read),
    ];

    internal static (string Key, Func<KpiSnapshot, long> Read)[] Now { get; } =
    [
        ("connections", s => s.Connections),
        ("sessions", s => s.Sessions),
        ("rooms", s => s.Rooms),
        ("send_buffers_in_use", s => s.SendBuffersInUse),
        ("pool_in_use", s => s.PoolInUse),
    ];

    internal static (string Key, Func<KpiSnapshot, long> Read)[] Peaks { get; } =
    [
        ("queue", s => s.QueuePeak),
        ("send_buffers", s => s.SendBuffersPeak),
        ("pool", s => s.PoolPeak),
    ];

    internal static (string Key, Func<KpiSnapshot, double> Read)[] Process { get; } =
    [
        ("cpu_ms", s => s.Process.CpuTime.TotalMilliseconds),
        ("working_set_bytes", s => s.Process.WorkingSetBytes),
        ("peak_working_set_bytes", s => s.Process.PeakWorkingSetBytes),
        ("gc0", s => s.Process.Gc0),
        ("gc1", s => s.Process.Gc1),
        ("gc2", s => s.Process.Gc2),
        ("gc_pause_ms", s => s.Process.GcPause.TotalMilliseconds),
        ("allocated_bytes", s => s.Process.AllocatedBytes),
    ];

    internal static (string Key, Func<KpiInterval, double> Read)[] Interval { get; } =
    [
        ("duration_s", i => i.Duration.TotalSeconds),
        ("receives_per_s", i => i.ReceivesPerSecond),
        ("sends_per_s", i => i.SendsPerSecond),
        ("frames_received_per_s", i => i.FramesReceivedPerSecond),
        ("frames_sent_per_s", i => i.FramesSentPerSecond),
        ("bytes_received_per_s", i => i.BytesReceivedPerSecond),
        ("bytes_sent_per_s", i => i.BytesSentPerSecond),
        ("deliveries_per_s", i => i.DeliveriesPerSecond),
        ("deliveries_per_io", i => i.DeliveriesPerSend),
        ("jobs_enqueued_per_s", i => i.JobsEnqueuedPerSecond),
        ("jobs_executed_per_s", i => i.JobsExecutedPerSecond),
        ("queue_peak", i => i.QueuePeak),
        ("send_buffers_peak", i => i.SendBuffersPeak),
        ("send_buffer_pushes_per_s", i => i.SendBufferPushesPerSecond),
        ("send_buffer_pops_per_s", i => i.SendBufferPopsPerSecond),
        ("pool_peak", i => i.PoolPeak),
        ("pool_rents_per_s", i => i.PoolRentsPerSecond),
        ("pool_returns_per_s", i => i.PoolReturnsPerSecond),
        ("pool_reuse_percent", i => i.PoolReusePercent),
        ("cpu_ms", i => i.CpuTime.TotalMilliseconds),
        ("cpu_percent", i => i.CpuPercent),
        ("gc0", i => i.Gc0),
        ("gc1", i => i.Gc1),
        ("gc2", i => i.Gc2),
        ("gc_pause_ms", i => i.GcPause.TotalMilliseconds),
        ("allocated_bytes_per_s", i => i.AllocatedBytesPerSecond),
    ];

    internal static (string Key, Func<LatencySummary, double> Read)[] Latency { get; } =
    [
        ("mean", l => l.MeanMicroseconds),
        ("p50", l => l.P50Microseconds),
        ("p90", l => l.P90Microseconds),
        ("p99", l => l.P99Microseconds),
        ("p999", l => l.P999Microseconds),
        ("max", l => l.MaxMicroseconds),
    ];

    internal static string OfCloseReason(CloseReason reason) => s_closeReasons[(int)reason];

    private static (string Key, Func<KpiSnapshot, long> Read) Read((string Name, string Key) total) =>
        (total.Key, s => s.Total(total.Name));
}
