using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>A room: what is typed is said, commands begin with a slash.</summary>
internal sealed class RoomScreen(IUserInterface ui, MenuScreen menu)
{
    private readonly LineHistory _history = new();

    /// <summary>Runs until the user leaves.</summary>
    /// <exception cref="ChatConnectionClosedException">The connection ended.</exception>
    public async Task<RoomExit> RunAsync(ChatSession session, RoomEntry room, CancellationToken cancellationToken)
    {
        if (room.IsReturn)
        {
            ui.Write(new ScreenLine(LineKind.Info, $"Back in room {room.Id}: {room.Name}."));
        }
        else
        {
            ui.Write(new ScreenLine(LineKind.Title, $"Room {room.Id}: {room.Name}"));
            ui.Write(new ScreenLine(LineKind.Info, "Members: " + string.Join(", ", room.Members.Select(static member => member.Name))));
            ui.Write(new ScreenLine(LineKind.Hint, ChatCommand.Help));
        }

        var past = new RoomPast(session, room, ui);
        await past.ShowLastAsync(cancellationToken);
        session.Feed.Open(room.Id);
        var speech = new RoomSpeech(session, room.Id, ui);
        RoomExit exit = await TalkAsync(session, room, speech, past, cancellationToken);
        await LeaveAsync(session, room, speech, cancellationToken);
        if (exit.NextRoom is null)
        {
            session.Feed.Close();
        }

        return exit;
    }

    private async Task<RoomExit> TalkAsync(
        ChatSession session, RoomEntry room, RoomSpeech speech, RoomPast past, CancellationToken cancellationToken)
    {
        string draft = "";
        var help = new LineHelp(_history, before => Completions.Find(
            before,
            ChatCommand.All,
            session.Rooms.Rooms.Select(static room => room.Name),
            Members(session, room).Select(static member => member.Name),
            session.Feed.Players.With(Members(session, room)).Select(static player => player.Name)));
        Task listing = ui.IsInteractive ? session.Rooms.TryRefreshAsync(cancellationToken) : Task.CompletedTask;
        while (true)
        {
            string? line = await session.AskAsync(
                new InputPrompt("> ", StaysOnScreen: false, InitialText: draft, Help: help), cancellationToken);
            draft = "";
            await listing; // it began before the user typed
            if (line is null)
            {
                return RoomExit.Quit;
            }

            if (ChatCommand.Read(line) is { } command)
            {
                if (await RunAsync(session, room, past, command, cancellationToken) is { } exit)
                {
                    return exit;
                }
            }
            else if (ChatCommand.TextOf(line) is { Length: > 0 } text && !ChatRules.IsText(text))
            {
                session.TellUnsent(RoomSpeech.TooLong(text));
                draft = ui.IsInteractive ? line : "";
            }
            else if (line.Length > 0)
            {
                await speech.SayAsync(ChatCommand.TextOf(line), cancellationToken);
            }
        }
    }

    /// <returns>Null when the user stays in the room.</returns>
    private async Task<RoomExit?> RunAsync(
        ChatSession session, RoomEntry room, RoomPast past, ChatCommand command, CancellationToken cancellationToken)
    {
        switch (command.Name)
        {
            case "/quit":
                return RoomExit.Quit;
            case "/exit":
                return RoomExit.ToMenu;
            case "/join":
                long? wanted = await FindAsync(session, command.Argument, cancellationToken);
                if (wanted == room.Id)
                {
                    ui.Write(new ScreenLine(LineKind.Info, $"You are in room {room.Id} already: {room.Name}."));
                    return null;
                }

                return Move(wanted is null ? null : await menu.EnterAsync(session, wanted.Value, cancellationToken));
            case "/create":
                return Move(await menu.CreateAsync(session, command.Argument, cancellationToken));
            case "/rooms":
                await menu.ListAsync(session, command.Argument, cancellationToken);
                return null;
            case "/members":
                ShowMembers(Members(session, room));
                return null;
            case "/history":
                await past.ShowEarlierAsync(cancellationToken);
                return null;
            case "/msg":
                await session.Direct.SendAsync(command.Argument, [room.Id], cancellationToken);
                return null;
            case "/clear":
                ui.Clear();
                return null;
            case "/help":
                ui.Write(new ScreenLine(LineKind.Info, ChatCommand.Help));
                return null;
            default:
                session.TellUnsent(command.Advice);
                return null;
        }
    }

    /// <summary>Leaves the room for another one. It is left only now, so that a refused room costs the user nothing.</summary>
    private RoomExit? Move(RoomEntry? next) => next is not null ? new RoomExit(Quits: false, next)
        : ui.IsInteractive ? null
        : RoomExit.Quit with { IsRefused = true };

    private static IReadOnlyList<Member> Members(ChatSession session, RoomEntry room) =>
        session.Client.FindRoom(room.Id)?.Members ?? room.Members;

    /// <returns>The room's id; null when there is none, and the user knows why.</returns>
    private async Task<long?> FindAsync(ChatSession session, string wanted, CancellationToken cancellationToken)
    {
        string? problem = ChatCommand.JoinUsage;
        try
        {
            if (wanted.Length > 0)
            {
                (long roomId, problem) = await session.Rooms.FindAsync(wanted, cancellationToken);
                if (problem is null)
                {
                    return roomId;
                }
            }
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            problem = e.Message;
        }

        ui.Write(new ScreenLine(ui.IsInteractive ? LineKind.Warning : LineKind.Error, problem));
        return null;
    }

    private async Task LeaveAsync(ChatSession session, RoomEntry room, RoomSpeech speech, CancellationToken cancellationToken)
    {
        await speech.AllAnsweredAsync(cancellationToken);
        try
        {
            await session.Client.LeaveRoomAsync(room.Id, cancellationToken);
            ui.Write(new ScreenLine(LineKind.Info, $"You have left room {room.Id}: {room.Name}."));
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException)
        {
            ui.Write(new ScreenLine(LineKind.Warning, e.Message));
        }
    }

    private void ShowMembers(IReadOnlyList<Member> members) =>
        ui.Write(new ScreenTable([$"Members ({members.Count})"], [.. members.Select(static member => new[] { member.Name })]));
}
