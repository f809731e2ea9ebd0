using System.Globalization;
using System.Text;

namespace PlayChat.Benchmark.Views;

/// <summary>The lowest lines of a terminal, which change; text is written above them. Thread-safe.</summary>
/// <remarks>
/// Invariant: between calls the cursor is on the last line of the status, and <see cref="_shown"/> has the columns that each line takes.
/// No line is as wide as the terminal, so none wraps when it is drawn. A line that wrapped because the window became narrower counts
/// as several rows. The cursor never moves up by 0 rows: terminals take <c>ESC [ 0 A</c> as one row, and would overwrite the text above.
/// </remarks>
/// <param name="output">The terminal.</param>
/// <param name="width">Reads the terminal's present columns.</param>
/// <param name="colored">Whether the terminal shows colors.</param>
internal sealed class StatusArea(TextWriter output, Func<int> width, bool colored) : IDisposable
{
    private const string EraseToEndOfLine = "\u001b[K";
    private const string EraseBelow = "\u001b[J";
    private const string NextLine = "\r\n";

    private readonly object _gate = new();
    private StatusLine[] _lines = [];
    private int[] _shown = [];

    /// <summary>The terminal's present columns.</summary>
    public int Width => width();

    /// <summary>Replaces the status.</summary>
    public void Show(params StatusLine[] lines)
    {
        lock (_gate)
        {
            _lines = lines;
            output.Write(ToFirstRow() + Draw());
            output.Flush();
        }
    }

    /// <summary>Writes text and a line feed above the status.</summary>
    public void WriteLine(string text)
    {
        lock (_gate)
        {
            string lines = text.Replace("\n", NextLine, StringComparison.Ordinal);
            output.Write(ToFirstRow() + EraseBelow + lines + NextLine + Draw());
            output.Flush();
        }
    }

    /// <summary>Writes a line of pieces above the status. The terminal wraps it when it is wider.</summary>
    public void WriteLine(StatusLine line) => WriteLine(line.Format(int.MaxValue, colored));

    /// <summary>Removes the status; what was written above it stays.</summary>
    public void Dispose() => Show();

    private string ToFirstRow()
    {
        int columns = Math.Max(1, width());
        int rows = _shown.Sum(length => Math.Max(1, (length + columns - 1) / columns));
        return rows > 1 ? string.Create(CultureInfo.InvariantCulture, $"\r\u001b[{rows - 1}A") : "\r";
    }

    private string Draw()
    {
        int columns = Math.Max(1, width() - 1); // a character in the last column may wrap
        var text = new StringBuilder();
        for (int i = 0; i < _lines.Length; i++)
        {
            text.Append(i > 0 ? NextLine : string.Empty).Append(_lines[i].Format(columns, colored)).Append(EraseToEndOfLine);
        }

        _shown = _lines.Select(line => Math.Min(line.Length, columns)).ToArray();
        return text.Append(EraseBelow).ToString();
    }
}
