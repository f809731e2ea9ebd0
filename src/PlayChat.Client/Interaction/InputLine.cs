namespace PlayChat.Client.Interaction;

/// <summary>The line in which a person types: the line of chat, a question, or the question about a paste.</summary>
/// <remarks>What was begun in the line of chat stays while a question is asked. For one thread.</remarks>
internal sealed class InputLine
{
    /// <summary>Lines that can be posted at once. A server takes 100 packets a second from one client by default; some are left for the
    /// client's own.</summary>
    public const int MaxPastedLines = 90;

    private readonly LineHistory _history = new();
    private readonly LineEditor _chat;
    private readonly Action<string> _warn;
    private LineEditor? _question;
    private Paste? _paste;

    /// <param name="complete">For Tab: what may replace the text before the cursor.</param>
    public InputLine(Func<string, IReadOnlyList<string>> complete, Action<string> warn)
    {
        _chat = new LineEditor(InputPrompt.Chat, _history, complete);
        _warn = warn;
    }

    public LineEditor Editor => _paste?.Question ?? _question ?? _chat;

    public bool IsQuestion => _question is not null;

    public bool HasPaste => _paste is not null;

    /// <summary>Whether several lines are one input: they are a paste, or say no to one.</summary>
    public bool TakesPaste => HasPaste || _question is null;

    public bool HasText => HasPaste || Editor.Text.Length > 0;

    public void Ask(InputPrompt prompt) => _question = new LineEditor(prompt);

    public void EndQuestion() => _question = null;

    /// <summary>Puts a line into the line of chat, unless something has been typed there.</summary>
    public void PutBack(string line)
    {
        if (_chat.Text.Length == 0)
        {
            _chat.Insert(line);
        }
    }

    public void DropPaste() => _paste = null;

    /// <summary>Drops a paste, or what has been typed. Up brings back a line of chat.</summary>
    public void Discard()
    {
        if (_paste is null)
        {
            if (_question is null)
            {
                _history.Add(_chat.Text);
            }

            Editor.Clear();
        }

        _paste = null;
    }

    /// <summary>Applies a key, a paste or a burst; a burst only while <see cref="TakesPaste"/>.</summary>
    /// <returns>The lines that were entered: several by a paste. Null at the end of the input: Ctrl+D in an empty line.</returns>
    public IReadOnlyList<string>? Apply(KeyInput input)
    {
        if (_paste is { } paste)
        {
            return Answer(paste, input);
        }

        if ((input.Burst is { } keys ? _chat.Text + KeyInput.TextOf(keys) : input.Pasted) is { } text)
        {
            Take(text, takesDraft: input.Burst is not null);
            return [];
        }

        string line = Editor.Text;
        if (input.Key is { Key: ConsoleKey.D, Modifiers: ConsoleModifiers.Control } && line.Length == 0)
        {
            return null;
        }

        if (!KeyInput.IsEnter(input.Key))
        {
            Editor.Apply(input.Key);
            return [];
        }

        if (_question is null)
        {
            _history.Add(line);
            _chat.Clear();
        }

        return [line];
    }

    private void Take(string text, bool takesDraft)
    {
        string[] lines = [.. text.Split('\n').Where(static line => !string.IsNullOrWhiteSpace(line))];
        if (lines.Length < 2 || _question is not null)
        {
            if (takesDraft)
            {
                _chat.Clear(); // the text begins with what it holds
            }

            Editor.Insert(lines.FirstOrDefault() ?? text.Replace("\n", "", StringComparison.Ordinal));
        }
        else if (lines.Length > MaxPastedLines)
        {
            _warn($"Not posted: {lines.Length} lines were pasted, and {MaxPastedLines} is the most at once.");
        }
        else
        {
            _paste = new Paste(lines, text[(text.LastIndexOf('\n') + 1)..], takesDraft);
        }
    }

    private string[] Answer(Paste paste, KeyInput input)
    {
        bool isKey = input is { Pasted: null, Burst: null };
        bool isYes = isKey && input.Key.KeyChar is 'y' or 'Y';
        bool isNo = !isKey || input.Key.KeyChar is 'n' or 'N' || input.Key.Key == ConsoleKey.Escape || KeyInput.IsEnter(input.Key);
        if (!isYes && !isNo)
        {
            return [];
        }

        _paste = null;
        if (isYes && paste.TakesDraft)
        {
            _chat.Clear();
        }
        else if (paste.TakesDraft)
        {
            // The lines were perhaps typed: the last one, without its Enter, goes behind the draft, the others go into the history.
            Array.ForEach(string.IsNullOrWhiteSpace(paste.Unfinished) ? paste.Lines : paste.Lines[..^1], _history.Add);
            _chat.Insert(paste.Unfinished);
        }

        return isYes ? [.. paste.Lines.Select(ChatCommand.Quote)] : []; // a slash at the beginning is no command
    }

    /// <summary>Several lines that were pasted at once: a question comes before they are posted.</summary>
    /// <param name="Lines">The lines, without empty ones.</param>
    /// <param name="Unfinished">What stands behind the last line's end.</param>
    /// <param name="TakesDraft">Whether what was typed before is the beginning of the first line.</param>
    private sealed record Paste(string[] Lines, string Unfinished, bool TakesDraft)
    {
        public LineEditor Question { get; } = new(new InputPrompt($"Post {Lines.Length} lines? [y/N] "));
    }
}
