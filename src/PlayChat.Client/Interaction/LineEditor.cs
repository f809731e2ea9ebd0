namespace PlayChat.Client.Interaction;

/// <summary>One input line: what is typed, where the cursor stands, and how both look in one row of a terminal.</summary>
/// <remarks>The cursor moves by grapheme clusters. A line that is wider than the window scrolls sideways. For one thread.</remarks>
internal sealed class LineEditor
{
    /// <summary>Longest line in UTF-16 units; more is not taken. Four times what the server takes, so that its rule speaks and not this
    /// one.</summary>
    public const int MaxChars = 16_384;

    // Nothing of value stands below the input line.
    private const string ClearFromHere = "\r\u001b[J";

    // So many columns of text at least, or the prompt gives way.
    private const int MinTextColumns = 8;

    private readonly LineHistory? _history;
    private readonly Func<string, IReadOnlyList<string>>? _complete;
    private readonly string _label;
    private readonly StringBuilder _text = new();
    private int _cursor;
    private int _firstVisible;
    private int _drawnCursorColumn;
    private int _drawnColumns;
    private IReadOnlyList<string> _candidates = [];
    private int _candidate;
    private string _afterCandidate = "";

    /// <param name="complete">For Tab: what may replace the text before the cursor.</param>
    public LineEditor(InputPrompt prompt, LineHistory? history = null, Func<string, IReadOnlyList<string>>? complete = null)
    {
        IsSecret = prompt.IsSecret;
        (_history, _complete) = (history, complete);
        _label = SafeText.Clean(prompt.Label);
    }

    public string Text => _text.ToString();

    public bool IsSecret { get; }

    public void Clear()
    {
        _text.Clear();
        _cursor = 0;
        _candidates = [];
    }

    public void Insert(string text)
    {
        _candidates = [];
        int room = Math.Min(text.Length, MaxChars - _text.Length);
        _text.Insert(_cursor, text[..room]);
        _cursor += room;
    }

    /// <summary>Applies a key that changes the line or moves the cursor; others do nothing.</summary>
    public void Apply(ConsoleKeyInfo key)
    {
        if (key.Key == ConsoleKey.Tab)
        {
            Complete(backwards: key.Modifiers.HasFlag(ConsoleModifiers.Shift));
            return;
        }

        _candidates = [];
        bool control = key.Modifiers.HasFlag(ConsoleModifiers.Control);
        int? target = (key.Key, control) switch
        {
            (ConsoleKey.LeftArrow, _) or (ConsoleKey.B, true) => Before(_cursor),
            (ConsoleKey.RightArrow, _) or (ConsoleKey.F, true) => After(_cursor),
            (ConsoleKey.Home, _) or (ConsoleKey.A, true) => 0,
            (ConsoleKey.End, _) or (ConsoleKey.E, true) => _text.Length,
            _ => null,
        };
        (int From, int To)? removed = (key.Key, control) switch
        {
            (ConsoleKey.Backspace or ConsoleKey.W, true) => (WordBefore(), _cursor),
            (ConsoleKey.Backspace, _) => (Before(_cursor), _cursor),
            (ConsoleKey.Delete, _) or (ConsoleKey.D, true) => (_cursor, After(_cursor)),
            (ConsoleKey.U, true) => (0, _cursor),
            (ConsoleKey.K, true) => (_cursor, _text.Length),
            _ => null,
        };
        if (removed is (int from, int to))
        {
            _text.Remove(from, to - from);
            target = from;
        }

        if (target is { } position)
        {
            _cursor = position;
        }
        else if (key.Key is ConsoleKey.UpArrow or ConsoleKey.DownArrow)
        {
            Replace(key.Key == ConsoleKey.UpArrow ? _history?.Older(Text) : _history?.Newer());
        }
        else
        {
            Insert(key);
        }
    }

    /// <summary>What draws the line anew, wherever in its row the cursor stands.</summary>
    public string Render(int columns)
    {
        string clear = RenderClear(columns);
        (string text, _drawnCursorColumn) = Layout(columns);
        _drawnColumns = columns;
        string back = _drawnCursorColumn == TextWidth.Of(text) ? ""
            : _drawnCursorColumn == 0 ? "\r" : $"\r\u001b[{_drawnCursorColumn}C";
        return clear + text + back;
    }

    /// <summary>The line as text that stays above when it is done.</summary>
    public string RenderDone() => _label + (IsSecret ? "" : SafeText.Clean(Text)) + "\n";

    /// <summary>What makes room for other output in the line's row.</summary>
    public string RenderClear(int columns)
    {
        // A window that has become narrower since has broken the line into rows, and the cursor went down with its text.
        int rowsDown = columns < _drawnColumns ? _drawnCursorColumn / columns : 0;
        _drawnColumns = 0;
        return rowsDown == 0 ? ClearFromHere : $"\u001b[{rowsDown}A{ClearFromHere}";
    }

    /// <summary>The line as it looks in one row: the label, and as much of the text as fits around the cursor.</summary>
    /// <param name="columns">The width of the row; the last column stays free.</param>
    public (string Text, int CursorColumn) Layout(int columns)
    {
        // The last column stays free: terminals differ in what happens once it is written to.
        int columnsLeft = Math.Max(columns - 1, 1);
        string label = TextWidth.Of(_label) + MinTextColumns <= columnsLeft ? _label : "";
        (string before, string after) = IsSecret ? ("", "") : Visible(columnsLeft - TextWidth.Of(label));
        before = label + SafeText.Clean(before);
        return (before + SafeText.Clean(after), TextWidth.Of(before));
    }

    private (string Before, string After) Visible(int columns)
    {
        string text = Text;
        (int Start, int Length, int Columns)[] all = [.. TextWidth.GraphemesOf(text)];
        int At(int index) => index < all.Length ? all[index].Start : text.Length;
        int cursor = all.Count(grapheme => grapheme.Start < _cursor);

        // What was shown last time stays where it is, unless the character at the cursor would not be seen.
        int end = Math.Min(cursor + 1, all.Length);
        int first = Math.Min(_firstVisible, cursor);
        int used = all[first..end].Sum(static grapheme => grapheme.Columns);
        while (first < cursor && used > columns)
        {
            used -= all[first++].Columns;
        }

        while (end < all.Length && used + all[end].Columns <= columns)
        {
            used += all[end++].Columns;
        }

        // What is free at the right because the text ends there shows more of what is at the left.
        while (end == all.Length && first > 0 && used + all[first - 1].Columns <= columns)
        {
            used += all[--first].Columns;
        }

        _firstVisible = first;
        return (text[At(first)..At(cursor)], text[At(cursor)..At(end)]);
    }

    private void Insert(ConsoleKeyInfo key)
    {
        char c = key.KeyChar;

        // Alt alone is a command of other programs; Alt with Control is AltGr, which types.
        bool command = key.Modifiers.HasFlag(ConsoleModifiers.Alt) && !key.Modifiers.HasFlag(ConsoleModifiers.Control);

        // A character beyond U+FFFF comes as two keys.
        bool isHalf = char.IsLowSurrogate(c) && (_cursor == 0 || !char.IsHighSurrogate(_text[_cursor - 1]));
        if (!char.IsControl(c) && !command && !isHalf)
        {
            Insert(c.ToString());
        }
    }

    private void Replace(string? text)
    {
        if (text is not null)
        {
            _text.Clear().Append(text);
            _cursor = _text.Length;
        }
    }

    // The first Tab takes the first candidate, each further one the next.
    private void Complete(bool backwards)
    {
        if (_candidates.Count == 0)
        {
            _candidates = _complete?.Invoke(Text[.._cursor]) ?? [];
            _candidate = backwards ? 0 : -1;
            _afterCandidate = Text[_cursor..];
        }

        if (_candidates.Count > 0)
        {
            _candidate = (_candidate + (backwards ? _candidates.Count - 1 : 1)) % _candidates.Count;
            Replace(_candidates[_candidate]);
            _text.Append(_afterCandidate);
        }
    }

    private int WordBefore()
    {
        string before = Text[.._cursor].TrimEnd();
        return Array.FindLastIndex(before.ToCharArray(), char.IsWhiteSpace) + 1;
    }

    private int Before(int position) => StringInfo.ParseCombiningCharacters(Text).LastOrDefault(start => start < position);

    private int After(int position) =>
        position >= _text.Length ? position : position + StringInfo.GetNextTextElementLength(Text, position);
}

/// <summary>The lines that were entered before, for Up and Down. For one thread.</summary>
internal sealed class LineHistory
{
    /// <summary>Lines that are kept; the oldest go first.</summary>
    public const int MaxLines = 200;

    private readonly List<string> _lines = [];
    private int _position;
    private string _draft = "";

    /// <summary>Adds a line and returns to the end. An empty line and a repetition of the last one are not added.</summary>
    public void Add(string line)
    {
        if (line.Length > 0 && (_lines.Count == 0 || _lines[^1] != line))
        {
            _lines.Add(line);
            _lines.RemoveRange(0, Math.Max(_lines.Count - MaxLines, 0));
        }

        _position = _lines.Count;
        _draft = "";
    }

    /// <param name="current">What is in the input line; kept when it is a line that was not entered yet.</param>
    /// <returns>Null at the oldest line.</returns>
    public string? Older(string current)
    {
        if (_position == 0)
        {
            return null;
        }

        _draft = _position == _lines.Count ? current : _draft;
        return _lines[--_position];
    }

    /// <summary>The line after the current one, in the end the one that was not entered yet.</summary>
    /// <returns>Null when there is none.</returns>
    public string? Newer() => _position == _lines.Count ? null : ++_position == _lines.Count ? _draft : _lines[_position];
}
