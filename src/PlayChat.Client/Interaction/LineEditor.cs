using System.Globalization;
using System.Text;
using PlayChat.Client.Text;

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

    private readonly InputPrompt _prompt;
    private readonly string _label;
    private readonly StringBuilder _text;
    private int _cursor;
    private int _firstVisible;
    private char _highSurrogate;
    private int _drawnCursorColumn;
    private int _drawnColumns;
    private IReadOnlyList<string> _candidates = [];
    private int _candidate;
    private string _afterCandidate = "";

    public LineEditor(InputPrompt prompt)
    {
        _prompt = prompt;
        _label = SafeText.Clean(prompt.Label);
        _text = new StringBuilder(prompt.InitialText);
        _cursor = _text.Length;
    }

    /// <summary>What has been typed.</summary>
    public string Text => _text.ToString();

    /// <summary>Whether what has been typed must not be shown.</summary>
    public bool IsSecret => _prompt.IsSecret;

    /// <summary>Empties the line.</summary>
    public void Clear()
    {
        _text.Clear();
        _cursor = 0;
        _candidates = [];
    }

    /// <summary>Types a text at the cursor, as far as the line takes it.</summary>
    public EditResult Insert(string text)
    {
        _candidates = [];
        int room = Math.Min(text.Length, MaxChars - _text.Length);
        _text.Insert(_cursor, text[..room]);
        _cursor += room;
        return room > 0 ? EditResult.Changed : EditResult.Nothing;
    }

    /// <summary>Applies a key.</summary>
    public EditResult Apply(ConsoleKeyInfo key)
    {
        if (key.Key == ConsoleKey.Tab)
        {
            return Complete(backwards: key.Modifiers.HasFlag(ConsoleModifiers.Shift));
        }

        _candidates = [];
        bool control = key.Modifiers.HasFlag(ConsoleModifiers.Control);
        switch (key.Key)
        {
            case ConsoleKey.Enter:
                return EditResult.Submitted;
            case ConsoleKey.Backspace when control:
            case ConsoleKey.W when control:
                return Remove(WordBefore(), _cursor);
            case ConsoleKey.Backspace:
                return Remove(Before(_cursor), _cursor);
            case ConsoleKey.D when control && _text.Length == 0:
                return EditResult.EndOfInput;
            case ConsoleKey.Delete:
            case ConsoleKey.D when control:
                return Remove(_cursor, After(_cursor));
            case ConsoleKey.LeftArrow:
            case ConsoleKey.B when control:
                return MoveTo(Before(_cursor));
            case ConsoleKey.RightArrow:
            case ConsoleKey.F when control:
                return MoveTo(After(_cursor));
            case ConsoleKey.Home:
            case ConsoleKey.A when control:
                return MoveTo(0);
            case ConsoleKey.End:
            case ConsoleKey.E when control:
                return MoveTo(_text.Length);
            case ConsoleKey.UpArrow:
                return Replace(_prompt.Help?.History.Older(Text));
            case ConsoleKey.DownArrow:
                return Replace(_prompt.Help?.History.Newer());
            case ConsoleKey.U when control:
                return Remove(0, _cursor);
            case ConsoleKey.K when control:
                return Remove(_cursor, _text.Length);
            default:
                return key.KeyChar is '\r' or '\n' ? EditResult.Submitted : Insert(key);
        }
    }

    /// <summary>What draws the line anew, wherever in its row the cursor stands.</summary>
    /// <param name="columns">The width of the window.</param>
    public string Render(int columns)
    {
        // The last column stays free: terminals differ in what happens once it is written to.
        int columnsLeft = Math.Max(columns - 1, 1);
        int labelColumns = TextWidth.Of(_label);
        bool showsLabel = labelColumns + MinTextColumns <= columnsLeft;
        var line = new StringBuilder(RenderClear(columns));
        _drawnColumns = columns;
        _drawnCursorColumn = 0;
        if (showsLabel)
        {
            line.Append(_label);
            columnsLeft -= labelColumns;
            _drawnCursorColumn = labelColumns;
        }

        if (_prompt.IsSecret)
        {
            return line.ToString();
        }

        (string before, string after) = Visible(columnsLeft);
        line.Append(SafeText.Clean(before)).Append(SafeText.Clean(after));
        _drawnCursorColumn += TextWidth.Of(SafeText.Clean(before));
        if (after.Length > 0)
        {
            line.Append('\r');
            if (_drawnCursorColumn > 0)
            {
                line.Append(CultureInfo.InvariantCulture, $"\u001b[{_drawnCursorColumn}C");
            }
        }

        return line.ToString();
    }

    /// <summary>What takes the line off the screen when it is done: it goes, or stays as text above.</summary>
    public string RenderDone(int columns) =>
        RenderClear(columns) + (!_prompt.StaysOnScreen ? "" : _label + (_prompt.IsSecret ? "" : SafeText.Clean(Text)) + "\n");

    /// <summary>What makes room for other output in the line's row.</summary>
    public string RenderClear(int columns)
    {
        // A window that has become narrower since has broken the line into rows, and the cursor went down with its text.
        int rowsDown = columns < _drawnColumns ? _drawnCursorColumn / columns : 0;
        _drawnColumns = 0;
        return rowsDown == 0 ? ClearFromHere : string.Create(CultureInfo.InvariantCulture, $"\u001b[{rowsDown}A{ClearFromHere}");
    }

    /// <summary>The line as it looks in one row: the label, and as much of the text as fits around the cursor.</summary>
    /// <param name="columns">The width of the row; the last column stays free.</param>
    public (string Text, int CursorColumn) Layout(int columns)
    {
        int columnsLeft = Math.Max(columns - 1, 1);
        bool showsLabel = TextWidth.Of(_label) + MinTextColumns <= columnsLeft;
        string label = showsLabel ? _label : "";
        (string before, string after) = IsSecret ? ("", "") : Visible(columnsLeft - TextWidth.Of(label));
        before = label + SafeText.Clean(before);
        return (before + SafeText.Clean(after), TextWidth.Of(before));
    }

    private (string Before, string After) Visible(int columns)
    {
        string text = Text;
        int cursor = _cursor;
        int first = cursor;
        int used = cursor < text.Length ? Width(text, cursor, After(cursor)) : 0;

        // As far to the left as fits before the cursor, but not beyond what was shown last time, so that the text stands still.
        int limit = TextWidth.Of(text) <= columns ? 0 : Math.Min(_firstVisible, cursor);
        while (first > limit)
        {
            int previous = Before(first);
            int width = Width(text, previous, first);
            if (used + width > columns)
            {
                break;
            }

            used += width;
            first = previous;
        }

        int last = cursor < text.Length ? After(cursor) : cursor;
        while (last < text.Length)
        {
            int next = After(last);
            used += Width(text, last, next);
            if (used > columns)
            {
                break;
            }

            last = next;
        }

        // What is free at the right because the text ends there shows more of what is at the left.
        for (int previous; last == text.Length && first > 0; first = previous)
        {
            previous = Before(first);
            used += Width(text, previous, first);
            if (used > columns)
            {
                break;
            }
        }

        _firstVisible = first;
        return (text[first..cursor], text[cursor..last]);
    }

    private static int Width(string text, int from, int to) => TextWidth.OfGrapheme(text.AsSpan(from, to - from));

    private EditResult Insert(ConsoleKeyInfo key)
    {
        char c = key.KeyChar;

        // Alt alone is a command of other programs; Alt with Control is AltGr, which types.
        bool command = key.Modifiers.HasFlag(ConsoleModifiers.Alt) && !key.Modifiers.HasFlag(ConsoleModifiers.Control);
        if (char.IsControl(c) || command || _text.Length >= MaxChars)
        {
            return EditResult.Nothing;
        }

        // A character beyond U+FFFF comes as two keys.
        if (char.IsHighSurrogate(c))
        {
            _highSurrogate = c;
            return EditResult.Nothing;
        }

        if (char.IsLowSurrogate(c))
        {
            if (_highSurrogate == default)
            {
                return EditResult.Nothing;
            }

            _text.Insert(_cursor++, _highSurrogate);
        }

        _highSurrogate = default;
        _text.Insert(_cursor++, c);
        return EditResult.Changed;
    }

    private EditResult Replace(string? text)
    {
        if (text is null)
        {
            return EditResult.Nothing;
        }

        _text.Clear().Append(text);
        _cursor = _text.Length;
        return EditResult.Changed;
    }

    // The first Tab takes the first candidate, each further one the next.
    private EditResult Complete(bool backwards)
    {
        if (_candidates.Count == 0)
        {
            string before = Text[.._cursor];
            _candidates = _prompt.Help?.Complete(before) ?? [];
            _candidate = backwards ? 0 : -1;
            _afterCandidate = Text[_cursor..];
        }

        if (_candidates.Count == 0)
        {
            return EditResult.Nothing;
        }

        _candidate = (_candidate + (backwards ? _candidates.Count - 1 : 1)) % _candidates.Count;
        _text.Clear().Append(_candidates[_candidate]);
        _cursor = _text.Length;
        _text.Append(_afterCandidate);
        return EditResult.Changed;
    }

    private EditResult Remove(int from, int to)
    {
        if (from == to)
        {
            return EditResult.Nothing;
        }

        _text.Remove(from, to - from);
        _cursor = from;
        return EditResult.Changed;
    }

    private EditResult MoveTo(int position)
    {
        if (position == _cursor)
        {
            return EditResult.Nothing;
        }

        _cursor = position;
        return EditResult.Changed;
    }

    private int WordBefore()
    {
        int start = _cursor;
        while (start > 0 && char.IsWhiteSpace(_text[start - 1]))
        {
            start--;
        }

        while (start > 0 && !char.IsWhiteSpace(_text[start - 1]))
        {
            start--;
        }

        return start;
    }

    private int Before(int position)
    {
        int start = 0;
        foreach (int boundary in StringInfo.ParseCombiningCharacters(Text))
        {
            if (boundary >= position)
            {
                break;
            }

            start = boundary;
        }

        return start;
    }

    private int After(int position) =>
        position >= _text.Length ? position : position + StringInfo.GetNextTextElementLength(Text, position);
}
