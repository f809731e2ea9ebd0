using System.Globalization;
using PlayChat.Client.Text;

namespace PlayChat.Client.Interaction;

/// <summary>Lines and tables as plain text.</summary>
internal static class LineFormat
{
    /// <summary>Stands before a message that names the user.</summary>
    public const string MentionMark = "(!) ";

    /// <summary>A time of day, the same in every culture.</summary>
    public static string Time(DateTimeOffset at) => at.ToString("'['HH:mm:ss']'", CultureInfo.InvariantCulture);

    /// <summary>The line without its end.</summary>
    public static string Plain(ScreenLine line)
    {
        string time = line.At is { } at ? Time(at) + " " : "";
        string text = SafeText.Clean(line.Text);
        return line.Kind switch
        {
            LineKind.Title => $"== {text} ==",
            LineKind.Unread => $"-- {text} --",
            LineKind.Event => $"{time}* {text}",
            LineKind.Chat or LineKind.OwnChat => $"{time}{(line.IsMention ? MentionMark : "")}{SafeText.Clean(line.Speaker!)}: {text}",
            _ => time + text,
        };
    }

    /// <summary>One line for the headings and one for each row, in columns.</summary>
    public static IEnumerable<string> Plain(ScreenTable table)
    {
        List<string[]> rows = [[.. table.Columns], .. table.Rows.Select(static row => row.Select(SafeText.Clean).ToArray())];
        int[] widths = [.. Enumerable.Range(0, table.Columns.Count).Select(column => rows.Max(row => TextWidth.Of(row[column])))];
        foreach (string[] row in rows)
        {
            IEnumerable<string> cells = row.Select((cell, column) => cell + new string(' ', widths[column] - TextWidth.Of(cell)));
            yield return string.Join("  ", cells).TrimEnd();
        }
    }
}
