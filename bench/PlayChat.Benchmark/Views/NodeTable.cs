using System.Globalization;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Views;

/// <summary>What each node of a cluster did in an interval: a line for each, with the figures of its log and its lease.</summary>
internal static class NodeTable
{
    private static readonly (string Title, Func<NodeFigures, double?> Read)[] s_columns =
    [
        ("cpu %", static node => node.Server.Interval.CpuPercent),
        ("ws MB", static node => node.Server.Last.Process.WorkingSetBytes / 1e6),
        ("app in/s", static node => node.Server.Interval.FramesReceivedPerSecond),
        ("bc-deliv/s", static node => node.Server.Interval.DeliveriesPerSecond),
        ("log lag ms", static node => node.MaxLogLag),
        ("log unconfirmed", static node => node.MaxUnconfirmed),
        ("log duplicates", static node => node.Redeliveries),
        ("redirects", static node => node.Redirects),
        ("lease age ms", static node => node.MaxLeaseAge),
    ];

    /// <summary>The titles. Lag, unconfirmed batches and lease age below them are the highest of the interval.</summary>
    public static string FormatHeader() => Line(string.Empty, static column => column.Title);

    /// <summary>A line for each node, divided by <c>\n</c>.</summary>
    public static string FormatRows(IReadOnlyList<NodeFigures?> nodes) => string.Join('\n', nodes.Select(static (node, i) =>
        Line(string.Create(CultureInfo.InvariantCulture, $"node {i + 1}"), column => Cell(node is null ? null : column.Read(node)))));

    private static string Line(string name, Func<(string Title, Func<NodeFigures, double?> Read), string> cell) =>
        name.PadLeft(9) + string.Concat(s_columns.Select(column => cell(column).PadLeft(Math.Max(8, column.Title.Length) + 1)));

    private static string Cell(double? value) => value switch
    {
        null => "-",
        >= 1000 => value.Value.ToString("0", CultureInfo.InvariantCulture),
        _ => value.Value.ToString("0.#", CultureInfo.InvariantCulture),
    };
}
