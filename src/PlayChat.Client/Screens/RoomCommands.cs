using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>The commands of <see cref="RoomsScreen"/>.</summary>
internal sealed class RoomCommands(IRoomsUserInterface ui, OpenRooms rooms)
{
    /// <summary>What the user is told whose line needs a room, where there is none.</summary>
    public const string NoRoom = "You are in no room here: /join ROOM or /create NAME.";

    private const string Keys =
        "PgUp PgDn scroll   Ctrl+N Ctrl+P or Alt+↓ ↑ next room   Alt+1…9 room by number   Alt+A unread room   Ctrl+F search";

    /// <summary>Carries out a line that begins with a slash.</summary>
    /// <param name="session">The session.</param>
    /// <param name="roomId">The room that the user looks at.</param>
    /// <param name="command">The command.</param>
    /// <param name="cancellationToken">Ends the program.</param>
    public async Task RunAsync(ChatSession session, long roomId, ChatCommand command, CancellationToken cancellationToken)
    {
        string argument = command.Argument;
        switch (command.Name)
        {
            case "/join" when argument.Length > 0:
                (long found, string? problem) = await session.Rooms.FindAsync(argument, cancellationToken);
                if (problem is not null)
                {
                    Warn(problem);
                    break;
                }

                if (found == roomId && rooms.Contains(found))
                {
                    ui.Write(new ScreenLine(LineKind.Info, "You are in this room already."));
                    break;
                }

                if (rooms.Contains(found))
                {
                    ui.SwitchTo(found);
                    break;
                }

                await rooms.JoinAsync(session, found, cancellationToken);
                break;
            case "/create":
                await CreateAsync(session, RoomArguments.Parse(argument), cancellationToken);
                break;
            case "/join":
                Warn(ChatCommand.JoinUsage);
                break;
            case "/history" or "/members" when !rooms.Contains(roomId):
            case "/exit" when roomId == 0:
                Warn(NoRoom);
                break;
            case "/exit" when rooms.Contains(roomId):
                await session.Client.LeaveRoomAsync(roomId, cancellationToken);
                rooms.Forget(roomId);
                break;
            case "/exit":
                rooms.Forget(roomId);
                break;
            case "/rooms":
                await ListAsync(session, RoomArguments.Parse(argument), cancellationToken);
                break;
            case "/members":
                IEnumerable<string> names = session.Client.FindRoom(roomId)?.Members.Select(static member => member.Name) ?? [];
                ui.Write(new ScreenLine(LineKind.Info, "Members: " + string.Join(", ", names)));
                break;
            case "/history":
                if (!await rooms.ShowEarlierAsync(session, roomId, cancellationToken))
                {
                    ui.Write(roomId, new ScreenLine(LineKind.Info, "Nothing was said before that."));
                }

                break;
            case "/clear":
                ui.Clear();
                break;
            case "/msg":
                await session.Direct.SendAsync(argument, rooms.Ids, cancellationToken);
                break;
            case "/help":
                ShowHelp(LineKind.Info);
                break;
            default:
                Warn(command.Advice);
                break;
        }
    }

    /// <summary>Reads the rooms of the server, so that their names can be completed.</summary>
    public async Task RefreshAsync(ChatSession session, CancellationToken cancellationToken)
    {
        await session.Rooms.TryRefreshAsync(cancellationToken);
        KnowRooms(session);
    }

    /// <summary>Shows the rooms of the server.</summary>
    /// <param name="session">The session.</param>
    /// <param name="wanted">Which of them.</param>
    /// <param name="cancellationToken">Ends the program.</param>
    public async Task ListAsync(ChatSession session, RoomArguments wanted, CancellationToken cancellationToken)
    {
        if (wanted.Problem is { } problem)
        {
            Warn(problem);
            return;
        }

        (ScreenTable? table, bool hasMore) = await session.Rooms.ListAsync(wanted, cancellationToken);
        KnowRooms(session);
        if (table is null)
        {
            ui.Write(new ScreenLine(
                LineKind.Info, wanted.IsFilter ? "There are no such rooms." : "There are no rooms yet: /create NAME makes one."));
            return;
        }

        ui.Write(table);
        if (hasMore)
        {
            ui.Write(new ScreenLine(LineKind.Info, "There are more rooms; join one by its number."));
        }
    }

    /// <summary>Shows the commands and keys.</summary>
    /// <param name="kind">How the lines look.</param>
    public void ShowHelp(LineKind kind)
    {
        ui.Write(new ScreenLine(kind, ChatCommand.Help));
        ui.Write(new ScreenLine(kind, Keys));
    }

    private async Task CreateAsync(ChatSession session, RoomArguments wanted, CancellationToken cancellationToken)
    {
        if (wanted.Problem is { } problem)
        {
            Warn(problem);
        }
        else if (!ChatRules.IsRoomName(wanted.Name))
        {
            Warn($"Type a name of 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen: /create NAME {RoomArguments.Options}.");
        }
        else
        {
            SCreateRoomRes made = await session.Rooms.CreateAsync(wanted, cancellationToken);
            rooms.Open(session, new RoomEntry(made.RoomId, made.Name, made.Members, made.LatestSequence, History: []));
        }
    }

    private void KnowRooms(ChatSession session) => ui.KnowRooms([.. session.Rooms.Rooms.Select(static room => room.Name)]);

    private void Warn(string words) => ui.Write(new ScreenLine(LineKind.Warning, words));
}
