using System.Globalization;

namespace PlayChat.Kpi;

/// <summary>The figures as plain text for a terminal of 120 columns: three lines for each interval below a header of three lines.</summary>
/// <remarks>
/// <para>First line, traffic: <c>uptime, io r/s, io s/s, app in/s, app out/s, bytes r/s, bytes s/s, bc-deliv/s, deliv/io, avg, p50, p90,
/// p99 (µs)</c>. Second, queues and buffers: <c>job e/s, job x/s, jobs q-peak, sendbuf inuse, peak, push/s, pop/s, mpool inuse, peak,
/// alloc/s, free/s, reuse%</c>. Third, server and process: <c>sessions, rooms, conns, cpu %, ws MB, gc0, gc1, gc2, pause ms,
/// alloc MB/s</c> and the figures added from outside, without the details.</para>
/// <para>Rates, peaks, CPU, collections and pause are the interval's; in use, sessions, rooms, connections and the working set are those at
/// its end. What each means is told at the properties of <see cref="KpiInterval"/> and <see cref="KpiSnapshot"/>. Numbers of more than
/// seven digits are shortened (<c>12.3M</c>); a figure that could not be read is <c>-</c>.</para>
/// </remarks>
public static class KpiTable
{
    private static readonly KpiColumn[] s_traffic =
    [
        new("   uptime", i => Clock(i.Later.Elapsed)),
        KpiColumn.Whole("io r/s", i => i.ReceivesPerSecond),
        KpiColumn.Whole("io s/s", i => i.SendsPerSecond),
        KpiColumn.Whole("app in/s", i => i.FramesReceivedPerSecond),
        KpiColumn.Whole("app out/s", i => i.FramesSentPerSecond),
        KpiColumn.Whole("bytes r/s", i => i.BytesReceivedPerSecond),
        KpiColumn.Whole("bytes s/s", i => i.BytesSentPerSecond),
        KpiColumn.Whole("bc-deliv/s", i => i.DeliveriesPerSecond),
        KpiColumn.Fraction("deliv/io", i => i.DeliveriesPerSend),
        KpiColumn.Fraction("avg", i => i.Latency.MeanMicroseconds),
        KpiColumn.Fraction("p50", i => i.Latency.P50Microseconds),
        KpiColumn.Fraction("p90", i => i.Latency.P90Microseconds),
        KpiColumn.Fraction("p99 (µs)", i => i.Latency.P99Microseconds),
    ];

    private static readonly KpiColumn[] s_buffers =
    [
        new("         ", _ => string.Empty),
        KpiColumn.Whole("job e/s", i => i.JobsEnqueuedPerSecond),
        KpiColumn.Whole("job x/s", i => i.JobsExecutedPerSecond),
        KpiColumn.Whole("jobs q-peak", i => i.QueuePeak),
        KpiColumn.Whole("sendbuf inuse", i => i.Later.SendBuffersInUse),
        KpiColumn.Whole("peak", i => i.SendBuffersPeak),
        KpiColumn.Whole("push/s", i => i.SendBufferPushesPerSecond),
        KpiColumn.Whole("pop/s", i => i.SendBufferPopsPerSecond),
        KpiColumn.Whole("mpool inuse", i => i.Later.PoolInUse),
        KpiColumn.Whole("peak", i => i.PoolPeak),
        KpiColumn.Whole("alloc/s", i => i.PoolRentsPerSecond),
        KpiColumn.Whole("free/s", i => i.PoolReturnsPerSecond),
        KpiColumn.Fraction("reuse%", i => i.PoolReusePercent),
    ];

    private static readonly KpiColumn[] s_process =
    [
        new("         ", _ => string.Empty),
        KpiColumn.Whole("sessions", i => i.Later.Sessions),
        KpiColumn.Whole("rooms", i => i.Later.Rooms),
        KpiColumn.Whole("conns", i => i.Later.Connections),
        KpiColumn.Fraction("cpu %", i => i.CpuPercent),
        KpiColumn.Fraction("ws MB", i => i.Later.Process.WorkingSetBytes / KpiColumn.Megabyte),
        KpiColumn.Whole("gc0", i => i.Gc0),
        KpiColumn.Whole("gc1", i => i.Gc1),
        KpiColumn.Whole("gc2", i => i.Gc2),
        KpiColumn.Fraction("pause ms", i => i.GcPause.TotalMilliseconds),
        KpiColumn.Fraction("alloc MB/s", i => i.AllocatedBytesPerSecond / KpiColumn.Megabyte),
    ];

    /// <summary>The three lines of titles, without a last line end. Lines are divided by <c>\n</c>.</summary>
    /// <param name="interval">Any interval of the server; it tells which extras there are.</param>
    public static string FormatHeader(KpiInterval interval) => FormatLines(interval, static (column, _) => column.Title);

    /// <summary>The three lines of an interval, without a last line end.</summary>
    public static string FormatRow(KpiInterval interval) => FormatLines(interval, static (column, i) => column.Read(i));

    /// <summary>A summary of some lines: what was counted in all, rates, latency with its buckets, why connections ended.</summary>
    /// <param name="interval">From the first snapshot to the last.</param>
    public static string FormatSummary(KpiInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        return new KpiSummary(interval).Format();
    }

    private static string FormatLines(KpiInterval interval, Func<KpiColumn, KpiInterval, string> cell)
    {
        ArgumentNullException.ThrowIfNull(interval);
        IEnumerable<KpiColumn> extras = interval.Extras.Where(static extra => !extra.IsDetail).Select(ColumnOf);
        IEnumerable<KpiColumn>[] lines = [s_traffic, s_buffers, s_process.Concat(extras)];
        return string.Join('\n', lines.Select(
            columns => string.Join(' ', columns.Select(column => cell(column, interval).PadLeft(column.Width)))));
    }

    // A count has no fraction.
    private static KpiColumn ColumnOf(KpiExtra extra) => extra.Unit == "ms"
        ? KpiColumn.Fraction(extra.Name, _ => extra.Value)
        : KpiColumn.Whole(extra.Name, _ => extra.Value);

    internal static string Clock(TimeSpan elapsed) =>
        string.Create(CultureInfo.InvariantCulture, $"{(long)elapsed.TotalHours}:{elapsed:mm\\:ss}");
}
