namespace PlayChat.Client.Screens;

/// <summary>The command <c>/msg</c>, and <c>/dm</c>, <c>/conversations</c>, <c>/block</c> and <c>/unblock</c> where the server stores
/// direct messages. Those that arrive are shown by <see cref="RoomFeed"/>.</summary>
internal sealed class DirectMessages(ChatSession session, IUserInterface ui, TimeProvider time)
{
    private const int PageMessages = 20;
    private const int MaxListed = 50;
    private const int MaxNames = 20;

    private ConversationPlace? _older; // behind the conversations that /conversations has listed

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

    public async Task RunAsync(ChatCommand command)
    {
        if (command.Name != "/msg" && session.Client.Login is not { Server.DirectStored: true })
        {
            session.TellUnsent("This server stores no direct messages, and blocks no players. Use /msg NAME TEXT.");
            return;
        }

        await (command.Name switch
        {
            "/msg" => MessageAsync(command.Argument),
            "/dm" => WriteAsync(command.Argument),
            "/conversations" => ListAsync(command.Argument),
            _ => BlockAsync(command),
        });
    }

    private Task<bool> ShowMissedAsync() => ChatSession.TryAsync(
        async () => ShowUnread((await session.Client.ListConversationsAsync(MaxListed)).Conversations),
        static _ => { }); // the next break or login tells it

    private void ShowUnread(IEnumerable<Conversation> conversations)
    {
        foreach (Conversation conversation in conversations.Where(static one => one.Unread > 0))
        {
            string name = conversation.Player.Name;
            string words = string.Create(CultureInfo.InvariantCulture, $"{conversation.Unread} new from {name}. /dm {name} shows them.");
            ui.Write(new ScreenLine(LineKind.Direct, words));
        }
    }

    private async Task WriteAsync(string argument)
    {
        SListConversationsRes listed = await session.Client.ListConversationsAsync(cancellationToken: session.Stop);
        Member? player = KnownPlayers.FindAtStart(
            session.Feed.ListPlayers().Concat(listed.Conversations.Select(static one => one.Player)), argument);
        string name = player?.Name ?? argument.Split(' ', 2)[0];
        string text = argument[name.Length..].Trim();
        if (text.Length > 0)
        {
            await SendAsync(player?.PlayerId ?? 0, name, text);
        }
        else if (player is not null)
        {
            await ShowAsync(player);
        }
        else
        {
            session.TellUnsent("Type /dm NAME TEXT, or /dm NAME to read what you and a player that you know have written.");
        }
    }

    private async Task MessageAsync(string argument)
    {
        List<Member> known = session.Feed.ListPlayers();
        string text = "";
        if (KnownPlayers.FindAtStart(known, argument) is not { } player)
        {
            session.TellUnsent(argument.Length == 0
                ? $"Type /msg NAME TEXT. {Names(known)}"
                : $"Not sent: no player that you know has the name in \"{RoomSpeech.Excerpt(argument)}\". {Names(known)}");
        }
        else if ((text = argument[player.Name.Length..].Trim()).Length == 0)
        {
            session.TellUnsent("Type the text behind the name: /msg NAME TEXT.");
        }
        else
        {
            await SendAsync(player.PlayerId, player.Name, text);
        }
    }

    private async Task SendAsync(long playerId, string name, string text)
    {
        if (!ChatRules.IsText(text))
        {
            session.TellUnsent(RoomSpeech.TooLong(text));
            return;
        }

        try
        {
            var message = new CDirectChatReq { PlayerId = playerId, PlayerName = name, Text = text };
            await session.SendAsync(() => session.Client.SendDirectAsync(message, session.Stop));
            ui.Write(new ScreenLine(LineKind.Direct, $"[to {name}] {text}", At: time.GetLocalNow()));
        }
        catch (Exception e) when (RoomSpeech.Problem(e, text) is { } problem)
        {
            session.TellUnsent(problem);
        }
    }

    private async Task ShowAsync(Member player)
    {
        SDirectHistoryRes page = await session.Client.ReadDirectAsync(
            new CDirectHistoryReq { PlayerId = player.PlayerId, Limit = PageMessages }, session.Stop);
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

    private async Task ListAsync(string argument)
    {
        bool isOlder = argument.Equals("older", StringComparison.OrdinalIgnoreCase);
        if (isOlder && _older is null)
        {
            session.Tell("There are no older ones. /conversations lists the newest.");
            return;
        }

        SListConversationsRes listed = await session.Client.ListConversationsAsync(MaxListed, isOlder ? _older : null, session.Stop);
        _older = listed.Next;
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
        if (_older is not null)
        {
            session.Tell("There are more: /conversations older lists them.");
        }
    }

    private async Task BlockAsync(ChatCommand command)
    {
        SBlockPlayerRes answer = await session.Client.BlockPlayerAsync(
            new CBlockPlayerReq { PlayerName = command.Argument, Unblock = command.Name == "/unblock" }, session.Stop);
        session.Feed.Blocked = answer.Blocked.Select(static player => player.PlayerId).ToHashSet();
        session.Tell(answer.Player is { } player
            ? $"{player.Name} is {(command.Name == "/unblock" ? "no longer blocked." : $"blocked. /unblock {player.Name} ends it.")}"
            : answer.Blocked.Count == 0 ? "You have blocked no player: /block NAME blocks one."
            : $"You have blocked: {string.Join(", ", answer.Blocked.Select(static player => player.Name))}.");
    }

    private string Names(List<Member> known)
    {
        string[] names = [.. known.Where(player => player.PlayerId != session.Client.Login?.PlayerId).Select(static player => player.Name)];
        string more = names.Length > MaxNames ? $" and {names.Length - MaxNames} more" : "";
        return names.Length == 0
            ? "You know no player yet: join a room, or wait for a message."
            : $"You can write to: {string.Join(", ", names.Take(MaxNames))}{more}.";
    }
}
