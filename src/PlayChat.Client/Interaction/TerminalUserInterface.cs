using System.Globalization;
using System.Text;
using System.Threading.Channels;

namespace PlayChat.Client.Interaction;

/// <summary>A person at a terminal: lines appear above the input line, which stays whole whatever arrives.</summary>
/// <remarks>
/// One loop owns the screen: keys, lines to show and questions come to it through one queue, and what it took at once it draws with one
/// write.
/// No other thread waits for the terminal, so that one that stands still (Ctrl+S) does not stop the connection; lines beyond
/// <see cref="MaxQueuedLines"/> are then not shown, and their number is.
/// </remarks>
internal sealed class TerminalUserInterface : IUserInterface
{
    /// <summary>Lines and tables that may wait for the terminal.</summary>
    public const int MaxQueuedLines = 2000;

    // Keys that may wait for a question: more than anybody types ahead, less than a pasted book.
    private const int MaxQueuedKeys = 65_536;

    private readonly ITerminal _terminal;
    private readonly TerminalFormat _format;
    private readonly Channel<TerminalEvent> _events =
        Channel.CreateUnbounded<TerminalEvent>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Queue<KeyInput> _typedAhead = new();
    private readonly Queue<string> _posted = new();
    private readonly StringBuilder _frame = new();
    private readonly Task _loop;
    private int _queuedLines;
    private int _queuedKeys;
    private int _unshownLines;
    private LineEditor? _editor;
    private LineHelp? _help;
    private PastedLines? _pasted;
    private LineEditor? _question;
    private string _draft = "";
    private TaskCompletionSource<string?>? _line;
    private bool _isDrawn;
    private bool _isChanged;
    private bool _keysEnded;
    private volatile bool _hasText; // the loop writes it, Ctrl+C reads it

    /// <param name="terminal">Disposed with this object.</param>
    /// <param name="usesColors">Whether lines are coloured.</param>
    public TerminalUserInterface(ITerminal terminal, bool usesColors)
    {
        _terminal = terminal;
        _format = new TerminalFormat(usesColors);
        terminal.UseModes(TerminalModes.PasteOn, TerminalModes.PasteOff);
        terminal.Changed += OnChanged;
        _loop = Task.Run(RunAsync);

        KeyReader.Start(terminal, TakeKey);
    }

    public bool IsInteractive => true;

    public async Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var line = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!_events.Writer.TryWrite(new TerminalEvent.BeginRead(prompt, line)))
        {
            return null; // the loop has ended
        }

        await using CancellationTokenRegistration cancelled = cancellationToken.Register(
            () => _events.Writer.TryWrite(new TerminalEvent.CancelRead(line, cancellationToken)));
        return await line.Task;
    }

    public void Write(ScreenLine line) => Show(_format.Format(line, _terminal.Columns));

    public void Write(ScreenTable table) => Show(_format.Format(table, _terminal.Columns));

    public bool TryDiscardLine()
    {
        if (!_hasText)
        {
            return false;
        }

        _hasText = false; // so that the next Ctrl+C ends the program also when the terminal stands still
        return _events.Writer.TryWrite(new TerminalEvent.Discard());
    }

    public void Clear() => _events.Writer.TryWrite(new TerminalEvent.Clear());

    public async ValueTask DisposeAsync()
    {
        _terminal.Changed -= OnChanged;
        _events.Writer.TryComplete();
        try
        {
            await _loop;
        }
        catch (Exception e)
        {
            throw new UserInterfaceFailedException(e);
        }
        finally
        {
            _terminal.Dispose();
        }
    }

    private void Show(string text)
    {
        if (Interlocked.Increment(ref _queuedLines) > MaxQueuedLines)
        {
            Interlocked.Decrement(ref _queuedLines);
            Interlocked.Increment(ref _unshownLines);
            return;
        }

        _events.Writer.TryWrite(new TerminalEvent.Output(text));
    }

    private void OnChanged(object? sender, EventArgs e) => _events.Writer.TryWrite(new TerminalEvent.Redraw());

    private void TakeKey(KeyInput? input)
    {
        if (input is null || Interlocked.Increment(ref _queuedKeys) <= MaxQueuedKeys)
        {
            _events.Writer.TryWrite(new TerminalEvent.Key(input));
        }
        else
        {
            Interlocked.Decrement(ref _queuedKeys);
        }
    }

    private async Task RunAsync()
    {
        try
        {
            while (await _events.Reader.WaitToReadAsync())
            {
                while (_events.Reader.TryRead(out TerminalEvent? next))
                {
                    Apply(next);
                }

                Draw();
            }

            Erase();
            _terminal.Write(_frame.ToString());
        }
        finally
        {
            // Also after a fault: the program then ends, and DisposeAsync throws what happened.
            _events.Writer.TryComplete();
            EndReads();
        }
    }

    /// <summary>Ends the read that waits for a line, and one that the loop has not taken.</summary>
    private void EndReads()
    {
        _line?.TrySetResult(null);
        while (_events.Reader.TryRead(out TerminalEvent? next))
        {
            if (next is TerminalEvent.BeginRead begin)
            {
                begin.Line.TrySetResult(null);
            }
        }
    }

    private void Apply(TerminalEvent next)
    {
        switch (next)
        {
            case TerminalEvent.Key { Input: { } key }:
                _typedAhead.Enqueue(key);
                Type();
                break;

            case TerminalEvent.Key:
                _keysEnded = true;
                EndRead(null);
                break;

            case TerminalEvent.Output output:
                Interlocked.Decrement(ref _queuedLines);
                Erase();
                _frame.Append(output.Text);
                if (Interlocked.Exchange(ref _unshownLines, 0) is > 0 and int unshown)
                {
                    _frame.Append(CultureInfo.InvariantCulture, $"({unshown} lines are not shown: the terminal stood still)\n");
                }

                break;

            case TerminalEvent.Discard when _editor is not null:
                Discard(_editor);
                break;

            case TerminalEvent.Clear:
                _frame.Append(TerminalModes.ClearScreen);
                _isDrawn = false;
                break;

            case TerminalEvent.BeginRead begin:
                Begin(begin);
                if (_keysEnded)
                {
                    EndRead(null);
                }

                Type();
                break;

            case TerminalEvent.CancelRead cancel when cancel.Line == _line:
                Abandon();
                cancel.Line.TrySetCanceled(cancel.Token);
                break;

            case TerminalEvent.Redraw:
                _isChanged = true;
                break;
        }
    }

    private void Begin(TerminalEvent.BeginRead begin)
    {
        _help = begin.Prompt.Help;
        if (_help is null)
        {
            _posted.Clear(); // the room in which they were pasted has been left
        }

        if (_posted.TryDequeue(out string? line))
        {
            begin.Line.TrySetResult(line);
            return;
        }

        string text = _help is not null && begin.Prompt.InitialText.Length == 0 ? _draft : begin.Prompt.InitialText;
        _draft = "";
        _editor = new LineEditor(begin.Prompt with { InitialText = text });
        _line = begin.Line;
        _isChanged = true;
    }

    private void Type()
    {
        while (_editor is not null && _typedAhead.TryDequeue(out KeyInput input))
        {
            Interlocked.Decrement(ref _queuedKeys);
            if (_pasted is { } pasted)
            {
                if (PastedLines.AnswerOf(input) is { } posts)
                {
                    Answer(pasted, posts);
                }

                continue;
            }

            if (input.Burst is { } keys && _help is null)
            {
                TypeAhead(keys);
                continue;
            }

            switch (input.Burst is { } lines ? Paste(_editor.Text + KeyInput.TextOf(lines), takesDraft: true)
                : input.Pasted is { } text ? Paste(text)
                : _editor.Apply(input.Key))
            {
                case EditResult.Changed:
                    _isChanged = true;
                    break;
                case EditResult.Submitted:
                    EndRead(_editor.Text);
                    break;
                case EditResult.EndOfInput:
                    EndRead(null);
                    break;
            }
        }
    }

    private void TypeAhead(IReadOnlyList<ConsoleKeyInfo> keys)
    {
        KeyInput[] next = [.. KeyInput.OfAnswer(keys), .. _typedAhead];
        Interlocked.Add(ref _queuedKeys, next.Length - _typedAhead.Count);
        _typedAhead.Clear();
        Array.ForEach(next, _typedAhead.Enqueue);
    }

    private EditResult Paste(string text, bool takesDraft = false)
    {
        if (PastedLines.Split(text, out string single, takesDraft) is not { } lines || _help is null)
        {
            if (takesDraft)
            {
                _editor!.Clear(); // the text begins with what it holds
            }

            return _editor!.Insert(single);
        }

        if (lines.Refusal is { } refusal)
        {
            Erase();
            _frame.Append(_format.Format(new ScreenLine(LineKind.Warning, refusal), _terminal.Columns));
            return EditResult.Nothing;
        }

        Erase();
        _pasted = lines;
        _question = new LineEditor(new InputPrompt(lines.Question));
        return EditResult.Changed;
    }

    private void Answer(PastedLines pasted, bool posts)
    {
        Erase();
        _pasted = null;
        _question = null;
        _isChanged = true;
        if (posts)
        {
            pasted.Lines.Skip(1).ToList().ForEach(_posted.Enqueue);
            _draft = pasted.TakesDraft ? "" : _editor!.Text;
            EndRead(pasted.Lines[0]);
        }
        else
        {
            pasted.GiveBack(_editor!, _help!.History);
        }
    }

    private void Discard(LineEditor editor)
    {
        Erase();
        if (!editor.IsSecret)
        {
            _help?.History.Add(editor.Text); // Up brings it back
        }

        editor.Clear();
        _pasted = null;
        _question = null;
        _frame.Append(_format.Format(new ScreenLine(LineKind.Hint, PromptCommands.InterruptHint), _terminal.Columns));
    }

    private void EndRead(string? line)
    {
        if (_editor is null)
        {
            return;
        }

        if (line is not null && _posted.Count == 0)
        {
            _help?.History.Add(line);
        }

        _frame.Append(_editor.RenderDone(_terminal.Columns));
        _line!.TrySetResult(line);
        CloseEditor();
    }

    private void Abandon()
    {
        Erase();
        if (_editor is { IsSecret: false, Text.Length: > 0 })
        {
            // So that it can be copied: it was worth typing.
            _frame.Append(_format.Format(new ScreenLine(LineKind.Hint, "(not sent) " + _editor.Text), _terminal.Columns));
        }

        CloseEditor();
    }

    private void CloseEditor()
    {
        _editor = null;
        _pasted = null;
        _question = null;
        _line = null;
        _isDrawn = false;
    }

    private void Erase()
    {
        if (_isDrawn && _editor is not null)
        {
            _frame.Append((_question ?? _editor).RenderClear(_terminal.Columns));
            _isDrawn = false;
        }
    }

    private void Draw()
    {
        if (_editor is not null && (_isChanged || !_isDrawn))
        {
            _frame.Append((_question ?? _editor).Render(_terminal.Columns));
            _isDrawn = true;
        }

        _hasText = _pasted is not null || _editor is { Text.Length: > 0 };
        _isChanged = false;
        if (_frame.Length > 0)
        {
            _terminal.Write(_frame.ToString());
            _frame.Clear();
        }
    }
}
