namespace PlayChat.Client.FullScreen;

/// <summary>What was said in a room, as far as it is kept here, and which part of it is seen.</summary>
/// <remarks>
/// The part is named by its lowest row, so that it stands still when lines come below or above. Without such a row the newest line is the
/// lowest. For one thread.
/// </remarks>
/// <param name="roomId">The room's id; 0 for what belongs to no room.</param>
internal sealed class Conversation(long roomId, string name)
{
    /// <summary>Lines that are kept; the oldest go first.</summary>
    public const int MaxLines = 5000;

    private readonly List<ScreenLine> _lines = [];
    private int? _unreadFrom;

    // The lowest row that is seen: the line, and how many rows of it are hidden below. Null follows the newest.
    private (int Line, int Hidden)? _bottom;

    private (int Line, int Hidden) Bottom => _bottom ?? (_lines.Count - 1, 0);

    public long RoomId => roomId;

    public string Name { get; set; } = name;

    public IReadOnlyList<string> Members { get; set; } = [];

    public IReadOnlyList<string> Writers { get; set; } = [];

    public IReadOnlyList<ScreenLine> Lines => _lines;

    /// <summary>Messages that came while another conversation was seen.</summary>
    public int Unread { get; private set; }

    public bool IsMentioned { get; private set; }

    public int LinesBelow => _bottom is { } bottom ? _lines.Count - 1 - bottom.Line : 0;

    /// <param name="isSeen">Whether the user looks at this conversation.</param>
    public void Add(ScreenLine line, bool isSeen)
    {
        _lines.Add(line);
        if (!isSeen && line.Kind == LineKind.Chat)
        {
            Unread++;
            IsMentioned |= line.IsMention;
            _unreadFrom ??= _lines.Count - 1;
        }

        if (_lines.Count > MaxLines)
        {
            _lines.RemoveAt(0);
            Shift(-1);
        }
    }

    /// <summary>Adds lines before all others, as far as there is room.</summary>
    public void AddBefore(IReadOnlyList<ScreenLine> lines)
    {
        int count = Math.Min(lines.Count, MaxLines - _lines.Count);
        _lines.InsertRange(0, lines.Skip(lines.Count - count));
        Shift(count);
    }

    /// <param name="isRead">Only what the server's history has, because that comes anew; what it does not have stays.</param>
    public void Clear(bool isRead = false)
    {
        _lines.RemoveAll(line => !isRead || line.Kind is LineKind.Chat or LineKind.OwnChat or LineKind.Event or LineKind.Unread);
        _unreadFrom = null;
        _bottom = null;
    }

    public void Enter()
    {
        Unread = 0;
        IsMentioned = false;
    }

    /// <summary>The user looks at another one: all was seen.</summary>
    public void Leave() => _unreadFrom = null;

    public void FollowNewest() => _bottom = null;

    /// <param name="up">Rows towards older lines; negative towards newer ones.</param>
    /// <returns>False when the oldest line was seen already.</returns>
    public bool Scroll(int up, int columns, int rows)
    {
        (int Line, int Hidden) before = Bottom;
        (int line, int hidden) = before;
        for (; up > 0 && line >= 0; up--)
        {
            (line, hidden) = hidden + 1 < RowsOf(line, columns).Count ? (line, hidden + 1)
                : line > 0 ? (line - 1, 0) : (line, hidden);
        }

        // The oldest row is the first of the window at most.
        _bottom = (line, hidden);
        int missing = rows - SeenRows(columns, rows).Count;
        for (int down = Math.Max(-up, missing); down > 0; down--)
        {
            (line, hidden) = hidden > 0 ? (line, hidden - 1)
                : line < _lines.Count - 1 ? (line + 1, RowsOf(line + 1, columns).Count - 1) : (line, hidden);
        }

        _bottom = line >= _lines.Count - 1 && hidden == 0 ? null : (line, hidden);
        return (line, hidden) != before || (up < 0 && line >= 0);
    }

    public IReadOnlyList<int> Find(string text)
    {
        bool Contains(string? part) => part?.Contains(text, StringComparison.CurrentCultureIgnoreCase) == true;
        return [.. Enumerable.Range(0, _lines.Count).Where(line => Contains(_lines[line].Text) || Contains(_lines[line].Speaker))];
    }

    public void Show(int line, int columns, int rows)
    {
        _bottom = (line, 0);
        Scroll(-(rows / 3), columns, rows);
    }

    /// <summary>The rows that are seen, from the top; fewer than there is room for when there are no more.</summary>
    public IReadOnlyList<(string Text, Paint Paint)[]> SeenRows(int columns, int rows)
    {
        List<(string Text, Paint Paint)[]> seen = [];
        (int line, int hidden) = Bottom;
        for (; line >= 0 && seen.Count < rows; line--, hidden = 0)
        {
            List<(string Text, Paint Paint)[]> lines = RowsOf(line, columns);
            seen.InsertRange(0, lines.Take(Math.Max(lines.Count - hidden, 1)));
        }

        return seen[^Math.Min(rows, seen.Count)..];
    }

    private List<(string Text, Paint Paint)[]> RowsOf(int line, int columns)
    {
        List<(string Text, Paint Paint)[]> rows = LineLayout.Rows(_lines[line], columns);
        if (line == _unreadFrom)
        {
            rows.Insert(0, LineLayout.UnreadMark(columns));
        }

        if (_lines[line].At is { } at && line > 0 && _lines[line - 1].At is { } before && before.Date != at.Date)
        {
            rows.Insert(0, LineLayout.DateMark(at, columns));
        }

        return rows;
    }

    private void Shift(int lines)
    {
        _unreadFrom = Math.Max(_unreadFrom + lines ?? -1, -1) is >= 0 and int from ? from : null;
        _bottom = _bottom is { } bottom ? (Math.Max(bottom.Line + lines, 0), bottom.Line + lines < 0 ? 0 : bottom.Hidden) : null;
    }
}

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

    private static (string Text, Paint Paint)[] Rule(string label, int columns, Paint paint) =>
        [(label.PadLeft((columns + label.Length) / 2, '─').PadRight(columns, '─'), paint)];

    private static Paint PaintOf(LineKind kind) => kind switch
    {
        LineKind.Direct => Paint.Bold,
        LineKind.Hint or LineKind.Event => Paint.Dim,
        LineKind.Warning => Paint.Warning,
        LineKind.Error or LineKind.Unread => Paint.Alert,
        _ => Paint.Normal,
    };
}
