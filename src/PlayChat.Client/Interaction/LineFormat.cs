namespace PlayChat.Client.Interaction;

internal static class LineFormat
{
    public static string Plain(ScreenLine line)
    {
        string time = line.At is { } at ? at.ToString("'['HH:mm:ss'] '", CultureInfo.InvariantCulture) : "";
        string text = SafeText.Clean(line.Text);
        return line.Kind switch
        {
            LineKind.Title => $"== {text} ==",
            LineKind.Unread => $"-- {text} --",
            LineKind.Event => $"{time}* {text}",
            LineKind.Chat or LineKind.OwnChat => $"{time}{(line.IsMention ? "(!) " : "")}{SafeText.Clean(line.Speaker!)}: {text}",
            _ => time + text,
        };
    }

    /// <summary>The rows of a table as lines, with their cells in columns. The cells may come from others.</summary>
    /// <param name="rows">The headings, then the rows: as many texts each.</param>
    public static IEnumerable<ScreenLine> Table(IEnumerable<IReadOnlyList<string>> rows)
    {
        List<string[]> cells = [.. rows.Select(static row => row.Select(SafeText.Clean).ToArray())];
        int[] widths = [.. cells[0].Select((_, column) => cells.Max(row => TextWidth.Of(row[column])))];
        return cells.Select(row => new ScreenLine(
            LineKind.Info,
            string.Join("  ", row.Select((cell, column) => cell + new string(' ', widths[column] - TextWidth.Of(cell)))).TrimEnd()));
    }
}
