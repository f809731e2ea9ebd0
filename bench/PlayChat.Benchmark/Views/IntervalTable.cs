using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers.Cluster;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Views;

/// <summary>The table of a run: what the load measured, and below each row the server's <see cref="KpiTable"/> of the same time, or a
/// line for each node of a cluster.</summary>
/// <remarks>
/// Lines take at most 120 columns. In a narrower terminal the columns that matter least are left out, and of the server's figures
/// only processor and memory are shown, in the same row. Not thread-safe.
/// </remarks>
/// <param name="width">Reads the terminal's columns; <see langword="null"/> when the output is not a terminal.</param>
internal sealed class IntervalTable(Func<int>? width = null)
{
    private const int FullWidth = 120;
    private const int RowsPerHeader = 10;

    private IReadOnlyList<IntervalColumn> _columns = IntervalColumn.Load;
    private bool _isNarrow;
    private bool _hasServerTitles;
    private bool _hasNodeTitles;
    private int _rows;

    /// <summary>Formats an interval, with titles above it where they are due. Lines are divided by <c>\n</c>.</summary>
    public string Format(IntervalFigures row)
    {
        var lines = new List<string>();
        bool hasHeader = _rows++ % RowsPerHeader == 0;
        if (hasHeader)
        {
            ChooseColumns();
        }

        KpiInterval? server = _isNarrow ? null : row.Server?.Interval;
        if (hasHeader || (server is not null && !_hasServerTitles))
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

        if (!_isNarrow && row.Nodes.Count > 0)
        {
            AddNodes(lines, row.Nodes, hasHeader);
        }

        return string.Join('\n', lines);
    }

    private void AddNodes(List<string> lines, IReadOnlyList<NodeFigures?> nodes, bool hasHeader)
    {
        if (hasHeader || !_hasNodeTitles)
        {
            _hasNodeTitles = true;
            lines.Add(NodeTable.FormatHeader());
        }

        lines.Add(NodeTable.FormatRows(nodes));
    }

    private void ChooseColumns()
    {
        int columns = width?.Invoke() ?? FullWidth;
        _isNarrow = columns < FullWidth;
        _columns = _isNarrow ? IntervalColumn.Fitting(columns) : IntervalColumn.Load;
    }

    private string Line(Func<IntervalColumn, string> cell) => string.Join(' ', _columns.Select((column, i) =>
        i == 0 ? cell(column).PadRight(column.Width) : cell(column).PadLeft(column.Width)));
}
