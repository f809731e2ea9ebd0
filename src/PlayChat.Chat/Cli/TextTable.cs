using System.Text;

namespace PlayChat.Chat.Cli;

/// <summary>A table of text: columns as wide as their widest cell.</summary>
internal static class TextTable
{
    // Longer cells are cut: one long name must not push the other columns off the screen.
    private const int MaxCellChars = 60;

    /// <summary>Formats a table, a line for each row and one for the titles.</summary>
    /// <param name="titles">The titles. A column whose title begins with <c>&gt;</c> is aligned to the right.</param>
    /// <param name="rows">The cells.</param>
    public static string Format(IReadOnlyList<string> titles, IEnumerable<IReadOnlyList<string>> rows)
    {
        List<string[]> lines =
        [
            [.. titles.Select(static title => title.TrimStart('>'))],
            .. rows.Select(static row => row.Select(Cut).ToArray()),
        ];
        int[] widths = [.. titles.Select((_, i) => lines.Max(line => line[i].Length))];
        var text = new StringBuilder();
        foreach (string[] line in lines)
        {
            IEnumerable<string> cells = line.Select(
                (cell, i) => titles[i].StartsWith('>') ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i]));
            text.Append(string.Join("  ", cells).TrimEnd()).Append('\n');
        }

        return text.ToString();
    }

    // Names of players and rooms are strangers' text: no control character may reach the terminal.
    private static string Cut(string cell)
    {
        string clean = string.Concat(cell.Select(static c => char.IsControl(c) ? '?' : c));
        return clean.Length <= MaxCellChars ? clean : string.Concat(clean.AsSpan(0, MaxCellChars - 1), "…");
    }
}
