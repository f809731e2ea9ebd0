namespace PlayChat.Client.FullScreen;

/// <summary>Breaks lines into the rows of a conversation. Later rows of a message stand below its text, not below its time.</summary>
internal static class LineLayout
{
    // Narrower than this beside a long name, the text begins in the next row.
    private const int MinTextColumns = 16;

    public static (string Text, Paint Paint)[] UnreadMark(int columns) => Rule(" new ", columns, Paint.Alert);

    /// <summary>The row that stands before the first line of another day.</summary>
    public static (string Text, Paint Paint)[] DateMark(DateTimeOffset day, int columns) =>
        Rule(day.ToString(" yyyy-MM-dd ", CultureInfo.InvariantCulture), columns, Paint.Dim);

    /// <summary>The rows of a line, at least one.</summary>
    /// <param name="line">The line; its texts may come from others.</param>
    /// <param name="columns">The width of the conversation, at least <see cref="TextWidth.MaxOfGrapheme"/>.</param>
    public static List<(string Text, Paint Paint)[]> Rows(ScreenLine line, int columns)
    {
        string text = SafeText.Clean(line.Text);
        var prefix = new List<(string Text, Paint Paint)>();
        if (line.At is { } at)
        {
            prefix.Add((at.ToString("HH:mm ", CultureInfo.InvariantCulture), Paint.Dim));
        }

        int indent = prefix.Sum(static part => TextWidth.Of(part.Text));
        Paint paint = line.IsMention ? Paint.Mention : PaintOf(line.Kind);
        switch (line.Kind)
        {
            case LineKind.Chat or LineKind.OwnChat:
                string speaker = SafeText.Clean(line.Speaker ?? "");
                prefix.Add((speaker, line.Kind == LineKind.OwnChat ? Paint.Own : Palette.OfSpeaker(speaker)));
                prefix.Add((": ", Paint.Normal));
                break;
            case LineKind.Event:
                prefix.Add(("* ", paint));
                break;
        }

        int before = prefix.Sum(static part => TextWidth.Of(part.Text));
        indent = columns - indent >= MinTextColumns ? indent : 0;
        List<string> lines = TextWidth.Wrap(
            text, columns - before >= Math.Min(MinTextColumns, columns) ? columns - before : 0, Math.Max(columns - indent, 2));
        string margin = new(' ', indent);
        return
        [
            [.. prefix, (lines[0], paint)],
            .. lines.Skip(1).Select(rest => new[] { (margin, Paint.Normal), (rest, paint) }),
        ];
    }

    private static (string Text, Paint Paint)[] Rule(string label, int columns, Paint paint)
    {
        int line = Math.Max(columns - label.Length, 0) / 2;
        return [(new string('─', line) + label + new string('─', Math.Max(columns - label.Length - line, 0)), paint)];
    }

    private static Paint PaintOf(LineKind kind) => kind switch
    {
        LineKind.Direct => Paint.Bold,
        LineKind.Hint or LineKind.Event => Paint.Dim,
        LineKind.Warning => Paint.Warning,
        LineKind.Error or LineKind.Unread => Paint.Alert,
        _ => Paint.Normal,
    };
}
