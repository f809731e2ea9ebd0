using System.Threading.Channels;
using PlayChat.Client.Interaction;

namespace PlayChat.Client.FullScreen;

/// <summary>A person at a terminal whose whole window the client uses.</summary>
/// <remarks>The model belongs to the loop: whatever comes from elsewhere is a change that the loop carries out.</remarks>
internal sealed class FullScreenUserInterface : IUserInterface
{
    private const int MaxQueuedInputs = 1000;

    private readonly ITerminal _terminal;
    private readonly bool _usesColors;
    private readonly ChatModel _model;
    private readonly Channel<RoomInput> _inputs = Channel.CreateUnbounded<RoomInput>();
    private readonly TerminalLoop _loop;
    private volatile bool _hasText; // the loop writes it, Ctrl+C reads it

    // Of the loop alone.
    private ScreenBuffer? _shown;
    private TaskCompletionSource<string?>? _answer;
    private bool _keysEnded;
    private string? _lastError;

    /// <param name="terminal">Disposed with this object.</param>
    /// <param name="server">The server as a person reads it.</param>
    public FullScreenUserInterface(ITerminal terminal, bool usesColors, string server)
    {
        _terminal = terminal;
        _usesColors = usesColors;
        _model = new ChatModel(server);
        terminal.UseModes(TerminalModes.FullScreenOn, TerminalModes.FullScreenOff);
        _loop = new TerminalLoop(
            terminal,
            Press,
            redraw: () => _shown = null,
            tell: line => _model.Add(_model.Active, new ScreenLine(LineKind.Warning, line)),
            Draw);
    }

    public bool IsInteractive => true;

    public bool ShowsOneRoom => false;

    public Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken) =>
        _loop.AskAsync(answer => Ask(prompt, answer), TakeBack, cancellationToken);

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

    public void PutBack(string line) => _loop.Change(() => _model.PutBack(line));

    public bool TryDiscardLine()
    {
        if (!_hasText)
        {
            return false;
        }

        _hasText = false; // so that the next Ctrl+C ends the program also when the terminal stands still
        return _loop.Change(_model.DiscardInput);
    }

    public void CompleteWith(Func<long, string, IReadOnlyList<string>> find) => _loop.Change(() => _model.Complete = find);

    public void Write(ScreenLine line, long? roomId = null) =>
        _loop.Show(() => Show(roomId is { } room ? _model.Of(room) : _model.Active, line));

    public void Write(ScreenTable table) => _loop.Show(() =>
    {
        foreach (string row in LineFormat.Plain(table))
        {
            _model.Add(_model.Active, new ScreenLine(LineKind.Info, row));
        }
    });

    public void Clear() => _loop.Change(() => _model.Active.Clear());

    public void OpenRoom(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history) =>
        _loop.Change(() => _model.Open(roomId, name, members, history));

    public void SwitchTo(long roomId) => _loop.Change(() => _model.SwitchTo(_model.Of(roomId)));

    public void CloseRoom(long roomId) => _loop.Change(() => _model.Close(roomId));

    public void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines) => _loop.Change(() => _model.Of(roomId).AddBefore(lines));

    public void MarkUnread(long roomId) => _loop.Change(() => _model.Of(roomId).MarkUnread());

    public void ShowMembers(long roomId, IReadOnlyList<string> names) => _loop.Change(() => _model.Of(roomId).Members = names);

    public void ShowPlayer(string name) => _loop.Change(() => _model.PlayerName = name);

    public void ShowLink(LinkState state) => _loop.Change(() => _model.Link = state);

    public async ValueTask DisposeAsync()
    {
        await _loop.EndAsync();
        if (_lastError is not null)
        {
            // It went with the screen, and says why the program has ended.
            _terminal.Write(LineFormat.Plain(new ScreenLine(LineKind.Error, _lastError)) + "\n");
        }
    }

    private void Draw()
    {
        _model.Size = (_terminal.Columns, _terminal.Rows);
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

    private bool TakeBack(TaskCompletionSource<string?> answer)
    {
        bool waits = _answer == answer;
        if (waits)
        {
            EndQuestion();
        }

        return waits;
    }

    private void EndQuestion()
    {
        _answer = null;
        _model.EndQuestion();
    }

    private void Press(KeyInput? key)
    {
        if (key is not { } input)
        {
            EndKeys();
            return;
        }

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
