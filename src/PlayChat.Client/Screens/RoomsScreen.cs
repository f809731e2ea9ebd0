using System.Globalization;
using PlayChat.Client.Interaction;
using PlayChat.Core;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Several rooms at once, in a user interface that shows them side by side.</summary>
internal sealed class RoomsScreen
{
    private static readonly TimeSpan s_latencyInterval = TimeSpan.FromSeconds(10);

    private readonly IRoomsUserInterface _ui;
    private readonly TimeProvider _time;
    private readonly OpenRooms _rooms;
    private readonly RoomCommands _commands;

    /// <param name="ui">The user; not disposed.</param>
    /// <param name="time">The clock of the times that are shown.</param>
    public RoomsScreen(IRoomsUserInterface ui, TimeProvider time)
    {
        _ui = ui;
        _time = time;
        _rooms = new OpenRooms(ui);
        _commands = new RoomCommands(ui, _rooms);
    }

    /// <summary>Runs until the user quits.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended. The next session enters the same rooms.</exception>
    public async Task RunAsync(ChatSession session, CancellationToken cancellationToken)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _ui.ShowPlayer(session.Client.Login!.Name);
        _ui.ShowLink(new LinkState(IsConnected: true, "connected"));
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
            _rooms.NoteShown(e.Message.RoomId, e.Message.Sequence);
            _ui.Write(e.Message.RoomId, session.Feed.LineOf(e.Message));
            if (e.Message.System)
            {
                ShowMembers(client, e.Message.RoomId);
            }
        };
        client.MemberJoined += (_, e) =>
        {
            Missed(e.Message.RoomId, e.MissedBefore);
            if (!e.IsReturn)
            {
                _ui.Write(
                    e.Message.RoomId,
                    new ScreenLine(LineKind.Event, $"{e.Message.Member?.Name} has joined the room.", At: _time.GetLocalNow()));
            }

            ShowMembers(client, e.Message.RoomId);
        };
        session.Feed.DirectChatCame += (_, _) =>
            _ui.KnowPlayers([.. session.Feed.Players.With([]).Select(static player => player.Name)]);
        client.Reconnecting += (_, e) => _ui.ShowLink(new LinkState(IsConnected: false, Words(e)));
        client.Reconnected += (_, e) => OnReconnected(client, e);
        client.Disconnected += (_, _) => _ui.ShowLink(new LinkState(IsConnected: false, "not connected"));
    }

    private void Missed(long roomId, long messages)
    {
        if (messages > 0)
        {
            _ui.Write(roomId, new ScreenLine(LineKind.Warning, $"({messages} messages are missing here; /history may have them)"));
        }
    }

    private void ShowMembers(ChatClient client, long roomId)
    {
        if (client.FindRoom(roomId) is { } room)
        {
            _ui.ShowMembers(roomId, [.. room.Members.Select(static member => member.Name)]);
        }
    }

    private static string Words(ReconnectingEventArgs e) => e is { Attempt: 1, Reason: CloseReason.ServerShutdown }
        ? string.Create(CultureInfo.InvariantCulture, $"the server restarts, back in about {Math.Ceiling(e.Delay.TotalSeconds)} s")
        : string.Create(CultureInfo.InvariantCulture, $"reconnecting, attempt {e.Attempt}");

    private void OnReconnected(ChatClient client, ReconnectedEventArgs e)
    {
        _ui.ShowLink(new LinkState(IsConnected: true, "connected"));
        foreach (RoomRecovery room in e.Rooms)
        {
            if (!room.IsMember)
            {
                _ui.Write(room.RoomId, new ScreenLine(LineKind.Warning, "You are no longer in this room: /exit, and join it again."));
                continue;
            }

            ShowMembers(client, room.RoomId);
            _ui.MarkUnread(room.RoomId);
            if (!room.IsRecovered)
            {
                _ui.Write(room.RoomId, new ScreenLine(
                    LineKind.Warning, "Not everything that was said while you were away can be given: /history may have it."));
            }
        }
    }

    private async Task EnterFirstAsync(ChatSession session, CancellationToken cancellationToken)
    {
        bool returns = _rooms.Ids.Count > 0;
        foreach (long roomId in _rooms.Ids.ToArray())
        {
            await TryAsync(() => _rooms.JoinAsync(session, roomId, cancellationToken));
        }

        if (returns)
        {
            await _commands.RefreshAsync(session, cancellationToken);
        }
        else
        {
            await TryAsync(() => _commands.ListAsync(session, RoomArguments.Parse(""), cancellationToken));
            _commands.ShowHelp(LineKind.Hint);
        }
    }

    private async Task TalkAsync(ChatSession session, CancellationToken cancellationToken)
    {
        var speech = new Dictionary<long, RoomSpeech>();
        while (await ReadAsync(session, cancellationToken) is { } input)
        {
            if (input.Line is not { } line)
            {
                await TryAsync(() => _rooms.ShowEarlierAsync(session, input.RoomId, cancellationToken));
                continue;
            }

            if (ChatCommand.Read(line) is { } command)
            {
                if (command.Name == "/quit")
                {
                    break;
                }

                await TryAsync(() => _commands.RunAsync(session, input.RoomId, command, cancellationToken));
                continue;
            }

            string text = ChatCommand.TextOf(line);
            if (!_rooms.Contains(input.RoomId))
            {
                Warn(RoomCommands.NoRoom);
            }
            else if (!ChatRules.IsText(text))
            {
                Warn(RoomSpeech.TooLong(text));
            }
            else
            {
                if (!speech.TryGetValue(input.RoomId, out RoomSpeech? room))
                {
                    speech.Add(input.RoomId, room = new RoomSpeech(session, input.RoomId, _ui));
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
        Task<RoomInput?> input = _ui.ReadInputAsync(reading.Token);
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

    private async Task MeasureAsync(ChatClient client, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(s_latencyInterval, _time);
        try
        {
            // The first answer also waits for code to be compiled: it is no figure.
            await client.EchoAsync(ReadOnlyMemory<byte>.Empty, cancellationToken);
            do
            {
                long start = _time.GetTimestamp();
                try
                {
                    await client.EchoAsync(ReadOnlyMemory<byte>.Empty, cancellationToken);
                    if (client.IsConnected)
                    {
                        _ui.ShowLink(new LinkState(IsConnected: true, "connected", _time.GetElapsedTime(start)));
                    }
                }
                catch (Exception e) when (e is ChatErrorException or TimeoutException)
                {
                    // No figure this _time.
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

    private void Warn(string words) => _ui.Write(new ScreenLine(LineKind.Warning, words));
}
