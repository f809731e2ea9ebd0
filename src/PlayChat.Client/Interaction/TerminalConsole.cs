using System.Text;
using PlayChat.Client.Text;

namespace PlayChat.Client.Interaction;

/// <summary>A person at a terminal: lines appear above the input line, which stays whole whatever arrives.</summary>
/// <remarks>What is typed between two reads waits for the next one.</remarks>
internal sealed class TerminalConsole : ILineConsole
{
    private readonly ITerminal _terminal;
    private readonly TerminalLoop _loop;
    private volatile Func<string, IReadOnlyList<string>> _complete = static _ => [];
    private volatile bool _hasText; // the loop writes it, Ctrl+C reads it

    // Of the loop alone.
    private readonly InputLine _input;
    private readonly StringBuilder _frame = new();
    private readonly Queue<string> _posted = new();
    private Queue<KeyInput> _typedAhead = new();
    private TaskCompletionSource<string?>? _line; // of the read that waits
    private LineEditor? _drawn;
    private bool _isChanged;
    private bool _keysEnded;

    /// <param name="terminal">Disposed with this object.</param>
    public TerminalConsole(ITerminal terminal)
    {
        _terminal = terminal;
        _input = new InputLine(before => _complete(before), Print);
        terminal.UseModes(TerminalModes.PasteOn, TerminalModes.PasteOff);
        _loop = new TerminalLoop(terminal, Press, redraw: () => _isChanged = true, tell: Print, Draw);
    }

    public bool IsInteractive => true;

    public void CompleteWith(Func<string, IReadOnlyList<string>> find) => _complete = find;

    public Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken) =>
        _loop.AskAsync(line => Begin(prompt, line), TakeBack, cancellationToken);

    public void Write(string text, bool isError) => _loop.Show(() => Print(text));

    public void PutBack(string line) => _loop.Change(() => _input.PutBack(line));

    public bool TryDiscardLine()
    {
        if (!_hasText)
        {
            return false;
        }

        _hasText = false; // so that the next Ctrl+C ends the program also when the terminal stands still
        return _loop.Change(Discard);
    }

    public void Clear() => _loop.Change(() =>
    {
        _frame.Append(TerminalModes.ClearScreen);
        _drawn = null;
    });

    public async ValueTask DisposeAsync()
    {
        _loop.Change(() => EndRead(null));
        await _loop.EndAsync();
    }

    private void Begin(InputPrompt prompt, TaskCompletionSource<string?> line)
    {
        if (!prompt.IsChat)
        {
            _posted.Clear(); // the room in which they were pasted has been left
            _input.Ask(prompt);
        }
        else if (_posted.TryDequeue(out string? posted))
        {
            line.TrySetResult(posted);
            return;
        }

        _line = line;
        _isChanged = true;
        if (_keysEnded)
        {
            EndRead(null);
        }

        Type();
    }

    private void Press(KeyInput? input)
    {
        if (input is null)
        {
            _keysEnded = true;
            EndRead(null);
        }
        else if (_typedAhead.Count < TerminalLoop.MaxQueuedKeys)
        {
            _typedAhead.Enqueue(input.Value);
            Type();
        }
    }

    private void Type()
    {
        while (_line is not null && _typedAhead.TryDequeue(out KeyInput input))
        {
            if (input.Burst is { } keys && !_input.TakesPaste)
            {
                _typedAhead = new Queue<KeyInput>([.. KeyInput.OfAnswer(keys), .. _typedAhead]);
                continue;
            }

            _isChanged = true;
            IReadOnlyList<string>? entered = _input.Apply(input);
            if (entered is not { Count: 0 })
            {
                entered?.Skip(1).ToList().ForEach(_posted.Enqueue);
                EndRead(entered?[0]);
            }
        }
    }

    private void EndRead(string? line)
    {
        Erase();
        if (_line is null)
        {
            return;
        }

        if (_input.IsQuestion)
        {
            _frame.Append(_input.Editor.RenderDone());
            _input.EndQuestion();
        }

        _line.TrySetResult(line);
        _line = null;
    }

    private bool TakeBack(TaskCompletionSource<string?> line)
    {
        if (line != _line)
        {
            return false;
        }

        Erase();
        _input.DropPaste();
        if (_input.Editor is { IsSecret: false, Text.Length: > 0 } typed)
        {
            Print("(not sent) " + SafeText.Clean(typed.Text)); // so that it can be copied: it was worth typing
        }

        _input.Editor.Clear();
        _input.EndQuestion();
        _line = null;
        return true;
    }

    private void Discard()
    {
        if (_line is not null)
        {
            _isChanged = true;
            _input.Discard();
            Print(PromptCommands.InterruptHint);
        }
    }

    private void Print(string text)
    {
        Erase();
        int columns = Math.Max(_terminal.Columns, TextWidth.MaxOfGrapheme);
        _frame.AppendJoin('\n', TextWidth.Wrap(text, columns, columns)).Append('\n');
    }

    private void Erase()
    {
        if (_drawn is { } drawn)
        {
            _frame.Append(drawn.RenderClear(_terminal.Columns));
            _drawn = null;
        }
    }

    private void Draw()
    {
        if (_line is not null && (_isChanged || _drawn is null))
        {
            if (_drawn != _input.Editor)
            {
                Erase();
            }

            _drawn = _input.Editor;
            _frame.Append(_drawn.Render(_terminal.Columns));
        }

        _hasText = _line is not null && _input.HasText;
        _isChanged = false;
        if (_frame.Length > 0)
        {
            _terminal.Write(_frame.ToString());
            _frame.Clear();
        }
    }
}
