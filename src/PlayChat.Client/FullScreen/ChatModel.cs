using PlayChat.Client.Interaction;

namespace PlayChat.Client.FullScreen;

/// <summary>All that the full-screen client shows: conversations, the connection, and what is typed.</summary>
/// <remarks><see cref="ChatView"/> draws it. The first conversation belongs to no room. For one thread.</remarks>
internal sealed class ChatModel
{
    private readonly List<Conversation> _conversations;
    private readonly LineHelp _help;
    private readonly LineEditor _chat;
    private int _active;
    private LineEditor? _question;
    private PastedLines? _pasted;

    /// <param name="server">The server as a person reads it.</param>
    public ChatModel(string server)
    {
        Server = server;
        _conversations = [new Conversation(0, "(server)")];
        _help = new LineHelp(new LineHistory(), before => Completions.Find(
            before,
            ChatCommand.All,
            KnownRooms.Concat(_conversations.Skip(1).Select(static room => room.Name)),
            Active.Members,
            KnownPlayers.Concat(_conversations.SelectMany(static room => room.Members))));
        _chat = new LineEditor(new InputPrompt("> ", Help: _help));
    }

    /// <summary>The server as a person reads it.</summary>
    public string Server { get; }

    /// <summary>The conversations in the order of the list.</summary>
    public IReadOnlyList<Conversation> Conversations => _conversations;

    /// <summary>The conversation that is seen.</summary>
    public Conversation Active => _conversations[_active];

    /// <summary>The number of <see cref="Active"/> in the list.</summary>
    public int ActiveIndex => _active;

    /// <summary>The user's name; null before the login.</summary>
    public string? PlayerName { get; set; }

    /// <summary>The connection.</summary>
    public LinkState Link { get; set; } = new(IsConnected: false, "connecting");

    /// <summary>The names of the server's rooms.</summary>
    public IReadOnlyList<string> KnownRooms { get; set; } = [];

    /// <summary>The names of players that have written to the user.</summary>
    public IReadOnlyList<string> KnownPlayers { get; set; } = [];

    /// <summary>The size of the window.</summary>
    public (int Columns, int Rows) Size { get; set; } = (80, 24);

    /// <summary>The search that is under way.</summary>
    public SearchModel? Search { get; private set; }

    /// <summary>The input line: a search, a question about a paste, a question, or the line of chat.</summary>
    public LineEditor Input => Search?.Editor
        ?? (_pasted is { } pasted ? new LineEditor(new InputPrompt(pasted.Question)) : _question ?? _chat);

    /// <summary>
    /// Whether the input line takes several lines: it is that of chat, or asks about a paste, to which more lines say no.
    /// </summary>
    public bool TakesPaste => _pasted is not null || (Search is null && _question is null);

    /// <summary>Whether there is something to drop: <see cref="DiscardInput"/>.</summary>
    public bool HasInput => _pasted is not null || Input.Text.Length > 0;

    /// <summary>Drops what has been typed and not entered.</summary>
    public void DiscardInput()
    {
        if (_pasted is null)
        {
            if (Input == _chat)
            {
                _help.History.Add(_chat.Text); // Up brings it back
            }

            Input.Clear();
        }

        _pasted = null;
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
    public void Open(long roomId, string name, IReadOnlyList<ScreenLine> history)
    {
        Conversation room = Of(roomId);
        room.Name = name;
        room.AddBefore(history);
        SwitchTo(_conversations.IndexOf(room));
    }

    /// <summary>Switches to a conversation.</summary>
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
        _active = Math.Max(_conversations.IndexOf(seen), 0);
        if (seen.RoomId == roomId)
        {
            _active = index - 1;
            Search = null;
            Active.Enter();
        }
    }

    /// <summary>Adds a line.</summary>
    public void Add(Conversation conversation, ScreenLine line)
    {
        conversation.Add(line, isSeen: conversation == Active, line.IsMention);
    }

    /// <summary>Asks the user something in the input line.</summary>
    public void Ask(InputPrompt prompt) => _question = new LineEditor(prompt);

    /// <summary>Takes the question back.</summary>
    public void EndQuestion() => _question = null;

    /// <summary>Applies a key or a paste.</summary>
    public IReadOnlyList<KeyEffect> Apply(KeyInput input)
    {
        if (_pasted is { } pasted)
        {
            if (PastedLines.AnswerOf(input) is not { } posts)
            {
                return [];
            }

            _pasted = null;
            if (!posts)
            {
                pasted.GiveBack(_chat, _help.History);
                return [];
            }

            if (pasted.TakesDraft)
            {
                _chat.Clear();
            }

            return [.. pasted.Lines.Select(line => new KeyEffect.Entered(Active.RoomId, line))];
        }

        if (input.Burst is { } keys)
        {
            return Paste(_chat.Text + KeyInput.TextOf(keys), takesDraft: true);
        }

        if (input.Pasted is { } text)
        {
            return Paste(text);
        }

        return ApplyToView(input.Key) ?? (Search is null ? ApplyToLine(input.Key) : ApplyToSearch(Search, input.Key));
    }

    private KeyEffect[] Paste(string text, bool takesDraft = false)
    {
        PastedLines? lines = PastedLines.Split(text, out string single, takesDraft);
        if (lines is null || !TakesPaste)
        {
            if (takesDraft)
            {
                Input.Clear(); // the text begins with what it holds
            }

            Input.Insert(single);
        }
        else if (lines.Refusal is { } refusal)
        {
            Add(Active, new ScreenLine(LineKind.Warning, refusal));
        }
        else
        {
            _pasted = lines;
        }

        return [];
    }

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
                SwitchTo((_active + _conversations.Count - 1) % _conversations.Count);
                return [];
            case ConsoleKey.DownArrow when alt:
            case ConsoleKey.N when control:
                SwitchTo((_active + 1) % _conversations.Count);
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

    private KeyEffect[] ApplyToLine(ConsoleKeyInfo key)
    {
        LineEditor line = Input;
        switch (line.Apply(key))
        {
            case EditResult.EndOfInput:
                return _question is null ? [new KeyEffect.Ended()] : [new KeyEffect.Answered(Line: null)];
            case EditResult.Submitted when _question is not null:
                return [new KeyEffect.Answered(line.Text)];
            case EditResult.Submitted:
                string text = line.Text;
                _help.History.Add(text);
                line.Clear();
                Active.FollowNewest();
                return text.Length == 0 ? [] : [new KeyEffect.Entered(Active.RoomId, text)];
            default:
                return [];
        }
    }

    private KeyEffect[] ApplyToSearch(SearchModel search, ConsoleKeyInfo key)
    {
        switch (key.Key)
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
                if (search.Editor.Apply(key) == EditResult.Changed)
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
        if (index == _active)
        {
            Active.Enter();
            return;
        }

        Active.Leave();
        _active = index;
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
