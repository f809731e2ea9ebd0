using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using PlayChat.Client.Interaction;
using PlayChat.Core;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Several rooms at once, in a user interface that shows them side by side.</summary>
internal sealed class RoomsScreen(IRoomsUserInterface ui, TimeProvider time)
{
    private const string Help =
        "/join ROOM   /create NAME   /exit leave the room   /rooms   /members   /history   /quit   //text says /text";

    private const string Keys =
        "PgUp PgDn scroll   Ctrl+N Ctrl+P or Alt+↓ ↑ next room   Alt+1…9 room by number   Alt+A unread room   Ctrl+F search";

    // About two windows.
    private const int PageMessages = 50;

    private static readonly TimeSpan s_latencyInterval = TimeSpan.FromSeconds(10);

    // The user's rooms in the order in which they were entered, and what of their past is shown: everything from a sequence on.
    private readonly Dictionary<long, long> _shownFrom = [];
    private readonly List<long> _rooms = [];

    // The last sequence of each room that is on the screen; events write it on the receive loop.
    private readonly ConcurrentDictionary<long, long> _shownUpTo = [];

    /// <summary>Runs until the user quits.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended. The next session enters the same rooms.</exception>
    public async Task RunAsync(ChatSession session, CancellationToken cancellationToken)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        ui.ShowPlayer(session.Client.Login!.Name);
        ui.ShowLink(new LinkState(IsConnected: true, "connected"));
        Attach(session);
        Task measuring = MeasureAsync(session.Client, end.Token);
        try
        {
            await EnterFirstAsync(session, cancellationToken);
            await TalkAsync(session, cancellationToken);
        }
        finally
        {
            await end.CancelAsync();
            await measuring;
        }
    }

    private void Attach(ChatSession session)
    {
        ChatClient client = session.Client;
        client.ChatReceived += (_, e) =>
        {
            Missed(e.Message.RoomId, e.MissedBefore);
            _shownUpTo[e.Message.RoomId] = e.Message.Sequence;
            ui.Write(e.Message.RoomId, session.Feed.LineOf(e.Message));
            if (e.Message.System)
            {
                ShowMembers(client, e.Message.RoomId);
            }
        };
        client.MemberJoined += (_, e) =>
        {
            Missed(e.Message.RoomId, e.MissedBefore);
            ui.Write(
                e.Message.RoomId, new ScreenLine(LineKind.Event, $"{e.Message.Member?.Name} has joined the room.", At: time.GetLocalNow()));
            ShowMembers(client, e.Message.RoomId);
        };
        client.Reconnecting += (_, e) => ui.ShowLink(new LinkState(IsConnected: false, Words(e)));
        client.Reconnected += (_, e) => OnReconnected(client, e);
        client.Disconnected += (_, _) => ui.ShowLink(new LinkState(IsConnected: false, "not connected"));
    }

    private void Missed(long roomId, long messages)
    {
        if (messages > 0)
        {
            ui.Write(roomId, new ScreenLine(LineKind.Warning, $"({messages} messages are missing here; /history may have them)"));
        }
    }

    private void ShowMembers(ChatClient client, long roomId)
    {
        if (client.FindRoom(roomId) is { } room)
        {
            ui.ShowMembers(roomId, [.. room.Members.Select(static member => member.Name)]);
        }
    }

    private static string Words(ReconnectingEventArgs e) => e is { Attempt: 1, Reason: CloseReason.ServerShutdown }
        ? string.Create(CultureInfo.InvariantCulture, $"the server restarts, back in about {Math.Ceiling(e.Delay.TotalSeconds)} s")
        : string.Create(CultureInfo.InvariantCulture, $"reconnecting, attempt {e.Attempt}");

    private void OnReconnected(ChatClient client, ReconnectedEventArgs e)
    {
        ui.ShowLink(new LinkState(IsConnected: true, "connected"));
        foreach (RoomRecovery room in e.Rooms)
        {
            if (!room.IsMember)
            {
                ui.Write(room.RoomId, new ScreenLine(LineKind.Warning, "You are no longer in this room: /exit, and join it again."));
                continue;
            }

            ShowMembers(client, room.RoomId);
            ui.MarkUnread(room.RoomId);
            if (!room.IsRecovered)
            {
                ui.Write(room.RoomId, new ScreenLine(
                    LineKind.Warning, "Not everything that was said while you were away can be given: /history may have it."));
            }
        }
    }

    private async Task EnterFirstAsync(ChatSession session, CancellationToken cancellationToken)
    {
        bool returns = _rooms.Count > 0;
        foreach (long roomId in _rooms.ToArray())
        {
            await TryAsync(() => JoinAsync(session, roomId, cancellationToken));
        }

        await TryAsync(() => ListAsync(session, writes: !returns, cancellationToken));
        if (!returns)
        {
            ui.Write(new ScreenLine(LineKind.Hint, Help));
            ui.Write(new ScreenLine(LineKind.Hint, Keys));
        }
    }

    private async Task TalkAsync(ChatSession session, CancellationToken cancellationToken)
    {
        var speech = new Dictionary<long, RoomSpeech>();
        while (await ReadAsync(session, cancellationToken) is { } input)
        {
            if (input.Line is not { } line)
            {
                await TryAsync(() => ShowEarlierAsync(session, input.RoomId, cancellationToken));
                continue;
            }

            if (line == "/quit")
            {
                break;
            }

            if (line.StartsWith('/') && !line.StartsWith("//", StringComparison.Ordinal))
            {
                await TryAsync(() => CommandAsync(session, input.RoomId, line, cancellationToken));
                continue;
            }

            string text = line[0] == '/' ? line[1..] : line;
            if (!_rooms.Contains(input.RoomId))
            {
                Warn("You are in no room here: /join ROOM or /create NAME.");
            }
            else if (!ChatRules.IsText(text))
            {
                int bytes = Encoding.UTF8.GetByteCount(text);
                Warn($"Not sent: the text has {bytes} bytes of UTF-8, and {ChatLimits.MaxTextBytes} is the most.");
            }
            else
            {
                if (!speech.TryGetValue(input.RoomId, out RoomSpeech? room))
                {
                    speech.Add(input.RoomId, room = new RoomSpeech(session.Client, input.RoomId, ui));
                }

                await room.SayAsync(text, cancellationToken);
            }
        }

        foreach (RoomSpeech room in speech.Values)
        {
            await room.AllAnsweredAsync(cancellationToken);
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

    private async Task CommandAsync(ChatSession session, long roomId, string line, CancellationToken cancellationToken)
    {
        string[] parts = line.Split(' ', 2);
        string argument = parts.Length > 1 ? parts[1].Trim() : "";
        switch (parts[0])
        {
            case "/join" when argument.Length > 0:
                (long found, string? problem) = await session.Rooms.FindAsync(argument, cancellationToken);
                if (problem is not null)
                {
                    Warn(problem);
                    break;
                }

                if (_rooms.Contains(found))
                {
                    ui.SwitchTo(found);
                    break;
                }

                await JoinAsync(session, found, cancellationToken);
                break;
            case "/create" when ChatRules.IsRoomName(argument):
                SCreateRoomRes made = await session.Client.CreateRoomAsync(argument, cancellationToken);
                Open(session, new RoomEntry(made.RoomId, made.Name, made.Members, made.LatestSequence, History: []));
                break;
            case "/join":
                Warn("Type the number or the name of the room: /join ROOM.");
                break;
            case "/create":
                Warn($"Type a name of 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen: /create NAME.");
                break;
            case "/exit" or "/leave" when _rooms.Contains(roomId):
                await session.Client.LeaveRoomAsync(roomId, cancellationToken);
                Forget(roomId);
                break;
            case "/exit" or "/leave":
                Forget(roomId);
                break;
            case "/rooms":
                await ListAsync(session, writes: true, cancellationToken);
                break;
            case "/members":
                IEnumerable<string> names = session.Client.FindRoom(roomId)?.Members.Select(static member => member.Name) ?? [];
                ui.Write(new ScreenLine(LineKind.Info, "Members: " + string.Join(", ", names)));
                break;
            case "/history" when _rooms.Contains(roomId):
                await ShowEarlierAsync(session, roomId, cancellationToken);
                break;
            case "/help":
                ui.Write(new ScreenLine(LineKind.Info, Help));
                ui.Write(new ScreenLine(LineKind.Info, Keys));
                break;
            default:
                Warn($"There is no command {parts[0]} here. {Help}");
                break;
        }
    }

    private async Task JoinAsync(ChatSession session, long roomId, CancellationToken cancellationToken)
    {
        SJoinRoomRes room = await session.Client.JoinRoomAsync(roomId, cancellationToken);
        Open(session, new RoomEntry(room.RoomId, room.Name, room.Members, room.LatestSequence, room.History));
        if (room.History.Count == 0 && room.LatestSequence > 1)
        {
            await ShowEarlierAsync(session, room.RoomId, cancellationToken);
        }
    }

    private void Open(ChatSession session, RoomEntry room)
    {
        if (_rooms.Contains(room.Id))
        {
            Continue(session, room);
        }
        else
        {
            _rooms.Add(room.Id);
            _shownFrom[room.Id] = room.History.Count > 0 ? room.History[0].Sequence : room.LatestSequence + 1;
            ui.OpenRoom(room.Id, room.Name, [.. room.History.Select(session.Feed.LineOf)]);
        }

        _shownUpTo.AddOrUpdate(room.Id, room.LatestSequence, (_, last) => Math.Max(last, room.LatestSequence));
        ui.ShowMembers(room.Id, [.. room.Members.Select(static member => member.Name)]);
    }

    // What is on the screen already does not come again.
    private void Continue(ChatSession session, RoomEntry room)
    {
        long shownUpTo = _shownUpTo.GetValueOrDefault(room.Id);
        if (room.History.Count > 0 && room.History[0].Sequence > shownUpTo + 1)
        {
            ui.Write(room.Id, new ScreenLine(LineKind.Warning, "(some messages may be missing here)"));
        }

        ui.MarkUnread(room.Id);
        foreach (SRoomChatNtf message in room.History.Where(message => message.Sequence > shownUpTo && !message.System))
        {
            ui.Write(room.Id, session.Feed.LineOf(message));
        }
    }

    private void Forget(long roomId)
    {
        _rooms.Remove(roomId);
        _shownFrom.Remove(roomId);
        _shownUpTo.TryRemove(roomId, out _);
        ui.CloseRoom(roomId);
    }

    private async Task ShowEarlierAsync(ChatSession session, long roomId, CancellationToken cancellationToken)
    {
        if (!_shownFrom.TryGetValue(roomId, out long shownFrom) || shownFrom <= 1)
        {
            return;
        }

        SRoomHistoryRes page = await session.Client.ReadHistoryBeforeAsync(roomId, shownFrom, PageMessages, cancellationToken);
        _shownFrom[roomId] = page is { More: true, Messages.Count: > 0 } ? page.Messages[0].Sequence : 1;
        var lines = new List<ScreenLine>();
        if (!page.Complete)
        {
            lines.Add(new ScreenLine(
                LineKind.Warning, "(some messages are missing here: the server has not stored them yet, or could not)"));
        }

        lines.AddRange(page.Messages.Select(session.Feed.LineOf));
        ui.WriteEarlier(roomId, lines);
    }

    private async Task ListAsync(ChatSession session, bool writes, CancellationToken cancellationToken)
    {
        bool hasMore = await session.Rooms.RefreshAsync(cancellationToken);
        ui.KnowRooms([.. session.Rooms.Rooms.Select(static room => room.Name)]);
        if (!writes)
        {
            return;
        }

        if (session.Rooms.Rooms.Count == 0)
        {
            ui.Write(new ScreenLine(LineKind.Info, "There are no rooms yet: /create NAME makes one."));
            return;
        }

        ui.Write(session.Rooms.ToTable());
        if (hasMore)
        {
            ui.Write(new ScreenLine(LineKind.Info, "There are more rooms; join one by its number."));
        }
    }

    private async Task MeasureAsync(ChatClient client, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(s_latencyInterval, time);
        try
        {
            // The first answer also waits for code to be compiled: it is no figure.
            await client.EchoAsync(ReadOnlyMemory<byte>.Empty, cancellationToken);
            do
            {
                long start = time.GetTimestamp();
                try
                {
                    await client.EchoAsync(ReadOnlyMemory<byte>.Empty, cancellationToken);
                    if (client.IsConnected)
                    {
                        ui.ShowLink(new LinkState(IsConnected: true, "connected", time.GetElapsedTime(start)));
                    }
                }
                catch (Exception e) when (e is ChatErrorException or TimeoutException)
                {
                    // No figure this time.
                }
            }
            while (await timer.WaitForNextTickAsync(cancellationToken));
        }
        catch (Exception e) when (
            e is OperationCanceledException or ChatConnectionClosedException or ChatErrorException or TimeoutException)
        {
            // The session has ended.
        }
    }

    private async Task TryAsync(Func<Task> action)
    {
        try
        {
            await action();
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ArgumentException)
        {
            Warn(e.Message);
        }
    }

    private void Warn(string words) => ui.Write(new ScreenLine(LineKind.Warning, words));
}
