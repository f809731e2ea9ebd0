using System.Text;

namespace PlayChat.Benchmark.Views;

/// <summary>One line of a terminal, made of pieces that differ in style. Each character takes one column.</summary>
internal sealed class StatusLine
{
    private const int BarWidth = 30;

    private readonly List<(string Text, StatusStyle Style)> _pieces = [];

    /// <summary>The columns that the whole line takes.</summary>
    public int Length => _pieces.Sum(static piece => piece.Text.Length);

    /// <summary>Adds a piece.</summary>
    public StatusLine Add(string text, StatusStyle style = StatusStyle.Plain)
    {
        _pieces.Add((text, style));
        return this;
    }

    /// <summary>Adds a progress bar.</summary>
    /// <param name="done">0 to 1; other values are clamped.</param>
    /// <param name="style">The style of the done part.</param>
    public StatusLine AddBar(double done, StatusStyle style)
    {
        int filled = (int)(Math.Clamp(done, 0, 1) * BarWidth);
        return Add(new string('━', filled), style).Add(new string('─', BarWidth - filled), StatusStyle.Faint);
    }

    /// <summary>Formats the line, cut to a number of columns.</summary>
    /// <param name="columns">The most columns it may take.</param>
    /// <param name="colored">Whether to write styles.</param>
    public string Format(int columns, bool colored)
    {
        var text = new StringBuilder();
        foreach ((string piece, StatusStyle style) in _pieces)
        {
            string shown = piece.Length <= columns ? piece : piece[..Math.Max(0, columns)];
            columns -= shown.Length;
            string code = colored ? Code(style) : string.Empty;
            text.Append(code).Append(shown).Append(code.Length > 0 ? "\u001b[0m" : string.Empty);
        }

        return text.ToString();
    }

    private static string Code(StatusStyle style) => style switch
    {
        StatusStyle.Bold => "\u001b[1m",
        StatusStyle.Faint => "\u001b[90m",
        StatusStyle.Good => "\u001b[32m",
        StatusStyle.Waiting => "\u001b[33m",
        StatusStyle.Bad => "\u001b[31m",
        _ => string.Empty,
    };
}
