using System.Globalization;
using System.Threading.Channels;
using PlayChat.Client.Interaction;

namespace PlayChat.Client.FullScreen;

/// <summary>A person at a terminal whose whole window the client uses.</summary>
/// <remarks>
/// One loop owns the model and the screen. Keys, lines and questions are changes of the model that come to it through one queue; what it
/// took at once it draws with one write. Writers never wait for the terminal: when it stands still (Ctrl+S), lines beyond
/// <see cref="MaxQueuedLines"/> are not shown, and their number is.
/// </remarks>
internal sealed class FullScreenUserInterface : IRoomsUserInterface
{
    /// <summary>Lines that may wait for the terminal.</summary>
    public const int MaxQueuedLines = 2000;

    private const int MaxQueuedKeys = 65_536;
    private const int MaxQueuedInputs = 1000;

    private readonly ITerminal _terminal;
    private readonly bool _usesColors;
    private readonly ChatModel _model;
    private readonly Channel<Action> _changes = Channel.CreateUnbounded<Action>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Channel<RoomInput> _inputs = Channel.CreateUnbounded<RoomInput>();
    private readonly Task _loop;
    private int _queuedLines;
    private int _queuedKeys;
    private int _unshownLines;

    // Of the loop alone.
    private ScreenBuffer? _shown;
    private TaskCompletionSource<string?>? _answer;
    private bool _keysEnded;
    private string? _lastError;

    private volatile bool _hasText; // the loop writes it, Ctrl+C reads it

    /// <param name="terminal">Disposed with this object.</param>
    /// <param name="usesColors">Whether there are colours.</param>
    /// <param name="server">The server as a person reads it.</param>
    public FullScreenUserInterface(ITerminal terminal, bool usesColors, string server)
    {
        _terminal = terminal;
        _usesColors = usesColors;
        _model = new ChatModel(server);
        terminal.UseModes(TerminalModes.FullScreenOn, TerminalModes.FullScreenOff);
        terminal.Changed += OnChanged;
        _changes.Writer.TryWrite(static () => { }); // draws the empty screen
        _loop = Task.Run(RunAsync);
        KeyReader.Start(terminal, TakeKey);
    }

    public bool IsInteractive => true;

    public async Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var answer = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!Change(() => Ask(prompt, answer)))
        {
            return null; // the loop has ended
        }

        await using CancellationTokenRegistration cancelled =
            cancellationToken.Register(() => Change(() => TakeBack(answer, cancellationToken)));
        return await answer.Task;
    }

    public async Task<RoomInput?> ReadInputAsync(CancellationToken cancellationToken)
    {
        while (await _inputs.Reader.WaitToReadAsync(cancellationToken))
        {
            if (_inputs.Reader.TryRead(out RoomInput input))
            {
                return input;
            }
        }

        return null;
    }

    public void Write(ScreenLine line) => ChangeLines(() => Show(_model.Active, line));

    public void Write(ScreenTable table) => ChangeLines(() =>
    {
        foreach (string row in LineFormat.Plain(table))
        {
            _model.Add(_model.Active, new ScreenLine(LineKind.Info, row));
        }
    });

    public bool TryDiscardLine()
    {
        if (!_hasText)
        {
            return false;
        }

        _hasText = false; // so that the next Ctrl+C ends the program also when the terminal stands still
        return Change(_model.DiscardInput);
    }

    public void Clear() => Change(() => _model.Active.Clear());

    public void Write(long roomId, ScreenLine line) => ChangeLines(() => Show(_model.Of(roomId), line));

    public void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines) => Change(() => _model.Of(roomId).AddBefore(lines));

    public void OpenRoom(long roomId, string name, IReadOnlyList<ScreenLine> history) =>
        Change(() => _model.Open(roomId, name, history));

    public void SwitchTo(long roomId) => Change(() => _model.SwitchTo(_model.Of(roomId)));

    public void CloseRoom(long roomId) => Change(() => _model.Close(roomId));

    public void MarkUnread(long roomId) => Change(() => _model.Of(roomId).MarkUnread());

    public void ShowMembers(long roomId, IReadOnlyList<string> names) => Change(() => _model.Of(roomId).Members = names);

    public void KnowRooms(IReadOnlyList<string> names) => Change(() => _model.KnownRooms = names);

    public void KnowPlayers(IReadOnlyList<string> names) => Change(() => _model.KnownPlayers = names);

    public void ShowPlayer(string name) => Change(() => _model.PlayerName = name);

    public void ShowLink(LinkState state) => Change(() => _model.Link = state);

    public async ValueTask DisposeAsync()
    {
        _terminal.Changed -= OnChanged;
        _changes.Writer.TryComplete();
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

        if (_lastError is not null)
        {
            // It went with the screen, and says why the program has ended.
            _terminal.Write(new TerminalFormat(_usesColors).Format(new ScreenLine(LineKind.Error, _lastError), _terminal.Columns));
        }
    }

    private bool Change(Action change) => _changes.Writer.TryWrite(change);

    private void ChangeLines(Action change)
    {
        if (Interlocked.Increment(ref _queuedLines) > MaxQueuedLines)
        {
            Interlocked.Decrement(ref _queuedLines);
            Interlocked.Increment(ref _unshownLines);
            return;
        }

        Change(() =>
        {
            Interlocked.Decrement(ref _queuedLines);
            change();
        });
    }

    private void OnChanged(object? sender, EventArgs e) => Change(() => _shown = null);

    private void TakeKey(KeyInput? input)
    {
        if (input is null)
        {
            Change(EndKeys);
        }
        else if (Interlocked.Increment(ref _queuedKeys) > MaxQueuedKeys)
        {
            Interlocked.Decrement(ref _queuedKeys);
        }
        else
        {
            Change(() =>
            {
                Interlocked.Decrement(ref _queuedKeys);
                Press(input.Value);
            });
        }
    }

    private async Task RunAsync()
    {
        try
        {
            while (await _changes.Reader.WaitToReadAsync())
            {
                _model.Size = (_terminal.Columns, _terminal.Rows);
                while (_changes.Reader.TryRead(out Action? change))
                {
                    change();
                }

                Draw();
            }
        }
        finally
        {
            // Also after a fault: the program then ends, and DisposeAsync throws what happened.
            _changes.Writer.TryComplete();
            EndKeys();
        }
    }

    private void Draw()
    {
        if (Interlocked.Exchange(ref _unshownLines, 0) is > 0 and int unshown)
        {
            _model.Add(_model.Active, new ScreenLine(LineKind.Warning, string.Create(
                CultureInfo.InvariantCulture, $"({unshown} lines are not shown: the terminal stood still)")));
        }

        _hasText = _model.HasInput;
        ScreenBuffer next = ChatView.Draw(_model);
        string difference = ScreenDiff.Render(_shown, next, _usesColors);
        _shown = next;
        if (difference.Length > 0)
        {
            _terminal.Write(difference);
        }
    }

    private void Show(Conversation conversation, ScreenLine line)
    {
        _lastError = line.Kind == LineKind.Error ? line.Text : _lastError;
        _model.Add(conversation, line);
    }

    private void Ask(InputPrompt prompt, TaskCompletionSource<string?> answer)
    {
        if (_keysEnded)
        {
            answer.TrySetResult(null);
            return;
        }

        _answer = answer;
        _model.Ask(prompt);
    }

    private void TakeBack(TaskCompletionSource<string?> answer, CancellationToken cancellationToken)
    {
        if (_answer == answer)
        {
            EndQuestion();
            answer.TrySetCanceled(cancellationToken);
        }
    }

    private void EndQuestion()
    {
        _answer = null;
        _model.EndQuestion();
    }

    private void Press(KeyInput input)
    {
        if (input.Burst is { } keys && !_model.TakesPaste)
        {
            foreach (KeyInput next in KeyInput.OfAnswer(keys))
            {
                Press(next);
            }

            return;
        }

        foreach (KeyEffect effect in _model.Apply(input))
        {
            switch (effect)
            {
                case KeyEffect.Entered entered when _inputs.Reader.Count < MaxQueuedInputs:
                    _inputs.Writer.TryWrite(new RoomInput(entered.RoomId, entered.Line));
                    break;
                case KeyEffect.Entered { Line: { } line }:
                    _model.Add(_model.Active, new ScreenLine(LineKind.Warning, $"Not sent, too much waits already: {line}"));
                    break;
                case KeyEffect.Answered answered:
                    TaskCompletionSource<string?>? answer = _answer;
                    EndQuestion();
                    _lastError = null; // the user has seen it, and went on
                    answer?.TrySetResult(answered.Line);
                    break;
                case KeyEffect.Ended:
                    EndKeys();
                    break;
                case KeyEffect.Redraw:
                    _shown = null;
                    break;
            }
        }
    }

    private void EndKeys()
    {
        _keysEnded = true;
        _inputs.Writer.TryComplete();
        TaskCompletionSource<string?>? answer = _answer;
        EndQuestion();
        answer?.TrySetResult(null);
    }
}
