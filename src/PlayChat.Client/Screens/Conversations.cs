namespace PlayChat.Client.Screens;

/// <summary>The commands <c>/dm</c>, <c>/conversations</c>, <c>/block</c> and <c>/unblock</c>, where the server stores direct
/// messages.</summary>
internal sealed class Conversations(ChatSession session, IUserInterface ui)
{
    private const int PageMessages = 20;
    private const int MaxListed = 50;

    /// <summary>Whether a command is one of these.</summary>
    public static bool Knows(string name) => name is "/dm" or "/conversations" or "/block" or "/unblock";

    /// <summary>Shows what was said to the user while it was away. After the login.</summary>
    public void ShowUnread()
    {
        SLoginRes login = session.Client.Login!;
        session.Feed.Blocked = login.BlockedPlayerIds.ToHashSet();
        ShowUnread(login.UnreadConversations);
        if (login is { Server.DirectStored: true })
        {
            session.Client.Reconnected += (_, _) => _ = ShowMissedAsync();
        }
    }

    /// <summary>Runs one of the commands.</summary>
    public async Task RunAsync(ChatCommand command, IEnumerable<long> roomIds, CancellationToken cancellationToken)
    {
        if (session.Client.Login is not { Server.DirectStored: true })
        {
            session.TellUnsent("This server stores no direct messages, and blocks no players. Use /msg NAME TEXT.");
            return;
        }

        List<Member> known = session.Feed.Players.With(roomIds.SelectMany(id => session.Client.FindRoom(id)?.Members ?? []));
        switch (command.Name)
        {
            case "/dm":
                await WriteAsync(known, command.Argument, cancellationToken);
                break;
            case "/conversations":
                await ListAsync(cancellationToken);
                break;
            default:
                await BlockAsync(command, cancellationToken);
                break;
        }
    }

    private async Task ShowMissedAsync()
    {
        try
        {
            ShowUnread((await session.Client.ListConversationsAsync(MaxListed)).Conversations);
        }
        catch (Exception e) when (e is ChatErrorException or TimeoutException or ChatConnectionClosedException)
        {
            // The next break or login tells it.
        }
    }

    private void ShowUnread(IEnumerable<Conversation> conversations)
    {
        foreach (Conversation conversation in conversations.Where(static one => one.Unread > 0))
        {
            string name = conversation.Player.Name;
            string words = string.Create(CultureInfo.InvariantCulture, $"{conversation.Unread} new from {name}. /dm {name} shows them.");
            ui.Write(new ScreenLine(LineKind.Direct, words));
        }
    }

    private async Task WriteAsync(List<Member> known, string argument, CancellationToken cancellationToken)
    {
        SListConversationsRes listed = await session.Client.ListConversationsAsync(cancellationToken: cancellationToken);
        Member? player = KnownPlayers.FindAtStart(known.Concat(listed.Conversations.Select(static one => one.Player)), argument);
        string name = player?.Name ?? argument.Split(' ', 2)[0];
        string text = argument[name.Length..].Trim();
        if (text.Length > 0 && !ChatRules.IsText(text))
        {
            session.TellUnsent(RoomSpeech.TooLong(text));
        }
        else if (text.Length > 0)
        {
            await SendAsync(new CDirectChatReq { PlayerId = player?.PlayerId ?? 0, PlayerName = name, Text = text }, cancellationToken);
        }
        else if (player is not null)
        {
            await ShowAsync(player, cancellationToken);
        }
        else
        {
            session.TellUnsent("Type /dm NAME TEXT, or /dm NAME to read what you and a player that you know have written.");
        }
    }

    private async Task SendAsync(CDirectChatReq message, CancellationToken cancellationToken)
    {
        try
        {
            await session.SendAsync(() => session.Client.SendDirectAsync(message, cancellationToken), cancellationToken);
            ui.Write(new ScreenLine(LineKind.Direct, $"[to {message.PlayerName}] {message.Text}"));
        }
        catch (Exception e) when (RoomSpeech.Problem(e, message.Text) is { } problem)
        {
            session.TellUnsent(problem);
        }
    }

    private async Task ShowAsync(Member player, CancellationToken cancellationToken)
    {
        SDirectHistoryRes page = await session.Client.ReadDirectAsync(
            new CDirectHistoryReq { PlayerId = player.PlayerId, Limit = PageMessages }, cancellationToken);
        ui.Write(new ScreenLine(LineKind.Title, $"Conversation with {player.Name}"));
        foreach (SDirectChatNtf message in page.Messages)
        {
            string way = message.PlayerId == player.PlayerId ? "from" : "to";
            string text = message.Text.Length == 0 ? "(deleted)" : message.Text;
            ui.Write(new ScreenLine(LineKind.Direct, $"[{way} {player.Name}] {text}", At: session.Feed.LocalTime(message.SentAtUnixMs)));
        }

        if (page.Messages is [.., var last])
        {
            session.Client.MarkDirectRead(player.PlayerId, last.Number);
        }
    }

    private async Task ListAsync(CancellationToken cancellationToken)
    {
        SListConversationsRes listed = await session.Client.ListConversationsAsync(MaxListed, cancellationToken);
        session.Feed.Blocked = listed.BlockedPlayerIds.ToHashSet();
        if (listed.Conversations.Count == 0)
        {
            session.Tell("You have no conversations yet: /dm NAME TEXT begins one.");
            return;
        }

        IEnumerable<string[]> rows = listed.Conversations.Select(static one => new[]
        {
            one.Player.Name,
            one.Unread == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{one.Unread} new"),
            RoomSpeech.Excerpt(one.Last.Text),
        });
        session.TellTable([["Player", "", "Last message"], .. rows]);
    }

    private async Task BlockAsync(ChatCommand command, CancellationToken cancellationToken)
    {
        SBlockPlayerRes answer = await session.Client.BlockPlayerAsync(
            new CBlockPlayerReq { PlayerName = command.Argument, Unblock = command.Name == "/unblock" }, cancellationToken);
        session.Feed.Blocked = answer.Blocked.Select(static player => player.PlayerId).ToHashSet();
        session.Tell(answer.Player is { } player
            ? $"{player.Name} is {(command.Name == "/unblock" ? "no longer blocked." : $"blocked. /unblock {player.Name} ends it.")}"
            : answer.Blocked.Count == 0 ? "You have blocked no player: /block NAME blocks one."
            : $"You have blocked: {string.Join(", ", answer.Blocked.Select(static player => player.Name))}.");
    }
}
