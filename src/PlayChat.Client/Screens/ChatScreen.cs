namespace PlayChat.Client.Screens;

/// <summary>The chat behind the login: what is typed is said in the room that the user looks at, commands begin with a slash.</summary>
internal sealed class ChatScreen(ChatSession session, IUserInterface ui, OpenRooms rooms, TimeProvider time)
{
    private const string NoRoom = "You are in no room: /join ROOM or /create NAME enters one.";

    private const int MaxListedMembers = 1000;

    private const string Keys =
        "PgUp PgDn scroll   Ctrl+N Ctrl+P or Alt+↓ ↑ next room   Alt+1…9 room by number   Alt+A unread room   Ctrl+F search";

    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_writingPause = TimeSpan.FromSeconds(3);

    private readonly ChatClient _client = session.Client;
    private long? _wroteAt; // a timestamp
    private bool _isRefused; // a script was refused a room: its next lines were meant for that room

    /// <summary>Runs until the user quits, the input ends, or a script is refused a room.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended. The next session enters the same rooms.</exception>
    public async Task RunAsync()
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(session.Stop);
        ui.ShowPlayer(_client.Login!.Name);
        ui.ShowLink(new LinkState(IsConnected: true, "connected"));
        ui.CompleteWith(Complete);
        rooms.BeginSession(session);
        session.Direct.ShowUnread();
        Task ticking = TickAsync(end.Token);
        try
        {
            await EnterFirstAsync();
            ui.WatchWith(rooms.See, TellWriting); // only now: each room was shown for a moment
            await TalkAsync();
            bool staysMember = _client.Login.Server is { RoomsLast: true };
            foreach (long roomId in rooms.Ids.Where(rooms.Contains))
            {
                await (staysMember ? rooms.AllAnsweredAsync(roomId) : rooms.LeaveAsync(roomId));
            }
        }
        finally
        {
            ui.WatchWith(static _ => { }, static _ => { });
            await rooms.MarkLastAsync();
            await end.CancelAsync();
            await ticking;
        }
    }

    private void TellWriting(long roomId)
    {
        long now = time.GetTimestamp();
        bool isDue = _wroteAt is not { } at || time.GetElapsedTime(at, now) >= s_writingPause;
        if (isDue && rooms.Contains(roomId) && _client.SendTyping(roomId))
        {
            _wroteAt = now;
        }
    }

    private IReadOnlyList<string> Complete(long roomId, string before) => Completions.Find(
        before,
        ChatCommand.All,
        session.Rooms.Rooms.Select(static room => room.Name),
        _client.FindRoom(roomId)?.Members.Select(static member => member.Name) ?? [],
        session.Feed.ListPlayers().Select(static player => player.Name));

    private async Task EnterFirstAsync()
    {
        long[] left = rooms.Ids;
        foreach (long roomId in left)
        {
            if (!await TryAsync(() => rooms.JoinAsync(roomId)) && ui.ShowsOneRoom && _client.IsConnected)
            {
                rooms.Forget(roomId);
            }
        }

        foreach (Membership membership in _client.Login!.Memberships.Where(membership => !left.Contains(membership.RoomId)))
        {
            await ShowMembershipAsync(membership);
        }

        if (rooms.Ids.Length == 0 && !ui.ShowsOneRoom)
        {
            await TryAsync(() => ListAsync(new CCreateRoomReq()));
            ShowHelp(LineKind.Hint);
        }
        else
        {
            await RefreshAsync();
        }
    }

    /// <summary>Tells of a room that the user is a member of, or enters it where there is space to show several.</summary>
    private async Task ShowMembershipAsync(Membership room)
    {
        string mentions = room.UnreadMentions == 0 ? "" : $", {room.UnreadMentions} mention you";
        string unread = room.Unread == 0 ? "nothing new" : $"{room.Unread} new{mentions}";
        if (ui.ShowsOneRoom)
        {
            session.Tell($"You are a member of room {room.RoomId}, {room.Name}: {unread}. /join {room.RoomId} enters it.");
        }
        else if (await TryAsync(() => rooms.JoinAsync(room.RoomId)) && room.Unread > 0)
        {
            ui.Write(LineKind.Unread, unread, room.RoomId);
        }
    }

    private async Task TalkAsync()
    {
        while (!_isRefused && await ReadAsync() is { } input)
        {
            if (input.Line is not { } line)
            {
                await TryAsync(() => rooms.ShowEarlierAsync(input.RoomId));
            }
            else if (ChatCommand.Read(line) is not { } command)
            {
                await SayAsync(input.RoomId, line);
            }
            else if (command.Name == "/quit")
            {
                break;
            }
            else
            {
                await TryAsync(() => RunAsync(input.RoomId, command));
            }
        }
    }

    private async Task SayAsync(long roomId, string line)
    {
        string text = ChatCommand.TextOf(line);
        if (text.Length > 0 && !rooms.Contains(roomId))
        {
            session.TellUnsent(NoRoom);
        }
        else if (text.Length > 0 && !ChatRules.IsText(text))
        {
            session.TellUnsent(RoomSpeech.TooLong(text));
            ui.PutBack(line);
        }
        else if (text.Length > 0)
        {
            Task answered = rooms.SayAsync(roomId, text);
            await (ui.IsInteractive ? Task.CompletedTask : answered); // a script may be faster than the server: it waits
        }
    }

    private Task RunAsync(long roomId, ChatCommand command) => command.Name switch
    {
        "/join" => ChatSession.TryAsync(() => JoinAsync(roomId, command.Argument), Refuse),
        "/create" => ChatSession.TryAsync(() => CreateAsync(RoomArguments.Parse(command.Argument, creates: true)), Refuse),
        "/rooms" => ListAsync(RoomArguments.Parse(command.Argument)),
        "/msg" or "/dm" or "/conversations" or "/block" or "/unblock" => session.Direct.RunAsync(command),
        "/search" => SearchAsync(command.Argument),
        "/account" => new AccountScreen(session).RunAsync(command.Argument),
        "/clear" => AtOnce(ui.Clear),
        "/help" => AtOnce(() => ShowHelp(LineKind.Info)),
        "/exit" when roomId != 0 && !rooms.Contains(roomId) => AtOnce(() => rooms.Forget(roomId)),
        var name when ChatCommand.Advices.ContainsKey(name) || !ChatCommand.All.Contains(name, StringComparer.Ordinal) =>
            AtOnce(() => session.TellUnsent(command.Advice)),
        _ when !rooms.Contains(roomId) => AtOnce(() => session.TellUnsent(NoRoom)),
        "/exit" => rooms.LeaveAsync(roomId),
        "/members" => ListMembersAsync(roomId),
        "/history" => ShowEarlierAsync(roomId),
        _ => session.Moderation.RunAsync(roomId, command),
    };

    private static Task AtOnce(Action action)
    {
        action();
        return Task.CompletedTask;
    }

    private async Task ShowEarlierAsync(long roomId)
    {
        if (!await rooms.ShowEarlierAsync(roomId))
        {
            ui.Write(LineKind.Info, "Nothing was said before that.", roomId);
        }
        else if (ui.ShowsOneRoom)
        {
            session.Tell("There is more: /history goes further back.");
        }
    }

    private async Task ListMembersAsync(long roomId)
    {
        List<ListedMember> members = [];
        SListMembersRes page;
        do
        {
            long last = members.Count == 0 ? 0 : members[^1].Member.PlayerId;
            page = await _client.ListMembersAsync(roomId, last, cancellationToken: session.Stop);
            members.AddRange(page.Members);
        }
        while (page is { More: true, Members.Count: > 0 } && members.Count < MaxListedMembers);

        session.TellTable(
        [
            [$"Members ({members.Count}{(page.More ? "+" : "")})", "", ""],
            .. members.OrderByDescending(static member => member.Online).Select(static member => new[]
            {
                member.Member.Name,
                member.Member.Role == RoomRole.Member ? "" : member.Member.Role.ToString().ToLowerInvariant(),
                member.Online ? "" : "offline",
            }),
        ]);
    }

    private async Task SearchAsync(string words)
    {
        if (words.Length == 0)
        {
            session.TellUnsent("Type the words that you look for: /search WORDS.");
            return;
        }

        SSearchRes found = await _client.SearchAsync(words, cancellationToken: session.Stop);
        foreach (SRoomChatNtf message in found.Messages.Reverse())
        {
            if (session.Feed.LineOf(message) is { } line)
            {
                string place = rooms.Contains(message.RoomId) ? rooms.NameOf(message.RoomId) : $"room {message.RoomId}";
                ui.Write(line with { Kind = LineKind.Info, Text = $"[{place}, {line.At:yyyy-MM-dd}] {message.PlayerName}: {line.Text}" });
            }
        }

        session.Tell(
            found.Messages.Count == 0 ? "Nothing was found." : found.More ? "There is more: search for a rarer word." : "That is all.");
    }

    private async Task JoinAsync(long roomId, string wanted)
    {
        (long found, string password) = await session.Rooms.FindAsync(wanted);
        if (!rooms.Contains(found))
        {
            await AskAndJoinAsync(found, password);
            await RefreshAsync();
        }
        else if (found == roomId)
        {
            session.Tell($"You are in room {found} already: {rooms.NameOf(found)}.");
        }

        if (rooms.Contains(found))
        {
            ui.SwitchTo(found);
        }
    }

    private async Task AskAndJoinAsync(long roomId, string password)
    {
        try
        {
            await rooms.JoinAsync(roomId, password);
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.RoomPasswordRequired && password.Length == 0)
        {
            if (!ui.IsInteractive)
            {
                Refuse($"{e.Message} In a script: /join NUMBER PASSWORD.");
            }
            else if (await session.AskSecretAsync($"Password of room {roomId} (Enter alone: don't join): ") is { Length: > 0 } typed)
            {
                await rooms.JoinAsync(roomId, typed);
            }
        }
    }

    private async Task CreateAsync(CCreateRoomReq wanted)
    {
        SCreateRoomRes made = await _client.CreateRoomAsync(wanted, session.Stop);
        await rooms.EnterAsync(new SJoinRoomRes
        {
            RoomId = made.RoomId,
            Name = made.Name,
            Members = { made.Members },
            LatestSequence = made.LatestSequence,
        });
        await RefreshAsync();
    }

    // So that Tab completes the names that there are. When the server refuses, it completes those of the list before.
    private async Task RefreshAsync() => _ = ui.IsInteractive && await ChatSession.TryAsync(session.Rooms.RefreshAsync, static _ => { });

    private async Task ListAsync(CCreateRoomReq wanted)
    {
        (List<string[]> rows, bool hasMore) = await session.Rooms.ListAsync(wanted);
        if (rows.Count == 0)
        {
            session.Tell(RoomDirectory.IsFilter(wanted) ? "There are no such rooms." : "There are no rooms yet: /create NAME makes one.");
            return;
        }

        session.TellTable(rows);
        if (hasMore)
        {
            session.Tell("There are more rooms; join one by its number.");
        }
    }

    private void ShowHelp(LineKind kind)
    {
        ui.Write(kind, ChatCommand.Help);
        if (!ui.ShowsOneRoom)
        {
            ui.Write(kind, Keys);
        }
    }

    private async Task<RoomInput?> ReadAsync()
    {
        using var reading = CancellationTokenSource.CreateLinkedTokenSource(session.Stop);
        Task<RoomInput?> input = ui.ReadInputAsync(reading.Token);
        if (await Task.WhenAny(input, _client.Closed) == input)
        {
            return await input;
        }

        await reading.CancelAsync();
        await ((Task)input).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // the read was taken back, just now
        session.Stop.ThrowIfCancellationRequested();
        ChatDisconnectedEventArgs closed = await _client.Closed;
        throw new ChatConnectionClosedException(closed.Reason, closed.ServerMessage);
    }

    /// <summary>Tells the server what was read, and measures how long it takes to answer where that is shown.</summary>
    private async Task TickAsync(CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(s_tick, time);
        Task<bool> EchoAsync() =>
            ChatSession.TryAsync(() => _client.EchoAsync(ReadOnlyMemory<byte>.Empty, cancellationToken), static _ => { });
        try
        {
            bool measures = !ui.ShowsOneRoom;
            _ = measures && await EchoAsync(); // it also waits for code to be compiled: no figure
            do
            {
                rooms.MarkRead();
                long start = time.GetTimestamp();
                if (measures && await EchoAsync() && _client.IsConnected)
                {
                    ui.ShowLink(new LinkState(IsConnected: true, "connected", time.GetElapsedTime(start)));
                }
            }
            while (await timer.WaitForNextTickAsync(cancellationToken));
        }
        catch (OperationCanceledException)
        {
            // The session has ended.
        }
    }

    private Task<bool> TryAsync(Func<Task> action) => ChatSession.TryAsync(action, words => ui.Write(LineKind.Warning, words));

    private void Refuse(string why)
    {
        _isRefused = !ui.IsInteractive;
        session.TellUnsent(why);
    }
}
