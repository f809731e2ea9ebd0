using PlayChat.Client.Text;

namespace PlayChat.Client.Interaction;

/// <summary>A table with a border, drawn so that no line is wider than the window. Cells that do not fit are broken into lines.</summary>
internal sealed class TableLayout
{
    // Left of each cell "│ ", right of it " ", and the border at the end.
    private const int ColumnsPerCell = 3;

    private readonly string[] _headings;
    private readonly string[][] _rows;
    private readonly int[] _widths;

    /// <param name="table">Its texts are cleaned here.</param>
    /// <param name="columns">The width of the window.</param>
    public TableLayout(ScreenTable table, int columns)
    {
        _headings = [.. table.Columns];
        _rows = [.. table.Rows.Select(static row => row.Select(SafeText.Clean).ToArray())];
        _widths = [.. _headings.Select((heading, column) => _rows.Select(row => row[column]).Append(heading).Max(TextWidth.Of))];

        // The widest column gives way until the table fits.
        int available = Math.Max(columns - 1 - (ColumnsPerCell * _widths.Length), _widths.Length * TextWidth.MaxOfGrapheme);
        while (_widths.Sum() > available)
        {
            _widths[Array.IndexOf(_widths, _widths.Max())]--;
        }
    }

    /// <summary>Draws the table.</summary>
    /// <param name="paint">Colours a heading; what it adds must take no columns.</param>
    public IEnumerable<string> Lines(Func<string, string> paint)
    {
        yield return Border('╭', '┬', '╮');
        foreach (string line in Row(_headings, paint))
        {
            yield return line;
        }

        yield return Border('├', '┼', '┤');
        foreach (string line in _rows.SelectMany(row => Row(row, static text => text)))
        {
            yield return line;
        }

        yield return Border('╰', '┴', '╯');
    }

    private string Border(char left, char middle, char right) =>
        left + string.Join(middle, _widths.Select(static width => new string('─', width + 2))) + right;

    private IEnumerable<string> Row(string[] cells, Func<string, string> paint)
    {
        List<string>[] parts = [.. cells.Select((cell, column) => TextWidth.Break(cell, _widths[column]))];
        for (int line = 0; line < parts.Max(static part => part.Count); line++)
        {
            IEnumerable<string> texts = parts.Select((part, column) => Pad(line < part.Count ? part[line] : "", _widths[column], paint));
            yield return $"│ {string.Join(" │ ", texts)} │";
        }
    }

    private static string Pad(string text, int width, Func<string, string> paint) =>
        (text.Length > 0 ? paint(text) : "") + new string(' ', Math.Max(0, width - TextWidth.Of(text)));
}
