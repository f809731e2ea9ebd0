using System.Globalization;
using System.Text;

namespace PlayChat.Core.Diagnostics;

/// <summary>The figures as plain text for a terminal of 120 columns: three lines for each interval below a header of three lines.</summary>
/// <remarks>
/// <para>First line, traffic: <c>uptime, io r/s, io s/s, app in/s, app out/s, bytes r/s, bytes s/s, bc-deliv/s, deliv/io, avg, p50, p90,
/// p99 (µs)</c>. Second, queues and buffers: <c>job e/s, job x/s, jobs q-peak, sendbuf inuse, peak, push/s, pop/s, mpool inuse, peak,
/// alloc/s, free/s, reuse%</c>. Third, server and process: <c>sessions, rooms, conns, cpu %, ws MB, gc0, gc1, gc2, pause ms,
/// alloc MB/s</c> and the figures added from outside, without the details.</para>
/// <para>Rates, peaks, CPU, collections and pause are the interval's; in use, sessions, rooms, connections and the working set are those at its
/// end. What each means is told at the properties of <see cref="KpiInterval"/> and <see cref="KpiSnapshot"/>. Numbers of more than seven digits are
/// shortened (<c>12.3M</c>); a figure that could not be read is <c>-</c>.</para>
/// </remarks>
public static class KpiTable
{
    private const double Megabyte = 1_000_000;

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
        KpiColumn.Fraction("ws MB", i => i.Later.Process.WorkingSetBytes / Megabyte),
        KpiColumn.Whole("gc0", i => i.Gc0),
        KpiColumn.Whole("gc1", i => i.Gc1),
        KpiColumn.Whole("gc2", i => i.Gc2),
        KpiColumn.Fraction("pause ms", i => i.GcPause.TotalMilliseconds),
        KpiColumn.Fraction("alloc MB/s", i => i.AllocatedBytesPerSecond / Megabyte),
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
        KpiSnapshot a = interval.Earlier;
        KpiSnapshot b = interval.Later;
        LatencySummary latency = interval.Latency;
        var text = new StringBuilder();
        Line(text, "duration", $"{interval.Duration.TotalSeconds:N1} s");
        Line(text, "received", $"{b.FramesReceived - a.FramesReceived:N0} frames ({interval.FramesReceivedPerSecond:N0}/s), {b.BytesReceived - a.BytesReceived:N0} bytes in {b.Receives - a.Receives:N0} receives");
        Line(text, "sent", $"{b.FramesSent - a.FramesSent:N0} frames ({interval.FramesSentPerSecond:N0}/s), {b.BytesSent - a.BytesSent:N0} bytes in {b.Sends - a.Sends:N0} sends, {b.FramesDropped - a.FramesDropped:N0} dropped");
        Line(text, "deliveries", $"{b.Deliveries - a.Deliveries:N0} ({interval.DeliveriesPerSecond:N0}/s), {interval.DeliveriesPerSend:N1} per send");
        Line(text, "latency", $"avg {latency.MeanMicroseconds:N1}, p50 {latency.P50Microseconds:N1}, p90 {latency.P90Microseconds:N1}, p99 {latency.P99Microseconds:N1}, p99.9 {latency.P999Microseconds:N1}, max {latency.MaxMicroseconds:N1} µs");
        Line(text, "buckets", $"{Buckets(latency)}");
        Line(text, "rooms", $"{b.JobsEnqueued - a.JobsEnqueued:N0} jobs posted, {b.JobsExecuted - a.JobsExecuted:N0} executed, {b.JobsRefused - a.JobsRefused:N0} refused, deepest queue {interval.QueuePeak:N0}");
        Line(text, "buffers", $"pool peak {interval.PoolPeak:N0}, reuse {interval.PoolReusePercent:N1} %; waiting to be sent: peak {interval.SendBuffersPeak:N0}");
        Line(text, "process", $"cpu {interval.CpuTime.TotalSeconds:N2} s ({interval.CpuPercent:N0} % of one processor), peak working set {b.Process.PeakWorkingSetBytes / Megabyte:N1} MB, gc {interval.Gc0}/{interval.Gc1}/{interval.Gc2}, pause {interval.GcPause.TotalMilliseconds:N1} ms");
        Line(text, "connections", $"{b.ConnectionsAccepted - a.ConnectionsAccepted:N0} accepted, {b.ConnectionsRefused - a.ConnectionsRefused:N0} refused, {b.Connections:N0} open; closed: {Closes(interval)}");
        foreach (KpiExtra extra in interval.Extras.Where(static extra => !extra.IsDetail))
        {
            Line(text, extra.Name, $"{KpiColumn.Adapt(extra.Value)} {extra.Unit}");
        }

        return text.ToString(0, text.Length - 1);
    }

    private static string FormatLines(KpiInterval interval, Func<KpiColumn, KpiInterval, string> cell)
    {
        ArgumentNullException.ThrowIfNull(interval);
        IEnumerable<KpiColumn> extras = interval.Extras
            .Select(static (extra, index) => (extra.IsDetail, Column: KpiColumn.Fraction(extra.Name, i => i.Extras[index].Value)))
            .Where(static extra => !extra.IsDetail)
            .Select(static extra => extra.Column);
        IEnumerable<KpiColumn>[] lines = [s_traffic, s_buffers, s_process.Concat(extras)];
        return string.Join('\n', lines.Select(
            columns => string.Join(' ', columns.Select(column => cell(column, interval).PadLeft(column.Width)))));
    }

    // FormattableString: a number looks the same on every machine.
    private static void Line(StringBuilder text, string title, FormattableString value) =>
        text.Append(title.PadRight(12)).Append(' ').Append(FormattableString.Invariant(value)).Append('\n');

    private static string Clock(TimeSpan elapsed) =>
        string.Create(CultureInfo.InvariantCulture, $"{(long)elapsed.TotalHours}:{elapsed:mm\\:ss}");

    private static string Buckets(LatencySummary latency) => string.Join(", ", LatencySummary.BucketNames.Select(
        (name, i) => FormattableString.Invariant($"{name}: {latency.BucketCounts[i]:N0}")));

    private static string Closes(KpiInterval interval)
    {
        string text = string.Join(", ", Enum.GetValues<CloseReason>()
            .Select(reason => (Reason: reason, Count: interval.Later.GetCloses(reason) - interval.Earlier.GetCloses(reason)))
            .Where(static close => close.Count > 0)
            .Select(static close => FormattableString.Invariant($"{close.Reason} {close.Count:N0}")));
        return text.Length == 0 ? "none" : text;
    }
}
