using System.Globalization;
using PlayChat.Benchmark.Run;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Views;

/// <summary>A column of the <see cref="IntervalTable"/>.</summary>
/// <param name="Title">Its title.</param>
/// <param name="Rank">Its place in the order in which columns are left out: a narrow terminal has those of the lowest ranks.</param>
/// <param name="Read">Formats its cell.</param>
internal sealed record IntervalColumn(string Title, int Rank, Func<IntervalFigures, string> Read)
{
    private const int MinWidth = 8;

    /// <summary>What the load measured.</summary>
    public static IReadOnlyList<IntervalColumn> Load { get; } =
    [
        new("load      s", 0, static row => $"{row.Phase.ToString().ToLowerInvariant(),-7} {Whole(row.AtSeconds),3}"),
        new("sent/s", 7, static row => Whole(row.SentPerSecond)),
        new("recv/s", 1, static row => Whole(row.ReceivedPerSecond)),
        new("avg", 10, static row => Micros(row.Latency, static latency => latency.MeanMicroseconds)),
        new("p50", 4, static row => Micros(row.Latency, static latency => latency.P50Microseconds)),
        new("p90", 9, static row => Micros(row.Latency, static latency => latency.P90Microseconds)),
        new("p99", 2, static row => Micros(row.Latency, static latency => latency.P99Microseconds)),
        new("p99.9", 8, static row => Micros(row.Latency, static latency => latency.P999Microseconds)),
        new("max (µs)", 6, static row => Micros(row.Latency, static latency => latency.MaxMicroseconds)),
        new("faults", 3, static row => Whole(row.Faults)),
    ];

    private static readonly IntervalColumn[] s_withServer =
    [
        .. Load,
        new("srv cpu%", 5, static row => row.Server is { } server ? Fraction(server.Interval.CpuPercent) : "-"),
        new("srv MB", 5, static row => row.Server is { } server ? Fraction(server.Last.Process.WorkingSetBytes / 1e6) : "-"),
    ];

    /// <summary>The columns that its cells take.</summary>
    public int Width { get; } = Math.Max(MinWidth, Title.Length);

    /// <summary>The columns of the lowest ranks that fit, with processor and memory of the server among them.</summary>
    /// <param name="width">The terminal's columns.</param>
    public static IReadOnlyList<IntervalColumn> Fitting(int width)
    {
        var fitting = new HashSet<IntervalColumn>();
        foreach (IntervalColumn column in s_withServer.OrderBy(static column => column.Rank))
        {
            width -= column.Width + 1;
            if (width < 0 && fitting.Count > 0)
            {
                break;
            }

            fitting.Add(column);
        }

        return s_withServer.Where(fitting.Contains).ToArray();
    }

    private static string Micros(LatencySummary latency, Func<LatencySummary, double> read) =>
        latency.Count == 0 ? "-" : Fraction(read(latency));

    private static string Fraction(double value) =>
        Math.Abs(value) < 1000 ? value.ToString("0.0", CultureInfo.InvariantCulture) : Whole(value);

    private static string Whole(double value) =>
        Math.Abs(value) < 99_999_999.5
            ? value.ToString("0", CultureInfo.InvariantCulture)
            : (value / 1e6).ToString("0.0", CultureInfo.InvariantCulture) + "M";
}
