using System.Globalization;
using PlayChat.Benchmark.Run;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Reports;

/// <summary>The table of a run in lines of at most 120 columns: what the load saw, and under it the server's <see cref="KpiTable"/> of the same time. For one thread.</summary>
internal sealed class IntervalTable
{
    private const int RowsPerHeader = 10;
    private const int MinWidth = 8;

    private static readonly (string Title, Func<IntervalFigures, string> Read)[] s_client =
    [
        ("load      s", row => $"{row.Phase.ToString().ToLowerInvariant(),-7} {Whole(row.AtSeconds),3}"),
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

    private int _rows;
    private bool _hasServerTitles;

    /// <summary>One interval, below titles where they are due: the load's line, and the server's when its figures are known. Lines are divided by <c>\n</c>.</summary>
    public string Format(IntervalFigures row)
    {
        var lines = new List<string>();
        KpiInterval? server = row.Server?.Interval;
        if (_rows++ % RowsPerHeader == 0 || (server is not null && !_hasServerTitles))
        {
            lines.Add(Line(static column => column.Title));
            if (server is not null)
            {
                _hasServerTitles = true;
                lines.Add(KpiTable.FormatHeader(server));
            }
        }

        lines.Add(Line(column => column.Read(row)));
        if (server is not null)
        {
            lines.Add(KpiTable.FormatRow(server));
        }

        return string.Join('\n', lines);
    }

    private static string Line(Func<(string Title, Func<IntervalFigures, string> Read), string> cell) => string.Join(' ', s_client.Select(
        (column, i) => i == 0 ? cell(column).PadRight(column.Title.Length) : cell(column).PadLeft(Math.Max(MinWidth, column.Title.Length))));

    private static string Micros(LatencySummary latency, Func<LatencySummary, double> read) => latency.Count == 0 ? "-" : Fraction(read(latency));

    private static string Fraction(double value) =>
        Math.Abs(value) < 1000 ? value.ToString("0.0", CultureInfo.InvariantCulture) : Whole(value);

    private static string Whole(double value) =>
        Math.Abs(value) < 99_999_999.5
            ? value.ToString("0", CultureInfo.InvariantCulture)
            : (value / 1e6).ToString("0.0", CultureInfo.InvariantCulture) + "M";
}
