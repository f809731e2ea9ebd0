using System.Globalization;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Reports;

/// <summary>The table of a run in lines of at most 120 columns: what the load saw, and under it what the server counted in the same time.</summary>
internal static class IntervalTable
{
    private const int MinWidth = 8;

    private static readonly (string Title, Func<IntervalFigures, string> Read)[] s_client =
    [
        ("load    s", row => $"{row.Phase.ToString().ToLowerInvariant(),-7} {Whole(row.AtSeconds)}"),
        ("sent/s", row => Whole(row.SentPerSecond)),
        ("recv/s", row => Whole(row.ReceivedPerSecond)),
        ("avg", row => Micros(row.Latency, static latency => latency.MeanMicroseconds)),
        ("p50", row => Micros(row.Latency, static latency => latency.P50Microseconds)),
        ("p90", row => Micros(row.Latency, static latency => latency.P90Microseconds)),
        ("p99", row => Micros(row.Latency, static latency => latency.P99Microseconds)),
        ("p99.9", row => Micros(row.Latency, static latency => latency.P999Microseconds)),
        ("max (µs)", row => Micros(row.Latency, static latency => latency.MaxMicroseconds)),
        ("faults", row => Whole(row.Faults)),
    ];

    private static readonly (string Title, Func<ServerFigures, string> Read)[] s_server =
    [
        ("server     ", _ => string.Empty),
        ("io r/s", server => Rate(server, static line => line.Receives)),
        ("io s/s", server => Rate(server, static line => line.Sends)),
        ("app in/s", server => Rate(server, static line => line.FramesReceived)),
        ("app out/s", server => Rate(server, static line => line.FramesSent)),
        ("bytes r/s", server => Rate(server, static line => line.BytesReceived)),
        ("bytes s/s", server => Rate(server, static line => line.BytesSent)),
        ("bc-deliv/s", server => Rate(server, static line => line.Deliveries)),
        ("deliv/io", server => Fraction(server.DeliveriesPerSend ?? 0)),
        ("cpu %", server => Whole(server.CpuPercent)),
        ("ws MB", server => Whole(server.Last.WorkingSetBytes / 1e6)),
    ];

    /// <summary>The titles: two lines, divided by a line feed.</summary>
    public static string Header { get; } = string.Join('\n', Titles(s_client), Titles(s_server));

    /// <summary>One interval: two lines, or one when the server's figures are not known.</summary>
    public static string Format(IntervalFigures row)
    {
        string client = Cells(s_client, row);
        return row.Server is null ? client : $"{client}\n{Cells(s_server, row.Server)}";
    }

    private static string Titles<T>((string Title, Func<T, string> Read)[] columns) =>
        string.Join(' ', columns.Select(static (column, i) => Pad(column.Title, column.Title, i)));

    private static string Cells<T>((string Title, Func<T, string> Read)[] columns, T source) =>
        string.Join(' ', columns.Select((column, i) => Pad(column.Read(source), column.Title, i)));

    private static string Pad(string text, string title, int column) =>
        column == 0 ? text.PadRight(11) : text.PadLeft(Math.Max(MinWidth, title.Length));

    private static string Rate(ServerFigures server, Func<KpiLine, double> total) => Whole(server.PerSecond(total));

    private static string Micros(LatencySummary latency, Func<LatencySummary, double> read) => latency.Count == 0 ? "-" : Fraction(read(latency));

    private static string Fraction(double value) =>
        Math.Abs(value) < 1000 ? value.ToString("0.0", CultureInfo.InvariantCulture) : Whole(value);

    private static string Whole(double value) =>
        Math.Abs(value) < 99_999_999.5
            ? value.ToString("0", CultureInfo.InvariantCulture)
            : (value / 1e6).ToString("0.0", CultureInfo.InvariantCulture) + "M";
}
