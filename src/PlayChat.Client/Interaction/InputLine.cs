namespace PlayChat.Client.Interaction;

/// <summary>The line in which a person types: the line of chat, a question, or the question about a paste.</summary>
/// <remarks>What was begun in the line of chat stays while a question is asked. For one thread.</remarks>
internal sealed class InputLine
{
    private readonly LineHistory _history = new();
    private readonly LineEditor _chat;
    private readonly Action<string> _warn;
    private LineEditor? _question;
    private (PastedLines Lines, LineEditor Question)? _pasted;

    /// <param name="complete">For Tab: what may replace the text before the cursor.</param>
    /// <param name="warn">Tells that a paste is refused.</param>
    public InputLine(Func<string, IReadOnlyList<string>> complete, Action<string> warn)
    {
        _chat = new LineEditor(InputPrompt.Chat, "", _history, complete);
        _warn = warn;
    }

    public LineEditor Editor => _pasted?.Question ?? _question ?? _chat;

    /// <summary>Whether a question has been asked and not been answered.</summary>
    public bool IsQuestion => _question is not null;

    /// <summary>Whether the user is asked about a paste.</summary>
    public bool HasPaste => _pasted is not null;

    /// <summary>Whether several lines are one input: they are a paste, or say no to one.</summary>
    public bool TakesPaste => HasPaste || _question is null;

    /// <summary>Whether there is something to drop: <see cref="Discard"/>.</summary>
    public bool HasText => HasPaste || Editor.Text.Length > 0;

    public void Ask(InputPrompt prompt) => _question = new LineEditor(prompt);

    /// <summary>The question has been answered or taken back.</summary>
    public void EndQuestion() => _question = null;

    /// <summary>Puts a line into the line of chat, unless something has been typed there.</summary>
    public void PutBack(string line)
    {
        if (_chat.Text.Length == 0)
        {
            _chat.Insert(line);
        }
    }

    /// <summary>Drops a paste that has not been posted.</summary>
    public void DropPaste() => _pasted = null;

    /// <summary>Drops a paste, or what has been typed. Up brings back a line of chat.</summary>
    public void Discard()
    {
        if (_pasted is null)
        {
            if (_question is null)
            {
                _history.Add(_chat.Text);
            }

            Editor.Clear();
        }

        _pasted = null;
    }

    /// <summary>Applies a key, a paste or a burst; a burst only while <see cref="TakesPaste"/>.</summary>
    /// <returns>The lines that were entered: several by a paste. Null at the end of the input: Ctrl+D in an empty line.</returns>
    public IReadOnlyList<string>? Apply(KeyInput input)
    {
        if (_pasted is { } pasted)
        {
            return PastedLines.AnswerOf(input) is { } posts ? Answer(pasted.Lines, posts) : [];
        }

        if (input.Burst is { } keys)
        {
            return Paste(_chat.Text + KeyInput.TextOf(keys), takesDraft: true);
        }

        if (input.Pasted is { } text)
        {
            return Paste(text, takesDraft: false);
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

    private string[] Paste(string text, bool takesDraft)
    {
        PastedLines? lines = PastedLines.Split(text, out string single, takesDraft);
        if (lines is null || _question is not null)
        {
            if (takesDraft)
            {
                _chat.Clear(); // the text begins with what it holds
            }

            Editor.Insert(single);
        }
        else if (lines.Refusal is { } refusal)
        {
            _warn(refusal);
        }
        else
        {
            _pasted = (lines, new LineEditor(new InputPrompt(lines.Question)));
        }

        return [];
    }

    private IReadOnlyList<string> Answer(PastedLines lines, bool posts)
    {
        _pasted = null;
        if (!posts)
        {
            lines.GiveBack(_chat, _history);
            return [];
        }

        if (lines.TakesDraft)
        {
            _chat.Clear();
        }

        return lines.Lines;
    }
}
