namespace PlayChat.Client.Screens;

/// <summary>The commands that change messages and moderate rooms. clients/web/src/moderation.ts reads them in the same way.</summary>
internal sealed class RoomModeration(ChatSession session)
{
    private const uint MaxMinutes = 5_256_000; // ten years, the most that the server takes
    private const uint MaxSlowSeconds = 3600;

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
        string? speaker = command.Name is "/react" or "/report" ? null : command.Name == "/delete" && rest.Length > 0 ? rest : own;
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
            return;
        }

        if (session.Feed.Find(roomId, speaker, isCounted ? number : -1) is not { } message)
        {
            string whose = speaker is null ? "another player" : speaker == own ? "yours" : speaker;
            session.TellUnsent($"There is no such message of {whose} here.");
            return;
        }

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

    private async Task RemoveAsync(long roomId, string name)
    {
        string room = session.Client.FindRoom(roomId)?.Name ?? "";
        if (name == room)
        {
            await SendAsync(roomId, new CModerateReq { Action = ModerationAction.RemoveRoom });
        }
        else
        {
            session.TellUnsent($"This ends the room for everybody. If you mean it, type its name: /remove {room}");
        }
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
        const string Question = "Password of the room (Enter alone: none): ";
        bool isNumber = uint.TryParse(command.Argument, NumberStyles.None, CultureInfo.InvariantCulture, out uint number);
        string? password = command.Name == "/password" ? await session.AskSecretAsync(Question) : null;
        CModerateReq? request = command.Name switch
        {
            "/topic" => new() { Action = ModerationAction.SetTopic, Topic = command.Argument },
            "/capacity" => isNumber ? new() { Action = ModerationAction.SetCapacity, Capacity = number } : null,
            "/slow" => isNumber && number <= MaxSlowSeconds ? new() { Action = ModerationAction.SetSlowMode, Seconds = number } : null,
            "/password" => password is null ? null : new() { Action = ModerationAction.SetPassword, Password = password },
            _ => new() { Action = ActionOf(command.Name) },
        };
        if (request is not null)
        {
            await SendAsync(roomId, request);
        }
        else if (command.Name != "/password")
        {
            session.TellUnsent($"Type {UsageOf(command.Name)}");
        }
    }

    private async Task ModerateAsync(long roomId, ChatCommand command)
    {
        ModerationAction action = command.Name == "/role" ? ModerationAction.SetRole : ActionOf(command.Name);
        IEnumerable<Member> members = session.Client.FindRoom(roomId)?.Members ?? [];
        string name = action is ModerationAction.Unban or ModerationAction.Invite ? command.Argument // a command without a reason
            : KnownPlayers.FindAtStart(members, command.Argument)?.Name ?? command.Argument.Split(' ', 2)[0];
        string rest = command.Argument[name.Length..].Trim();
        string first = rest.Split(' ', 2)[0];
        var request = new CModerateReq { Action = action, PlayerName = name, Reason = rest };
        if (action == ModerationAction.SetRole && Enum.TryParse(rest, ignoreCase: true, out RoomRole role) && !char.IsDigit(rest[0]))
        {
            (request.Role, request.Reason) = (role, "");
        }
        else if (name.Length == 0 || action == ModerationAction.SetRole)
        {
            session.TellUnsent($"Type {UsageOf(command.Name)}");
            return;
        }
        else if (action is ModerationAction.Mute or ModerationAction.Ban
            && uint.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out uint minutes)
            && minutes <= MaxMinutes)
        {
            (request.Seconds, request.Reason) = (minutes * 60, rest[first.Length..].Trim());
        }

        await SendAsync(roomId, request);
    }

    // The room says what was done.
    private Task<SModerateRes> SendAsync(long roomId, CModerateReq request)
    {
        request.RoomId = roomId;
        return session.Client.ModerateAsync(request, session.Stop);
    }

    private static string UsageOf(string command) => command switch
    {
        "/mute" or "/ban" => $"{command} NAME [MINUTES] [REASON].",
        "/role" => "/role NAME owner, moderator or member.",
        "/unban" or "/invite" => $"{command} NAME.",
        "/capacity" => "/capacity NUMBER, how many players the room takes at once. 0 means as many as the server allows.",
        "/slow" => "/slow SECONDS, 0 to 3600. 0 ends slow mode.",
        _ => $"{command} NAME [REASON].",
    };

    private static ModerationAction ActionOf(string command) => Enum.Parse<ModerationAction>(command.AsSpan(1), ignoreCase: true);
}
