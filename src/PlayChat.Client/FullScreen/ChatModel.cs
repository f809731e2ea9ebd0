namespace PlayChat.Client.FullScreen;

/// <summary>All that the full-screen client shows: conversations, the connection, and what is typed.</summary>
/// <remarks><see cref="ChatView"/> draws it. The first conversation belongs to no room. For one thread.</remarks>
internal sealed class ChatModel
{
    private readonly List<Conversation> _conversations = [new(0, "(server)")];

    public ChatModel(string server)
    {
        Server = server;
        Line = new InputLine(
            before => Complete(Active.RoomId, before), refusal => Add(Active, new ScreenLine(LineKind.Warning, refusal)));
    }

    public string Server { get; }

    public IReadOnlyList<Conversation> Conversations => _conversations;

    public Conversation Active => _conversations[ActiveIndex];

    public int ActiveIndex { get; private set; }

    /// <summary>The line of chat, or a question: what is typed outside of a search.</summary>
    public InputLine Line { get; }

    public string? PlayerName { get; set; }

    public LinkState Link { get; set; } = new(IsConnected: false, "connecting");

    public Func<long, string, IReadOnlyList<string>> Complete { get; set; } = static (_, _) => [];

    public (int Columns, int Rows) Size { get; set; } = (80, 24);

    /// <summary>What is looked for in the conversation; null outside of a search.</summary>
    public LineEditor? Search { get; private set; }

    public int? Found { get; private set; }

    /// <summary>What stands in the input line: a search, a question, or the line of chat.</summary>
    public LineEditor Input => Search ?? Line.Editor;

    public bool IsAnswering => Search is null && Line.IsQuestion && !Line.HasPaste;

    /// <summary>What is being written to the room; empty for a command, a question and a search.</summary>
    public string Draft =>
        Search is null && !Line.IsQuestion && !Line.HasPaste && ChatCommand.Read(Line.Editor.Text) is null ? Line.Editor.Text : "";

    public bool TakesPaste => Search is null && Line.TakesPaste;

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

    public Conversation Of(long roomId)
    {
        if (_conversations.Find(conversation => conversation.RoomId == roomId) is not { } found)
        {
            found = new Conversation(roomId, $"room {roomId}");
            _conversations.Add(found);
        }

        return found;
    }

    public void Open(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history)
    {
        bool isKnown = _conversations.Exists(conversation => conversation.RoomId == roomId);
        Conversation room = Of(roomId);
        room.Name = name;
        room.Members = members;
        room.Clear(isRead: true);
        room.AddBefore(history);
        SwitchTo(isKnown ? Active : room);
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

        if (index == ActiveIndex)
        {
            SwitchTo(index - 1);
        }

        _conversations.RemoveAt(index);
        ActiveIndex -= ActiveIndex > index ? 1 : 0;
    }

    public void Add(Conversation conversation, ScreenLine line) => conversation.Add(line, isSeen: conversation == Active);

    /// <returns>The lines that were entered, or the wish for earlier messages; null at the end of the input.</returns>
    public IReadOnlyList<RoomInput>? Apply(KeyInput input)
    {
        bool isKey = input is { Pasted: null, Burst: null } && !Line.HasPaste;
        return isKey && ApplyToView(input.Key) is { } wishes ? wishes : Search is null ? ApplyToLine(input) : ApplyToSearch(Search, input);
    }

    /// <returns>Null when the key is one of the input line.</returns>
    private RoomInput[]? ApplyToView(ConsoleKeyInfo key)
    {
        bool control = key.Modifiers.HasFlag(ConsoleModifiers.Control);
        bool alt = key.Modifiers.HasFlag(ConsoleModifiers.Alt);
        return (key.Key, control, alt) switch
        {
            (ConsoleKey.PageUp, _, _) => ScrollPage(up: true),
            (ConsoleKey.PageDown, _, _) => ScrollPage(up: false),
            (ConsoleKey.F, true, _) => BeginSearch(),
            (ConsoleKey.P, true, _) or (ConsoleKey.UpArrow, _, true) => SwitchTo(ActiveIndex - 1),
            (ConsoleKey.N, true, _) or (ConsoleKey.DownArrow, _, true) => SwitchTo(ActiveIndex + 1),
            ( >= ConsoleKey.D1 and <= ConsoleKey.D9, _, true) when key.Key - ConsoleKey.D1 < _conversations.Count =>
                SwitchTo(key.Key - ConsoleKey.D1),
            (ConsoleKey.A, _, true) => SwitchTo(FindUnread()),
            _ => null,
        };
    }

    private RoomInput[] ScrollPage(bool up)
    {
        (int columns, int rows) = ChatView.ConversationSize(Size.Columns, Size.Rows);
        int page = Math.Max(rows - 2, 1);
        bool hasMoved = Active.Scroll(up ? page : -page, columns, rows);
        return hasMoved || Active.RoomId == 0 ? [] : [new RoomInput(Active.RoomId, Line: null)];
    }

    private RoomInput[]? ApplyToLine(KeyInput input)
    {
        bool isAnswer = IsAnswering;
        IReadOnlyList<string>? lines = Line.Apply(input);
        if (!isAnswer && lines is { Count: > 0 })
        {
            Active.FollowNewest();
        }

        return lines?.Select(line => new RoomInput(Active.RoomId, line)).ToArray();
    }

    private RoomInput[] BeginSearch()
    {
        Search ??= new LineEditor(new InputPrompt("Search: "));
        return [];
    }

    private RoomInput[] ApplyToSearch(LineEditor search, KeyInput input)
    {
        string before = search.Text;
        switch (input.Key.Key)
        {
            case ConsoleKey.Escape:
                (Search, Found) = (null, null);
                break;
            case ConsoleKey.Enter or ConsoleKey.UpArrow:
                Find(older: true);
                break;
            case ConsoleKey.DownArrow:
                Find(older: false);
                break;
            default:
                if (input.Pasted is { } text)
                {
                    search.Insert(text.Split('\n', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault(""));
                }
                else
                {
                    search.Apply(input.Key);
                }

                break;
        }

        if (search.Text != before)
        {
            Found = null;
            Find(older: true);
        }

        return [];
    }

    private void Find(bool older)
    {
        int from = Found ?? Active.Lines.Count;
        IReadOnlyList<int> matches = Input.Text.Length == 0 ? [] : Active.Find(Input.Text);
        int found = older ? matches.LastOrDefault(line => line < from, -1) : matches.FirstOrDefault(line => line > from, -1);
        if (found >= 0)
        {
            Found = found;
            (int columns, int rows) = ChatView.ConversationSize(Size.Columns, Size.Rows);
            Active.Show(found, columns, rows);
        }
    }

    /// <param name="place">In the list of conversations, which begins again at its ends.</param>
    private RoomInput[] SwitchTo(int place)
    {
        int index = (place + _conversations.Count) % _conversations.Count;
        if (index != ActiveIndex)
        {
            Active.Leave();
            ActiveIndex = index;
            (Search, Found) = (null, null);
        }

        Active.Enter();
        return [];
    }

    // A room that names the user comes first.
    private int FindUnread()
    {
        int mentioned = _conversations.FindIndex(static conversation => conversation.IsMentioned);
        int unread = _conversations.FindIndex(static conversation => conversation.Unread > 0);
        return mentioned >= 0 ? mentioned : unread >= 0 ? unread : ActiveIndex;
    }
}
