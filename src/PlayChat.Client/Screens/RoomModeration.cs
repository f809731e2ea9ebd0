namespace PlayChat.Client.Screens;

/// <summary>The commands that change messages and moderate rooms. clients/web/src/moderation.ts reads them in the same way.</summary>
internal sealed class RoomModeration(ChatSession session)
{
    private const uint MaxMinutes = 5_256_000; // ten years, the most that the server takes

    private const uint MaxSlowSeconds = 3600;

    private static readonly Dictionary<string, ModerationAction> s_actions = new(StringComparer.Ordinal)
    {
        ["/mute"] = ModerationAction.Mute,
        ["/unmute"] = ModerationAction.Unmute,
        ["/kick"] = ModerationAction.Kick,
        ["/ban"] = ModerationAction.Ban,
        ["/unban"] = ModerationAction.Unban,
        ["/invite"] = ModerationAction.Invite,
        ["/role"] = ModerationAction.SetRole,
    };

    /// <summary>Whether a command is one of these.</summary>
    public static bool Knows(string name) =>
        name is "/edit" or "/delete" or "/remove" or "/topic" or "/slow" or "/capacity" or "/password" or "/lock" or "/unlock" or "/react"
            or "/report" or "/reports" or "/resolve"
        || s_actions.ContainsKey(name);

    /// <summary>Runs one of the commands in a room that the user is in.</summary>
    public async Task RunAsync(long roomId, ChatCommand command, CancellationToken cancellationToken)
    {
        if (command.Name is "/edit" or "/delete")
        {
            await ChangeAsync(roomId, command, cancellationToken);
        }
        else if (command.Name == "/remove")
        {
            await RemoveAsync(roomId, command.Argument, cancellationToken);
        }
        else if (command.Name == "/react")
        {
            await ReactAsync(roomId, command.Argument, cancellationToken);
        }
        else if (command.Name is "/report" or "/reports" or "/resolve")
        {
            await ReportAsync(roomId, command, cancellationToken);
        }
        else if (command.Name is "/topic" or "/slow" or "/capacity" or "/password" or "/lock" or "/unlock")
        {
            await SetTermsAsync(roomId, command, cancellationToken);
        }
        else
        {
            await ModerateAsync(roomId, s_actions[command.Name], command, cancellationToken);
        }
    }

    private async Task ChangeAsync(long roomId, ChatCommand command, CancellationToken cancellationToken)
    {
        bool isEdit = command.Name == "/edit";
        if (isEdit && command.Argument.Length == 0)
        {
            session.TellUnsent("Type the new text of your last message: /edit TEXT.");
            return;
        }

        bool isOwn = isEdit || command.Argument.Length == 0;
        string? name = isOwn ? session.Client.Login?.Name : command.Argument;
        if (session.Feed.FindLast(roomId, name ?? "") is not { } last)
        {
            session.TellUnsent($"There is no message of {(isOwn ? "yours" : name)} here that could be changed.");
        }
        else if (isEdit)
        {
            await session.Client.EditMessageAsync(roomId, last, command.Argument, cancellationToken);
        }
        else
        {
            await session.Client.DeleteMessageAsync(roomId, last, cancellationToken);
        }
    }

    private async Task RemoveAsync(long roomId, string name, CancellationToken cancellationToken)
    {
        string room = session.Client.FindRoom(roomId)?.Name ?? "";
        if (name != room)
        {
            session.TellUnsent($"This ends the room for everybody. If you mean it, type its name: /remove {room}");
            return;
        }

        await session.Client.ModerateAsync(
            new CModerateReq { RoomId = roomId, Action = ModerationAction.RemoveRoom }, cancellationToken);
    }

    private async Task ReactAsync(long roomId, string emoji, CancellationToken cancellationToken)
    {
        if (!ChatRules.IsReaction(emoji))
        {
            session.TellUnsent("Type one emoji: /react \U0001F44D.");
        }
        else if (session.Feed.FindNewest(roomId) is not { } newest)
        {
            session.TellUnsent("Nobody else has said anything here since you came.");
        }
        else
        {
            await session.Client.ReactAsync(roomId, newest, emoji, cancellationToken: cancellationToken);
        }
    }

    private async Task ReportAsync(long roomId, ChatCommand command, CancellationToken cancellationToken)
    {
        if (command.Name == "/reports")
        {
            SListReportsRes page = await session.Client.ListReportsAsync(roomId, cancellationToken: cancellationToken);
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
        else if (command.Name == "/resolve")
        {
            if (!long.TryParse(command.Argument, NumberStyles.None, CultureInfo.InvariantCulture, out long id))
            {
                session.TellUnsent("Type the number of a report: /resolve NUMBER. /reports lists them.");
                return;
            }

            await session.Client.ResolveReportAsync(roomId, id, cancellationToken: cancellationToken);
            session.Tell($"Report {id} is resolved.");
        }
        else if (command.Argument.Length == 0)
        {
            session.TellUnsent("Type what is wrong with the newest message: /report REASON.");
        }
        else if (session.Feed.FindNewest(roomId) is not { } newest)
        {
            session.TellUnsent("Nobody else has said anything here since you came.");
        }
        else
        {
            await session.Client.ReportAsync(roomId, newest, command.Argument, cancellationToken);
            session.Tell("You have reported the newest message to the moderators.");
        }
    }

    private async Task SetTermsAsync(long roomId, ChatCommand command, CancellationToken cancellationToken)
    {
        var request = new CModerateReq { RoomId = roomId, Action = ModerationAction.SetTopic, Topic = command.Argument };
        if (command.Name is "/lock" or "/unlock")
        {
            request = new CModerateReq
            {
                RoomId = roomId,
                Action = command.Name == "/lock" ? ModerationAction.Lock : ModerationAction.Unlock,
            };
        }
        else if (command.Name == "/password")
        {
            if (await session.AskSecretAsync("Password of the room (Enter alone: none): ", cancellationToken) is not { } password)
            {
                return;
            }

            request = new CModerateReq { RoomId = roomId, Action = ModerationAction.SetPassword, Password = password };
        }
        else if (command.Name == "/capacity")
        {
            if (!uint.TryParse(command.Argument, NumberStyles.None, CultureInfo.InvariantCulture, out uint capacity))
            {
                session.TellUnsent("Type /capacity NUMBER, how many players the room takes at once. 0 means as many as the server allows.");
                return;
            }

            request = new CModerateReq { RoomId = roomId, Action = ModerationAction.SetCapacity, Capacity = capacity };
        }
        else if (command.Name == "/slow")
        {
            if (!uint.TryParse(command.Argument, NumberStyles.None, CultureInfo.InvariantCulture, out uint seconds)
                || seconds > MaxSlowSeconds)
            {
                session.TellUnsent("Type /slow SECONDS, 0 to 3600. 0 ends slow mode.");
                return;
            }

            request = new CModerateReq { RoomId = roomId, Action = ModerationAction.SetSlowMode, Seconds = seconds };
        }

        await session.Client.ModerateAsync(request, cancellationToken); // the room says what was done
    }

    private async Task ModerateAsync(long roomId, ModerationAction action, ChatCommand command, CancellationToken cancellationToken)
    {
        IEnumerable<string> members = session.Client.FindRoom(roomId)?.Members.Select(static member => member.Name) ?? [];
        bool isAboutOther = action is ModerationAction.Unban or ModerationAction.Invite; // such a command has no reason
        string name = isAboutOther ? command.Argument : NameIn(command.Argument, members);
        string rest = command.Argument[name.Length..].Trim();
        var request = new CModerateReq { RoomId = roomId, Action = action, PlayerName = name };
        bool isRole = Enum.TryParse(rest, ignoreCase: true, out RoomRole role) && !char.IsDigit(rest[0]);
        if (name.Length == 0 || (action == ModerationAction.SetRole && !isRole))
        {
            session.TellUnsent($"Type {UsageOf(command.Name)}.");
            return;
        }

        if (action == ModerationAction.SetRole)
        {
            request.Role = role;
        }
        else
        {
            string first = rest.Split(' ', 2)[0];
            if (action is ModerationAction.Mute or ModerationAction.Ban
                && uint.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out uint minutes)
                && minutes <= MaxMinutes)
            {
                request.Seconds = minutes * 60;
                rest = rest[first.Length..].Trim();
            }

            request.Reason = rest;
        }

        await session.Client.ModerateAsync(request, cancellationToken); // the room says what was done
    }

    private static string UsageOf(string command) => command switch
    {
        "/mute" or "/ban" => $"{command} NAME [MINUTES] [REASON]",
        "/role" => "/role NAME owner, moderator or member",
        "/unban" or "/invite" => $"{command} NAME",
        _ => $"{command} NAME [REASON]",
    };

    /// <summary>The name at the beginning of a text: the longest of a member, because names may have spaces, or else the first
    /// word.</summary>
    private static string NameIn(string text, IEnumerable<string> members) =>
        members.Where(name => text.StartsWith(name, StringComparison.OrdinalIgnoreCase)
                && (text.Length == name.Length || char.IsWhiteSpace(text[name.Length])))
            .MaxBy(static name => name.Length) ?? text.Split(' ', 2)[0];
}
