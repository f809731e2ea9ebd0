using System.Globalization;

namespace PlayChat.Kpi;

/// <summary>The figures that an operator looks at, as plain text for a terminal of 100 columns: one line for each interval.</summary>
/// <remarks>
/// <c>uptime, conns, players, rooms, in/s, out/s, out KB/s, p50 ms, p99 ms, backlog, cpu %, mem MB</c>. Rates, percentiles, the backlog's
/// peak and CPU are the interval's; the others are those at its end. <see cref="KpiTable"/> has all figures.
/// </remarks>
public static class KpiShortTable
{
    private static readonly KpiColumn[] s_columns =
    [
        new("   uptime", i => KpiTable.Clock(i.Later.Elapsed)),
        KpiColumn.Whole("conns", i => i.Later.Connections),
        KpiColumn.Whole("players", i => i.Later.Sessions),
        KpiColumn.Whole("rooms", i => i.Later.Rooms),
        KpiColumn.Whole("in/s", i => i.FramesReceivedPerSecond),
        KpiColumn.Whole("out/s", i => i.FramesSentPerSecond),
        KpiColumn.Whole("out KB/s", i => i.BytesSentPerSecond / 1000),
        new("p50 ms", i => Milliseconds(i.Latency.P50Microseconds)),
        new("p99 ms", i => Milliseconds(i.Latency.P99Microseconds)),
        KpiColumn.Whole("backlog", i => i.QueuePeak),
        KpiColumn.Whole("cpu %", i => i.CpuPercent),
        KpiColumn.Whole("mem MB", i => i.Later.Process.WorkingSetBytes / KpiColumn.Megabyte),
    ];

    /// <summary>What the columns mean: lines of at most 100 columns, divided by <c>\n</c>, without a last line end.</summary>
    public static string Legend =>
        """
        conns, players, rooms: now. in/s, out/s: messages received and sent a second. p50, p99: time from
        receiving a message to sending its answer or broadcast. backlog: most jobs that waited for a room.
        cpu %: of one processor. mem MB: memory of the process.
        """;

    /// <summary>The line of titles.</summary>
    public static string FormatHeader() => string.Join(' ', s_columns.Select(static column => column.Title.PadLeft(column.Width)));

    /// <summary>The line of an interval.</summary>
    public static string FormatRow(KpiInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        return string.Join(' ', s_columns.Select(column => column.Read(interval).PadLeft(column.Width)));
    }

    // Two digits after the point where one would show no difference.
    private static string Milliseconds(double microseconds) => microseconds < 10_000
        ? (microseconds / 1000).ToString("0.00", CultureInfo.InvariantCulture)
        : KpiColumn.Adapt(microseconds / 1000);
}
