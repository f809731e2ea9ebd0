namespace PlayChat.Client.FullScreen;

/// <summary>All that the full-screen client shows: conversations, the connection, and what is typed.</summary>
/// <remarks><see cref="ChatView"/> draws it. The first conversation belongs to no room. For one thread.</remarks>
internal sealed class ChatModel
{
    private readonly List<Conversation> _conversations = [new(0, "(server)")];

    /// <param name="server">The server as a person reads it.</param>
    public ChatModel(string server)
    {
        Server = server;
        Line = new InputLine(
            before => Complete(Active.RoomId, before), refusal => Add(Active, new ScreenLine(LineKind.Warning, refusal)));
    }

    public string Server { get; }

    public IReadOnlyList<Conversation> Conversations => _conversations;

    /// <summary>The conversation that is seen.</summary>
    public Conversation Active => _conversations[ActiveIndex];

    public int ActiveIndex { get; private set; }

    /// <summary>The line of chat, or a question: what is typed outside of a search.</summary>
    public InputLine Line { get; }

    /// <summary>The user's name; null before the login.</summary>
    public string? PlayerName { get; set; }

    public LinkState Link { get; set; } = new(IsConnected: false, "connecting");

    /// <summary>What Tab finds: see <see cref="IUserInterface.CompleteWith"/>.</summary>
    public Func<long, string, IReadOnlyList<string>> Complete { get; set; } = static (_, _) => [];

    public (int Columns, int Rows) Size { get; set; } = (80, 24);

    public SearchModel? Search { get; private set; }

    /// <summary>What stands in the input line: a search, a question, or the line of chat.</summary>
    public LineEditor Input => Search?.Editor ?? Line.Editor;

    /// <summary>What is being written to the room; empty for a command, a question and a search.</summary>
    public string Draft =>
        Search is null && !Line.IsQuestion && !Line.HasPaste && ChatCommand.Read(Line.Editor.Text) is null ? Line.Editor.Text : "";

    /// <summary>Whether the input line takes several lines: see <see cref="InputLine.TakesPaste"/>.</summary>
    public bool TakesPaste => Search is null && Line.TakesPaste;

    /// <summary>Whether there is something to drop: <see cref="DiscardInput"/>.</summary>
    public bool HasInput => Search is null ? Line.HasText : Input.Text.Length > 0;

    public void DiscardInput()
    {
        if (Search is null)
        {
            Line.Discard();
        }
        else
        {
            Input.Clear();
        }

        Add(Active, new ScreenLine(LineKind.Hint, PromptCommands.InterruptHint));
    }

    /// <summary>Finds the conversation of a room, and begins it when there is none.</summary>
    public Conversation Of(long roomId)
    {
        if (_conversations.Find(conversation => conversation.RoomId == roomId) is not { } found)
        {
            found = new Conversation(roomId, $"room {roomId}");
            _conversations.Add(found);
        }

        return found;
    }

    /// <summary>Shows a room and switches to it.</summary>
    public void Open(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history)
    {
        Conversation room = Of(roomId);
        room.Name = name;
        room.Members = members;
        room.AddBefore(history);
        SwitchTo(_conversations.IndexOf(room));
    }

    public void SwitchTo(Conversation conversation) => SwitchTo(_conversations.IndexOf(conversation));

    /// <summary>Takes a room off the list, and shows the one before it when it was seen.</summary>
    public void Close(long roomId)
    {
        int index = _conversations.FindIndex(conversation => conversation.RoomId == roomId);
        if (index <= 0)
        {
            return;
        }

        Conversation seen = Active;
        _conversations.RemoveAt(index);
        ActiveIndex = Math.Max(_conversations.IndexOf(seen), 0);
        if (seen.RoomId == roomId)
        {
            ActiveIndex = index - 1;
            Search = null;
            Active.Enter();
        }
    }

    public void Add(Conversation conversation, ScreenLine line) => conversation.Add(line, isSeen: conversation == Active);

    public IReadOnlyList<KeyEffect> Apply(KeyInput input) =>
        (Line.HasPaste || input is not { Pasted: null, Burst: null } ? null : ApplyToView(input.Key))
            ?? (Search is null ? ApplyToLine(input) : ApplyToSearch(Search, input));

    /// <returns>Null when the key is one of the input line.</returns>
    private KeyEffect[]? ApplyToView(ConsoleKeyInfo key)
    {
        bool control = key.Modifiers.HasFlag(ConsoleModifiers.Control);
        bool alt = key.Modifiers.HasFlag(ConsoleModifiers.Alt);
        switch (key.Key)
        {
            case ConsoleKey.PageUp:
                return ScrollPage(up: true);
            case ConsoleKey.PageDown:
                return ScrollPage(up: false);
            case ConsoleKey.L when control:
                return [new KeyEffect.Redraw()];
            case ConsoleKey.F when control:
                Search ??= new SearchModel();
                return [];
            case ConsoleKey.UpArrow when alt:
            case ConsoleKey.P when control:
                SwitchTo((ActiveIndex + _conversations.Count - 1) % _conversations.Count);
                return [];
            case ConsoleKey.DownArrow when alt:
            case ConsoleKey.N when control:
                SwitchTo((ActiveIndex + 1) % _conversations.Count);
                return [];
            case >= ConsoleKey.D1 and <= ConsoleKey.D9 when alt && key.Key - ConsoleKey.D1 < _conversations.Count:
                SwitchTo(key.Key - ConsoleKey.D1);
                return [];
            case ConsoleKey.A when alt:
                SwitchToUnread();
                return [];
            default:
                return null;
        }
    }

    private KeyEffect[] ScrollPage(bool up)
    {
        (int columns, int rows) = ChatView.ConversationSize(Size.Columns, Size.Rows);
        int page = Math.Max(rows - 2, 1);
        bool hasMoved = Active.Scroll(up ? page : -page, columns, rows);
        return hasMoved || Active.RoomId == 0 ? [] : [new KeyEffect.Entered(Active.RoomId, Line: null)];
    }

    private KeyEffect[] ApplyToLine(KeyInput input)
    {
        bool isAnswer = Line.IsQuestion && !Line.HasPaste;
        if (Line.Apply(input) is not { } lines)
        {
            return isAnswer ? [new KeyEffect.Answered(Line: null)] : [new KeyEffect.Ended()];
        }

        if (!isAnswer && lines.Count > 0)
        {
            Active.FollowNewest();
        }

        return [.. lines.Select<string, KeyEffect>(line =>
            isAnswer ? new KeyEffect.Answered(line) : new KeyEffect.Entered(Active.RoomId, line))];
    }

    private KeyEffect[] ApplyToSearch(SearchModel search, KeyInput input)
    {
        switch (input.Key.Key)
        {
            case ConsoleKey.Escape:
                Search = null;
                break;
            case ConsoleKey.Enter or ConsoleKey.UpArrow:
                Find(search, older: true);
                break;
            case ConsoleKey.DownArrow:
                Find(search, older: false);
                break;
            default:
                string before = search.Editor.Text;
                if (input.Pasted is { } text)
                {
                    _ = PastedLines.Split(text, out string single);
                    search.Editor.Insert(single);
                }
                else
                {
                    search.Editor.Apply(input.Key);
                }

                if (search.Editor.Text != before)
                {
                    search.Line = null;
                    Find(search, older: true);
                }

                break;
        }

        return [];
    }

    private void Find(SearchModel search, bool older)
    {
        string text = search.Editor.Text;
        if (text.Length == 0 || Active.Find(text, search.Line ?? Active.Lines.Count, older) is not { } line)
        {
            return;
        }

        search.Line = line;
        (int columns, int rows) = ChatView.ConversationSize(Size.Columns, Size.Rows);
        Active.Show(line, columns, rows);
    }

    private void SwitchTo(int index)
    {
        if (index == ActiveIndex)
        {
            Active.Enter();
            return;
        }

        Active.Leave();
        ActiveIndex = index;
        Search = null;
        Active.Enter();
    }

    // A room that names the user comes first.
    private void SwitchToUnread()
    {
        int index = _conversations.FindIndex(static conversation => conversation.IsMentioned);
        index = index >= 0 ? index : _conversations.FindIndex(static conversation => conversation.Unread > 0);
        if (index >= 0)
        {
            SwitchTo(index);
        }
    }
}
