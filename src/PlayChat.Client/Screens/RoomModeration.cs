namespace PlayChat.Client.Screens;

/// <summary>The commands that change messages and moderate rooms. clients/web/src/moderation.ts reads them in the same way.</summary>
internal sealed class RoomModeration(ChatSession session)
{
    private const uint MaxMinutes = 5_256_000; // ten years, the most that the server takes

    private const uint MaxSlowSeconds = 3600;

    /// <summary>Runs one of the commands in a room that the user is in.</summary>
    public Task RunAsync(long roomId, ChatCommand command) => command.Name switch
    {
        "/edit" or "/delete" or "/react" or "/report" => ChangeAsync(roomId, command),
        "/remove" => RemoveAsync(roomId, command.Argument),
        "/reports" => ListReportsAsync(roomId),
        "/resolve" => ResolveAsync(roomId, command.Argument),
        "/topic" or "/slow" or "/capacity" or "/password" or "/lock" or "/unlock" => SetTermsAsync(roomId, command),
        _ => ModerateAsync(roomId, command),
    };

    /// <summary>Carries out what is about one message: the newest, or that before it with -2 before the rest.</summary>
    private async Task ChangeAsync(long roomId, ChatCommand command)
    {
        string first = command.Argument.Split(' ', 2)[0];
        bool isCounted = int.TryParse(first, CultureInfo.InvariantCulture, out int number) && number < 0;
        string rest = isCounted ? command.Argument[first.Length..].Trim() : command.Argument;
        string own = session.Client.Login?.Name ?? "";
        string? speaker = command.Name is "/react" or "/report" ? null
            : command.Name == "/delete" && rest.Length > 0 ? rest : own;
        string? problem = command.Name switch
        {
            "/edit" when rest.Length == 0 => "Type the new text of your last message: /edit TEXT.",
            "/react" when !ChatRules.IsReaction(rest) => "Type one emoji: /react \U0001F44D.",
            "/report" when rest.Length == 0 => "Type what is wrong with the newest message: /report REASON.",
            _ => null,
        };
        if (problem is not null)
        {
            session.TellUnsent($"{problem} {command.Name} -2 is about the message before.");
        }
        else if (session.Feed.Find(roomId, speaker, isCounted ? number : -1) is not { } message)
        {
            session.TellUnsent(speaker is null
                ? "There is no such message of another player here."
                : $"There is no such message of {(speaker == own ? "yours" : speaker)} here.");
        }
        else
        {
            await (command.Name switch
            {
                "/edit" => session.Client.EditMessageAsync(roomId, message.Sequence, rest, session.Stop),
                "/delete" => session.Client.DeleteMessageAsync(roomId, message.Sequence, session.Stop),
                "/react" => session.Client.ReactAsync(roomId, message.Sequence, rest, cancellationToken: session.Stop),
                _ => session.Client.ReportAsync(roomId, message.Sequence, rest, session.Stop),
            });
            if (command.Name == "/report")
            {
                session.Tell($"You have reported a message of {message.Name} to the moderators.");
            }
        }
    }

    private async Task RemoveAsync(long roomId, string name)
    {
        string room = session.Client.FindRoom(roomId)?.Name ?? "";
        if (name != room)
        {
            session.TellUnsent($"This ends the room for everybody. If you mean it, type its name: /remove {room}");
            return;
        }

        await session.Client.ModerateAsync(new CModerateReq { RoomId = roomId, Action = ModerationAction.RemoveRoom }, session.Stop);
    }

    private async Task ListReportsAsync(long roomId)
    {
        SListReportsRes page = await session.Client.ListReportsAsync(roomId, cancellationToken: session.Stop);
        foreach (Report report in page.Reports)
        {
            session.Tell($"Report {report.ReportId} by {report.ReporterName}: {report.Reason}");
            foreach (SRoomChatNtf line in report.Messages)
            {
                session.Tell($"  {(line.Sequence == report.Sequence ? "> " : "")}{line.PlayerName}: {line.Text}");
            }
        }

        session.Tell(page.Reports.Count == 0 ? "There are no open reports."
            : $"{(page.More ? "There are more. " : "")}/resolve NUMBER closes a report.");
    }

    private async Task ResolveAsync(long roomId, string number)
    {
        if (!long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long id))
        {
            session.TellUnsent("Type the number of a report: /resolve NUMBER. /reports lists them.");
            return;
        }

        await session.Client.ResolveReportAsync(roomId, id, cancellationToken: session.Stop);
        session.Tell($"Report {id} is resolved.");
    }

    private async Task SetTermsAsync(long roomId, ChatCommand command)
    {
        var request = new CModerateReq { RoomId = roomId };
        bool isNumber = uint.TryParse(command.Argument, NumberStyles.None, CultureInfo.InvariantCulture, out uint number);
        switch (command.Name)
        {
            case "/topic":
                (request.Action, request.Topic) = (ModerationAction.SetTopic, command.Argument);
                break;
            case "/capacity" when isNumber:
                (request.Action, request.Capacity) = (ModerationAction.SetCapacity, number);
                break;
            case "/slow" when isNumber && number <= MaxSlowSeconds:
                (request.Action, request.Seconds) = (ModerationAction.SetSlowMode, number);
                break;
            case "/capacity":
                session.TellUnsent("Type /capacity NUMBER, how many players the room takes at once. 0 means as many as the server allows.");
                return;
            case "/slow":
                session.TellUnsent("Type /slow SECONDS, 0 to 3600. 0 ends slow mode.");
                return;
            case "/password":
                if (await session.AskSecretAsync("Password of the room (Enter alone: none): ") is not { } password)
                {
                    return;
                }

                (request.Action, request.Password) = (ModerationAction.SetPassword, password);
                break;
            default:
                request.Action = ActionOf(command.Name);
                break;
        }

        await session.Client.ModerateAsync(request, session.Stop); // the room says what was done
    }

    private async Task ModerateAsync(long roomId, ChatCommand command)
    {
        ModerationAction action = command.Name == "/role" ? ModerationAction.SetRole : ActionOf(command.Name);
        IEnumerable<Member> members = session.Client.FindRoom(roomId)?.Members ?? [];
        string name = action is ModerationAction.Unban or ModerationAction.Invite ? command.Argument // a command without a reason
            : KnownPlayers.FindAtStart(members, command.Argument)?.Name ?? command.Argument.Split(' ', 2)[0];
        string rest = command.Argument[name.Length..].Trim();
        string first = rest.Split(' ', 2)[0];
        var request = new CModerateReq { RoomId = roomId, Action = action, PlayerName = name, Reason = rest };
        if (action == ModerationAction.SetRole && Enum.TryParse(rest, ignoreCase: true, out RoomRole role) && !char.IsDigit(rest[0]))
        {
            (request.Role, request.Reason) = (role, "");
        }
        else if (name.Length == 0 || action == ModerationAction.SetRole)
        {
            session.TellUnsent($"Type {UsageOf(command.Name)}.");
            return;
        }
        else if (action is ModerationAction.Mute or ModerationAction.Ban
            && uint.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out uint minutes)
            && minutes <= MaxMinutes)
        {
            (request.Seconds, request.Reason) = (minutes * 60, rest[first.Length..].Trim());
        }

        await session.Client.ModerateAsync(request, session.Stop); // the room says what was done
    }

    private static string UsageOf(string command) => command switch
    {
        "/mute" or "/ban" => $"{command} NAME [MINUTES] [REASON]",
        "/role" => "/role NAME owner, moderator or member",
        "/unban" or "/invite" => $"{command} NAME",
        _ => $"{command} NAME [REASON]",
    };

    private static ModerationAction ActionOf(string command) => Enum.Parse<ModerationAction>(command.AsSpan(1), ignoreCase: true);
}
