using System.Diagnostics.CodeAnalysis;
using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>The menu outside of rooms.</summary>
internal sealed class MenuScreen(IUserInterface ui)
{
    // The user typed /quit at a question of the menu, or the input ended there.
    private bool _ended;

    /// <summary>Whether the server refused a room to a script. The program then ends: the script's next lines were meant for that
    /// room.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>Runs until the user is in a room.</summary>
    /// <returns>The room, whose messages the session's feed holds back; null when the user quits, or <see cref="IsRefused"/>.</returns>
    /// <exception cref="ChatConnectionClosedException">The connection ended.</exception>
    public async Task<RoomEntry?> RunAsync(ChatSession session, CancellationToken cancellationToken)
    {
        while (!IsRefused && !_ended)
        {
            ui.Write(new ScreenLine(LineKind.Hint, "1 create a room   2 join a room   3 list rooms   4 quit"));
            string? choice = await session.AskAsync(new InputPrompt("Choice: "), cancellationToken);
            if (PromptCommands.Ends(choice))
            {
                return null;
            }

            RoomEntry? room = null;
            if (ChatCommand.Read(choice.Trim()) is { } command)
            {
                if (await RunAsync(session, command, cancellationToken) is { } entered)
                {
                    return entered;
                }

                continue;
            }

            switch (choice.Trim().ToUpperInvariant())
            {
                case "4" or "Q":
                    return null;
                case "1":
                    room = await AskAndCreateAsync(session, cancellationToken);
                    break;
                case "2":
                    room = await AskAndJoinAsync(session, cancellationToken);
                    break;
                case "3":
                    await ListAsync(session, "", cancellationToken);
                    break;
                case "":
                    break;
                default:
                    ui.Write(new ScreenLine(LineKind.Warning, $"There is no choice \"{choice.Trim()}\": type 1, 2, 3 or 4."));
                    break;
            }

            if (room is not null)
            {
                return room;
            }
        }

        return null;
    }

    private async Task<RoomEntry?> RunAsync(ChatSession session, ChatCommand command, CancellationToken cancellationToken)
    {
        switch (command.Name)
        {
            case "/join":
                return await JoinAsync(session, command.Argument, cancellationToken);
            case "/create":
                return await CreateAsync(session, command.Argument, cancellationToken);
            case "/msg":
                await session.Direct.SendAsync(command.Argument, roomIds: [], cancellationToken);
                return null;
            case "/rooms":
                await ListAsync(session, command.Argument, cancellationToken);
                return null;
            case "/clear":
                ui.Clear();
                return null;
            case "/quit":
                _ended = true;
                return null;
            case "/help":
                ui.Write(new ScreenLine(
                    LineKind.Info,
                    $"Type 1, 2, 3 or 4, /join ROOM, /create NAME, /msg NAME TEXT or /rooms {RoomArguments.Options}. "
                        + PromptCommands.Hint));
                return null;
            case "/exit" or "/members" or "/history":
                session.TellUnsent("You are in no room: /join ROOM or /create NAME enters one.");
                return null;
            default:
                session.TellUnsent(command.Advice);
                return null;
        }
    }

    /// <summary>Joins a room, or shows why the server refused.</summary>
    /// <returns>The room, whose messages the session's feed holds back; null when the server refused.</returns>
    public async Task<RoomEntry?> EnterAsync(ChatSession session, long roomId, CancellationToken cancellationToken) =>
        await EnterAsync(session, async () =>
        {
            SJoinRoomRes room = await session.Client.JoinRoomAsync(roomId, cancellationToken);
            return new RoomEntry(room.RoomId, room.Name, room.Members, room.LatestSequence, room.History);
        });

    /// <summary>Makes a room and enters it, or shows why the server refused.</summary>
    /// <param name="session">The session.</param>
    /// <param name="argument">The room's name, and its type and properties.</param>
    /// <param name="cancellationToken">Ends the program.</param>
    /// <returns>As <see cref="EnterAsync(ChatSession, long, CancellationToken)"/>.</returns>
    public async Task<RoomEntry?> CreateAsync(ChatSession session, string argument, CancellationToken cancellationToken)
    {
        RoomArguments wanted = RoomArguments.Parse(argument);
        if ((wanted.Problem ?? (ChatRules.IsRoomName(wanted.Name) ? null : NameRule)) is { } problem)
        {
            Refuse(problem);
            return null;
        }

        return await EnterAsync(session, async () =>
        {
            SCreateRoomRes room = await session.Rooms.CreateAsync(wanted, cancellationToken);
            return new RoomEntry(room.RoomId, room.Name, room.Members, room.LatestSequence, History: []);
        });
    }

    /// <summary>Lists rooms, or shows why the server refused.</summary>
    /// <param name="session">The session.</param>
    /// <param name="argument">The type and the properties that the rooms must have.</param>
    /// <param name="cancellationToken">Ends the program.</param>
    public async Task ListAsync(ChatSession session, string argument, CancellationToken cancellationToken)
    {
        RoomArguments wanted = RoomArguments.Parse(argument);
        if ((wanted.Problem ?? await TryAsync(() => ListAsync(session, wanted, cancellationToken))) is { } problem)
        {
            ui.Write(new ScreenLine(LineKind.Warning, problem));
        }
    }

    private static string NameRule => $"A room's name has 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen.";

    /// <returns>Null when the user typed /quit or the input ended; the menu then ends as well.</returns>
    private async Task<string?> AskAsync(ChatSession session, string label, string help, CancellationToken cancellationToken)
    {
        while (true)
        {
            string? answer = await session.AskAsync(new InputPrompt(label), cancellationToken);
            if (PromptCommands.Ends(answer))
            {
                _ended = true;
                return null;
            }

            if (PromptCommands.IsHelp(answer))
            {
                ui.Write(new ScreenLine(LineKind.Info, $"{help} {PromptCommands.Hint}"));
            }
            else if (ChatCommand.Read(answer.Trim()) is not { } command)
            {
                return ChatCommand.TextOf(answer.Trim());
            }
            else
            {
                Refuse($"{command.Name} is no answer here. {help} Enter alone goes back to the menu. {PromptCommands.Hint}");
                if (IsRefused)
                {
                    return null;
                }
            }
        }
    }

    private async Task<RoomEntry?> AskAndCreateAsync(ChatSession session, CancellationToken cancellationToken)
    {
        string? answer = await AskAsync(
            session, "Name of the room: ", $"{NameRule} Behind it you may type {RoomArguments.Options}.", cancellationToken);
        return IsTakenBack(answer) ? null : await CreateAsync(session, answer, cancellationToken);
    }

    private async Task<RoomEntry?> AskAndJoinAsync(ChatSession session, CancellationToken cancellationToken)
    {
        string? room = await AskAsync(
            session, "Number or name of the room: ", "The list of rooms has both (3 in the menu).", cancellationToken);
        return IsTakenBack(room) ? null : await JoinAsync(session, room, cancellationToken);
    }

    private async Task<RoomEntry?> JoinAsync(ChatSession session, string room, CancellationToken cancellationToken)
    {
        (long roomId, string? problem) = (0, null);
        if (room.Length == 0)
        {
            problem = "No room was named: 3 lists the rooms and their numbers.";
        }

        problem ??= await TryAsync(async () => (roomId, problem) = await session.Rooms.FindAsync(room, cancellationToken)) ?? problem;
        if (problem is not null)
        {
            Refuse(problem);
            return null;
        }

        return await EnterAsync(session, roomId, cancellationToken);
    }

    private async Task<RoomEntry?> EnterAsync(ChatSession session, Func<Task<RoomEntry>> enterAsync)
    {
        RoomEntry? room = null;
        session.Feed.Hold();
        if (await TryAsync(async () => room = await enterAsync()) is { } problem)
        {
            session.Feed.Release();
            Refuse(problem);
        }

        return room;
    }

    private async Task ListAsync(ChatSession session, RoomArguments wanted, CancellationToken cancellationToken)
    {
        (ScreenTable? table, bool hasMore) = await session.Rooms.ListAsync(wanted, cancellationToken);
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

    /// <returns>Why it does not work; null when it did.</returns>
    private static async Task<string?> TryAsync(Func<Task> action)
    {
        try
        {
            await action();
            return null;
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ArgumentException)
        {
            return e.Message;
        }
    }

    // Enter alone on an interactive user interface means that the user changed their mind.
    private bool IsTakenBack([NotNullWhen(false)] string? answer) => answer is null || (answer.Length == 0 && ui.IsInteractive);

    private void Refuse(string why)
    {
        IsRefused = !ui.IsInteractive;
        ui.Write(new ScreenLine(IsRefused ? LineKind.Error : LineKind.Warning, why));
    }
}
