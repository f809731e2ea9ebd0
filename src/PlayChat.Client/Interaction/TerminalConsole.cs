namespace PlayChat.Client.Interaction;

/// <summary>A person at a terminal: lines appear above the input line, which stays whole whatever arrives.</summary>
/// <remarks>What is typed between two reads waits for the next one.</remarks>
internal sealed class TerminalConsole : TerminalFace, ILineConsole
{
    private volatile Func<string, IReadOnlyList<string>> _complete = static _ => [];

    // Of the loop alone.
    private readonly InputLine _input;
    private readonly StringBuilder _frame = new();
    private readonly Queue<string> _posted = new();
    private Queue<KeyInput> _typedAhead = new();
    private LineEditor? _drawn;

    /// <param name="terminal">Disposed with this object.</param>
    public TerminalConsole(ITerminal terminal)
        : base(terminal)
    {
        _input = new InputLine(before => _complete(before), Tell);
        Start(PasteOn, PasteOff);
    }

    public bool IsInteractive => true;

    protected override bool HasText => IsAsked && _input.HasText;

    public void CompleteWith(Func<string, IReadOnlyList<string>> find) => _complete = find;

    public void Write(string text, bool isError) => Show(() => Tell(text));

    public void PutBack(string line) => Change(() => _input.PutBack(line));

    public void Clear() => Change(() =>
    {
        _frame.Append("\u001b[2J\u001b[1;1H"); // the cursor goes into the first row
        _drawn = null;
    });

    protected override void Ask(InputPrompt prompt)
    {
        if (!prompt.IsChat)
        {
            _posted.Clear(); // the room in which they were pasted has been left
            _input.Ask(prompt);
        }
        else if (_posted.TryDequeue(out string? posted))
        {
            Answer(posted);
            return;
        }

        Type();
    }

    protected override void Press(KeyInput input)
    {
        if (_typedAhead.Count < MaxQueued)
        {
            _typedAhead.Enqueue(input);
            Type();
        }
    }

    protected override void EndQuestion()
    {
        Erase();
        if (_input.IsQuestion)
        {
            _frame.Append(_input.Editor.RenderDone());
            _input.EndQuestion();
        }
    }

    protected override void TakeBack()
    {
        Erase();
        _input.DropPaste();
        if (_input.Editor is { IsSecret: false, Text.Length: > 0 } typed)
        {
            Tell("(not sent) " + SafeText.Clean(typed.Text)); // so that it can be copied: it was worth typing
        }

        _input.Editor.Clear();
        _input.EndQuestion();
    }

    protected override void Discard()
    {
        if (IsAsked)
        {
            _input.Discard();
            Tell(PromptCommands.InterruptHint);
        }
    }

    protected override void Tell(string line)
    {
        Erase();
        int columns = Math.Max(Terminal.Columns, TextWidth.MaxOfGrapheme);
        _frame.AppendJoin('\n', TextWidth.Wrap(line, columns, columns)).Append('\n');
    }

    protected override void Draw()
    {
        if (IsAsked)
        {
            if (_drawn != _input.Editor)
            {
                Erase();
            }

            _drawn = _input.Editor;
            _frame.Append(_drawn.Render(Terminal.Columns));
        }

        if (_frame.Length > 0)
        {
            Terminal.Write(_frame.ToString());
            _frame.Clear();
        }
    }

    private void Type()
    {
        while (IsAsked && _typedAhead.TryDequeue(out KeyInput input))
        {
            if (input.Burst is { } keys && !_input.TakesPaste)
            {
                _typedAhead = new Queue<KeyInput>([.. KeyInput.OfAnswer(keys), .. _typedAhead]);
                continue;
            }

            IReadOnlyList<string>? entered = _input.Apply(input);
            if (entered is not { Count: 0 })
            {
                entered?.Skip(1).ToList().ForEach(_posted.Enqueue);
                Answer(entered?[0]);
            }
        }
    }

    private void Erase()
    {
        if (_drawn is { } drawn)
        {
            _frame.Append(drawn.RenderClear(Terminal.Columns));
            _drawn = null;
        }
    }
}
