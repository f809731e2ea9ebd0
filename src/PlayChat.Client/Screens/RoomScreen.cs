using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>A room: what is typed is said, commands begin with a slash.</summary>
internal sealed class RoomScreen(IUserInterface ui)
{
    private const string Commands =
        "/members who is here   /history earlier messages   /join ROOM another room   "
        + "/msg NAME TEXT to one player   /exit leave the room   /quit end   /help";

    private static readonly string[] s_commands = ["/members", "/history", "/join", "/msg", "/exit", "/quit", "/help"];

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
            ui.Write(new ScreenLine(LineKind.Hint, Commands));
        }

        var past = new RoomPast(session, room, ui);
        await past.ShowLastAsync(cancellationToken);
        session.Feed.Open(room.Id);
        var speech = new RoomSpeech(session, room.Id, ui);
        RoomExit exit = await TalkAsync(session, room, speech, past, cancellationToken);
        await LeaveAsync(session, room, speech, cancellationToken);
        session.Feed.Close();
        return exit;
    }

    private async Task<RoomExit> TalkAsync(
        ChatSession session, RoomEntry room, RoomSpeech speech, RoomPast past, CancellationToken cancellationToken)
    {
        string draft = "";
        var help = new LineHelp(_history, before => Completions.Find(
            before,
            s_commands,
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
            if (line is not null && PromptCommands.IsJoin(line, out string? wanted))
            {
                if (await FindAsync(session, wanted, cancellationToken) is { } next)
                {
                    return new RoomExit(Quits: false, next);
                }

                if (!ui.IsInteractive)
                {
                    return RoomExit.Quit with { IsRefused = true };
                }

                continue;
            }

            if (line is not null && PromptCommands.IsMessage(line, out string? message))
            {
                await session.Direct.SendAsync(message, [room.Id], cancellationToken);
                continue;
            }

            switch (line)
            {
                case null or "/quit":
                    return RoomExit.Quit;
                case "/exit":
                    return RoomExit.ToMenu;
                case "/members":
                    ShowMembers(Members(session, room));
                    break;
                case "/history":
                    await past.ShowEarlierAsync(cancellationToken);
                    break;
                case "/help":
                    ui.Write(new ScreenLine(LineKind.Info, Commands + "   //text says /text"));
                    break;
                case "":
                    break;
                case ['/', not '/', ..] or "/":
                    session.TellUnsent($"There is no command {line.Split(' ')[0]}. {Commands}");
                    break;
                default:
                    string text = line[0] == '/' ? line[1..] : line;
                    if (ChatRules.IsText(text))
                    {
                        await speech.SayAsync(text, cancellationToken);
                        break;
                    }

                    session.TellUnsent(RoomSpeech.TooLong(text));
                    draft = ui.IsInteractive ? line : "";
                    break;
            }
        }
    }

    private static IReadOnlyList<Member> Members(ChatSession session, RoomEntry room) =>
        session.Client.FindRoom(room.Id)?.Members ?? room.Members;

    /// <returns>The room's id; null when there is none, and the user knows why.</returns>
    private async Task<long?> FindAsync(ChatSession session, string wanted, CancellationToken cancellationToken)
    {
        string? problem = "Type the number or the name of the room: /join ROOM.";
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
