using System.Threading.Channels;

namespace PlayChat.Client.FullScreen;

/// <summary>A person at a terminal whose whole window the client uses.</summary>
/// <remarks>The model belongs to the loop: whatever comes from elsewhere is a change that the loop carries out.</remarks>
internal sealed class FullScreenUserInterface : TerminalFace, IUserInterface
{
    private const int MaxQueuedInputs = 1000;

    // The alternate screen. What was on the screen before comes back with the end, and the colours and the cursor are as before.
    private const string ScreenOn = "\u001b[?1049h\u001b[2J" + PasteOn;
    private const string ScreenOff = PasteOff + "\u001b[0m\u001b[?25h\u001b[?1049l";

    private readonly bool _usesColors;
    private readonly ChatModel _model;
    private readonly Channel<RoomInput> _inputs = Channel.CreateBounded<RoomInput>(MaxQueuedInputs);

    // Of the loop alone.
    private ScreenBuffer? _shown;
    private string? _lastError;
    private (Action<long> Seen, Action<long> Writes) _watch = (static _ => { }, static _ => { });

    /// <param name="terminal">Disposed with this object.</param>
    public FullScreenUserInterface(ITerminal terminal, bool usesColors, string server)
        : base(terminal)
    {
        _usesColors = usesColors;
        _model = new ChatModel(server);
        Start(ScreenOn, ScreenOff);
    }

    public bool IsInteractive => true;

    public bool ShowsOneRoom => false;

    protected override bool HasText => _model.HasInput;

    public async Task<RoomInput?> ReadInputAsync(CancellationToken cancellationToken) =>
        await _inputs.Reader.WaitToReadAsync(cancellationToken) && _inputs.Reader.TryRead(out RoomInput input) ? input : null;

    public void PutBack(string line) => Change(() => _model.Line.PutBack(line));

    public void CompleteWith(Func<long, string, IReadOnlyList<string>> find) => Change(() => _model.Complete = find);

    public void Write(ScreenLine line, long? roomId = null) =>
        Show(() => Add(roomId is { } room ? _model.Of(room) : _model.Active, line));

    public void Clear() => Change(() => _model.Active.Clear());

    public void OpenRoom(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history) =>
        Change(() => _model.Open(roomId, name, members, history));

    public void SwitchTo(long roomId) => Change(() => _model.SwitchTo(_model.Of(roomId)));

    public void CloseRoom(long roomId) => Change(() => _model.Close(roomId));

    public void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines) => Change(() => _model.Of(roomId).AddBefore(lines));

    public void WatchWith(Action<long> seen, Action<long> writes) => Change(() => _watch = (seen, writes));

    public void ShowWriters(long roomId, IReadOnlyList<string> names) => Change(() => _model.Of(roomId).Writers = names);

    public void ShowMembers(long roomId, IReadOnlyList<string> names) => Change(() => _model.Of(roomId).Members = names);

    public void ShowPlayer(string name) => Change(() => _model.PlayerName = name);

    public void ShowLink(LinkState state) => Change(() => _model.Link = state);

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (_lastError is not null)
        {
            // It went with the screen, and says why the program has ended.
            Terminal.Write(LineFormat.Plain(new ScreenLine(LineKind.Error, _lastError)) + "\n");
        }
    }

    protected override void Ask(InputPrompt prompt) => _model.Line.Ask(prompt);

    protected override void EndQuestion() => _model.Line.EndQuestion();

    protected override void Discard() => _model.DiscardInput();

    protected override void Tell(string line) => _model.Add(_model.Active, new ScreenLine(LineKind.Warning, line));

    protected override void Redraw() => _shown = null;

    protected override void Draw()
    {
        _model.Size = (Terminal.Columns, Terminal.Rows);
        ScreenBuffer next = ChatView.Draw(_model);
        string difference = ScreenDiff.Render(_shown, next, _usesColors);
        _shown = next;
        if (difference.Length > 0)
        {
            Terminal.Write(difference);
        }

        if (_model.Active is { LinesBelow: 0 } seen)
        {
            _watch.Seen(seen.RoomId);
        }
    }

    protected override void Press(KeyInput input)
    {
        if (input.Burst is { } keys && !_model.TakesPaste)
        {
            foreach (KeyInput next in KeyInput.OfAnswer(keys))
            {
                Press(next);
            }

            return;
        }

        if (input.Key is { Key: ConsoleKey.L, Modifiers: ConsoleModifiers.Control })
        {
            Redraw();
            return;
        }

        string before = _model.Draft;
        bool isAnswer = _model.IsAnswering;
        if (_model.Apply(input) is not { } inputs)
        {
            if (isAnswer)
            {
                Answer(null);
            }
            else
            {
                EndKeys();
            }

            return;
        }

        foreach (RoomInput next in inputs)
        {
            if (isAnswer && next.Line is not null)
            {
                _lastError = null; // the user has seen it, and went on
                Answer(next.Line);
            }
            else if (!_inputs.Writer.TryWrite(next) && next.Line is { } line)
            {
                Tell($"Not sent, too much waits already: {line}");
            }
        }

        if (_model.Draft is { Length: > 0 } draft && draft != before)
        {
            _watch.Writes(_model.Active.RoomId);
        }
    }

    protected override void EndKeys()
    {
        base.EndKeys();
        _inputs.Writer.TryComplete();
    }

    private void Add(Conversation conversation, ScreenLine line)
    {
        _lastError = line.Kind == LineKind.Error ? line.Text : _lastError;
        _model.Add(conversation, line);
    }
}
