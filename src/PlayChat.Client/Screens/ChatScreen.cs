namespace PlayChat.Client.Screens;

/// <summary>The chat behind the login: what is typed is said in the room that the user looks at, commands begin with a slash.</summary>
internal sealed class ChatScreen(IUserInterface ui, OpenRooms rooms, TimeProvider time)
{
    private const string NoRoom = "You are in no room: /join ROOM or /create NAME enters one.";

    private const int MaxListedMembers = 1000;

    private const string Keys =
        "PgUp PgDn scroll   Ctrl+N Ctrl+P or Alt+↓ ↑ next room   Alt+1…9 room by number   Alt+A unread room   Ctrl+F search";

    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_writingPause = TimeSpan.FromSeconds(3);

    private long? _wroteAt; // a timestamp

    /// <summary>Whether a script was refused a room. The program then ends: the script's next lines were meant for that room.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>Runs until the user quits, the input ends, or <see cref="IsRefused"/>.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended. The next session enters the same rooms.</exception>
    public async Task RunAsync(ChatSession session, CancellationToken cancellationToken)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        ui.ShowPlayer(session.Client.Login!.Name);
        ui.ShowLink(new LinkState(IsConnected: true, "connected"));
        ui.CompleteWith((roomId, before) => Complete(session, roomId, before));
        rooms.BeginSession();
        session.Direct.ShowUnread();
        Task ticking = TickAsync(session.Client, end.Token);
        try
        {
            await EnterFirstAsync(session, cancellationToken);
            ui.WatchWith(rooms.See, roomId => TellWriting(session.Client, roomId)); // only now: each room was shown for a moment
            await TalkAsync(session, cancellationToken);
            bool staysMember = session.Client.Login.Server is { RoomsLast: true };
            foreach (long roomId in rooms.Ids.Where(rooms.Contains))
            {
                await (staysMember
                    ? rooms.AllAnsweredAsync(roomId, cancellationToken)
                    : rooms.LeaveAsync(session, roomId, cancellationToken));
            }
        }
        finally
        {
            ui.WatchWith(static _ => { }, static _ => { });
            await rooms.MarkLastAsync(session.Client);
            await end.CancelAsync();
            await ticking;
        }
    }

    private void TellWriting(ChatClient client, long roomId)
    {
        long now = time.GetTimestamp();
        bool isDue = _wroteAt is not { } at || time.GetElapsedTime(at, now) >= s_writingPause;
        if (isDue && rooms.Contains(roomId) && client.SendTyping(roomId))
        {
            _wroteAt = now;
        }
    }

    private static IReadOnlyList<string> Complete(ChatSession session, long roomId, string before) => Completions.Find(
        before,
        ChatCommand.All,
        session.Rooms.Rooms.Select(static room => room.Name),
        session.Client.FindRoom(roomId)?.Members.Select(static member => member.Name) ?? [],
        session.Feed.ListPlayers().Select(static player => player.Name));

    private async Task EnterFirstAsync(ChatSession session, CancellationToken cancellationToken)
    {
        long[] left = rooms.Ids;
        foreach (long roomId in left)
        {
            if (!await TryEnterAsync(() => rooms.JoinAsync(session, roomId, cancellationToken)) && ui.ShowsOneRoom)
            {
                rooms.Forget(roomId);
            }
        }

        await EnterMembershipsAsync(session, left, cancellationToken);
        if (rooms.Ids.Length == 0 && !ui.ShowsOneRoom)
        {
            await TryAsync(() => ListAsync(session, RoomArguments.Parse(""), cancellationToken));
            ShowHelp(LineKind.Hint);
        }
        else
        {
            await RefreshAsync(session, cancellationToken);
        }
    }

    /// <summary>Shows the rooms that the user is a member of, and enters them where there is space to show several.</summary>
    private async Task EnterMembershipsAsync(ChatSession session, long[] left, CancellationToken cancellationToken)
    {
        foreach (Membership membership in session.Client.Login!.Memberships.Where(membership => !left.Contains(membership.RoomId)))
        {
            string mentions = membership.UnreadMentions == 0 ? ""
                : string.Create(CultureInfo.InvariantCulture, $", {membership.UnreadMentions} mention you");
            string unread = membership.Unread == 0 ? "nothing new"
                : string.Create(CultureInfo.InvariantCulture, $"{membership.Unread} new{mentions}");
            if (ui.ShowsOneRoom)
            {
                ui.Write(new ScreenLine(
                    LineKind.Info,
                    $"You are a member of room {membership.RoomId}, {membership.Name}: {unread}. /join {membership.RoomId} enters it."));
            }
            else if (await TryAsync(() => rooms.JoinAsync(session, membership.RoomId, cancellationToken)) && membership.Unread > 0)
            {
                ui.Write(new ScreenLine(LineKind.Unread, unread), membership.RoomId);
            }
        }
    }

    private async Task TalkAsync(ChatSession session, CancellationToken cancellationToken)
    {
        while (!IsRefused && await ReadAsync(session, cancellationToken) is { } input)
        {
            if (input.Line is not { } line)
            {
                await TryAsync(() => rooms.ShowEarlierAsync(session, input.RoomId, cancellationToken));
            }
            else if (ChatCommand.Read(line) is not { } command)
            {
                await SayAsync(session, input.RoomId, line, cancellationToken);
            }
            else if (command.Name == "/quit")
            {
                break;
            }
            else
            {
                await TryAsync(() => RunAsync(session, input.RoomId, command, cancellationToken));
            }
        }
    }

    private async Task SayAsync(ChatSession session, long roomId, string line, CancellationToken cancellationToken)
    {
        string text = ChatCommand.TextOf(line);
        if (text.Length == 0)
        {
            return;
        }

        if (!rooms.Contains(roomId))
        {
            session.TellUnsent(NoRoom);
        }
        else if (!ChatRules.IsText(text))
        {
            session.TellUnsent(RoomSpeech.TooLong(text));
            ui.PutBack(line);
        }
        else
        {
            await rooms.SayAsync(roomId, text, cancellationToken);
        }
    }

    private Task RunAsync(ChatSession session, long roomId, ChatCommand command, CancellationToken cancellationToken) => command.Name switch
    {
        "/join" => TryEnterAsync(() => JoinAsync(session, roomId, command.Argument, cancellationToken)),
        "/create" => TryEnterAsync(
            () => CreateAsync(session, RoomArguments.Parse(command.Argument, creates: true), cancellationToken)),
        "/rooms" => ListAsync(session, RoomArguments.Parse(command.Argument), cancellationToken),
        "/msg" or "/dm" or "/conversations" or "/block" or "/unblock" => session.Direct.RunAsync(command, cancellationToken),
        "/search" => SearchAsync(session, command.Argument, cancellationToken),
        "/account" => new AccountScreen(session).RunAsync(command.Argument, cancellationToken),
        "/clear" => AtOnce(ui.Clear),
        "/help" => AtOnce(() => ShowHelp(LineKind.Info)),
        "/exit" when roomId != 0 && !rooms.Contains(roomId) => AtOnce(() => rooms.Forget(roomId)),
        var name when ChatCommand.Advices.ContainsKey(name) || !ChatCommand.All.Contains(name, StringComparer.Ordinal) =>
            AtOnce(() => session.TellUnsent(command.Advice)),
        _ when !rooms.Contains(roomId) => AtOnce(() => session.TellUnsent(NoRoom)),
        "/exit" => rooms.LeaveAsync(session, roomId, cancellationToken),
        "/members" => ListMembersAsync(session, roomId, cancellationToken),
        "/history" => ShowEarlierAsync(session, roomId, cancellationToken),
        _ => session.Moderation.RunAsync(roomId, command, cancellationToken),
    };

    private static Task AtOnce(Action action)
    {
        action();
        return Task.CompletedTask;
    }

    private async Task ShowEarlierAsync(ChatSession session, long roomId, CancellationToken cancellationToken)
    {
        if (!await rooms.ShowEarlierAsync(session, roomId, cancellationToken))
        {
            ui.Write(new ScreenLine(LineKind.Info, "Nothing was said before that."), roomId);
        }
        else if (ui.ShowsOneRoom)
        {
            session.Tell("There is more: /history goes further back.");
        }
    }

    private static async Task ListMembersAsync(ChatSession session, long roomId, CancellationToken cancellationToken)
    {
        List<ListedMember> members = [];
        SListMembersRes page;
        do
        {
            page = await session.Client.ListMembersAsync(
                roomId, members.LastOrDefault()?.Member.PlayerId ?? 0, cancellationToken: cancellationToken);
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

    private async Task SearchAsync(ChatSession session, string words, CancellationToken cancellationToken)
    {
        if (words.Length == 0)
        {
            session.TellUnsent("Type the words that you look for: /search WORDS.");
            return;
        }

        SSearchRes found = await session.Client.SearchAsync(words, cancellationToken: cancellationToken);
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

    private async Task JoinAsync(ChatSession session, long roomId, string wanted, CancellationToken cancellationToken)
    {
        (long found, string? problem) = wanted.Length == 0
            ? (0, ChatCommand.JoinUsage) : await session.Rooms.FindAsync(wanted, cancellationToken);
        string password = "";
        if (problem is not null && wanted.Split(' ', 2) is [var number, var rest] && long.TryParse(number, out long numbered))
        {
            (found, problem, password) = (numbered, null, rest); // what a script types, which can't be asked
        }

        if (problem is not null)
        {
            Refuse(problem);
        }
        else if (!rooms.Contains(found))
        {
            await AskAndJoinAsync(session, found, password, cancellationToken);
            await RefreshAsync(session, cancellationToken);
        }
        else if (found == roomId)
        {
            session.Tell($"You are in room {found} already: {rooms.NameOf(found)}.");
        }
        else
        {
            ui.SwitchTo(found);
        }
    }

    /// <summary>Enters a room, and asks for its password where that is needed.</summary>
    private async Task AskAndJoinAsync(ChatSession session, long roomId, string password, CancellationToken cancellationToken)
    {
        try
        {
            await rooms.JoinAsync(session, roomId, cancellationToken, password);
        }
        catch (ChatErrorException e) when (e.Code == ErrorCode.RoomPasswordRequired && password.Length == 0)
        {
            if (!ui.IsInteractive)
            {
                Refuse($"{e.Message} In a script: /join NUMBER PASSWORD.");
            }
            else if (await session.AskSecretAsync($"Password of room {roomId} (Enter alone: don't join): ", cancellationToken)
                is { Length: > 0 } typed)
            {
                await rooms.JoinAsync(session, roomId, cancellationToken, typed);
            }
        }
    }

    private async Task CreateAsync(ChatSession session, RoomArguments wanted, CancellationToken cancellationToken)
    {
        if ((wanted.Problem ?? (ChatRules.IsRoomName(wanted.Room.Name) ? null : RoomArguments.NameRule)) is { } problem)
        {
            Refuse(problem);
            return;
        }

        SCreateRoomRes made = await session.Client.CreateRoomAsync(wanted.Room, cancellationToken);
        var room = new SJoinRoomRes
        {
            RoomId = made.RoomId,
            Name = made.Name,
            Members = { made.Members },
            LatestSequence = made.LatestSequence,
        };
        await rooms.EnterAsync(session, room, cancellationToken);
        await RefreshAsync(session, cancellationToken);
    }

    // So that Tab completes the names that there are. When the server refuses, it completes those of the list before.
    private async Task RefreshAsync(ChatSession session, CancellationToken cancellationToken) =>
        _ = ui.IsInteractive && await TryAsync(() => session.Rooms.RefreshAsync(cancellationToken), static _ => { });

    private async Task ListAsync(ChatSession session, RoomArguments wanted, CancellationToken cancellationToken)
    {
        if (wanted.Problem is { } problem)
        {
            Warn(problem);
            return;
        }

        (List<string[]> rows, bool hasMore) = await session.Rooms.ListAsync(wanted, cancellationToken);
        if (rows.Count == 0)
        {
            session.Tell(wanted.IsFilter ? "There are no such rooms." : "There are no rooms yet: /create NAME makes one.");
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
        ui.Write(new ScreenLine(kind, ChatCommand.Help));
        if (!ui.ShowsOneRoom)
        {
            ui.Write(new ScreenLine(kind, Keys));
        }
    }

    private async Task<RoomInput?> ReadAsync(ChatSession session, CancellationToken cancellationToken)
    {
        using var reading = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<RoomInput?> input = ui.ReadInputAsync(reading.Token);
        if (await Task.WhenAny(input, session.Client.Closed) == input)
        {
            return await input;
        }

        await reading.CancelAsync();
        try
        {
            await input;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The read was taken back, just now.
        }

        ChatDisconnectedEventArgs closed = await session.Client.Closed;
        throw new ChatConnectionClosedException(closed.Reason, closed.ServerMessage);
    }

    /// <summary>Tells the server what was read, and measures how long it takes to answer where that is shown.</summary>
    private async Task TickAsync(ChatClient client, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(s_tick, time);
        Task<bool> EchoAsync() => TryAsync(() => client.EchoAsync(ReadOnlyMemory<byte>.Empty, cancellationToken), static _ => { });
        try
        {
            bool measures = !ui.ShowsOneRoom;
            _ = measures && await EchoAsync(); // it also waits for code to be compiled: no figure
            do
            {
                rooms.MarkRead(client);
                long start = time.GetTimestamp();
                if (measures && await EchoAsync() && client.IsConnected)
                {
                    ui.ShowLink(new LinkState(IsConnected: true, "connected", time.GetElapsedTime(start)));
                }
            }
            while (await timer.WaitForNextTickAsync(cancellationToken));
        }
        catch (Exception e) when (e is OperationCanceledException or ChatConnectionClosedException)
        {
            // The session has ended.
        }
    }

    private Task<bool> TryAsync(Func<Task> action) => TryAsync(action, Warn);

    /// <returns>Whether the room was entered, or there was another reason to stay.</returns>
    private Task<bool> TryEnterAsync(Func<Task> action) => TryAsync(action, Refuse);

    private static async Task<bool> TryAsync(Func<Task> action, Action<string> tell)
    {
        try
        {
            await action();
            return true;
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ArgumentException)
        {
            tell(e.Message);
            return false;
        }
    }

    private void Refuse(string why)
    {
        IsRefused = !ui.IsInteractive;
        ui.Write(new ScreenLine(IsRefused ? LineKind.Error : LineKind.Warning, why));
    }

    private void Warn(string words) => ui.Write(new ScreenLine(LineKind.Warning, words));
}
