using PlayChat.Core.Connections;
using PlayChat.Protocol;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Chat;

/// <summary>Direct:Stored: direct messages have a history, and reach players that are not connected at their next login.</summary>
public sealed class StoredDirectChatTests
{
    [Fact]
    public async Task A_player_that_is_away_or_gone_reads_it_later()
    {
        using var folder = new TemporaryDirectory();
        long annId, bobId;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            await using TestClient bob = await server.ConnectAsync();
            SLoginRes login = await bob.LoginAsync("Bob");
            Assert.True(login.Server.DirectStored);
            Assert.Empty(login.UnreadConversations);
            (annId, bobId) = (ann.PlayerId, bob.PlayerId);
            await BreakAsync(server, bob);

            SDirectChatRes first = await ann.SayToAsync(bob, "while away");
            SDirectChatRes second = await ann.SayToAsync(new CDirectChatReq { PlayerName = "bOB", Text = "by name", ClientMessageId = 7 });

            Assert.Equal((bobId, 1L, 0ul), (first.PlayerId, first.Number, first.ClientMessageId));
            Assert.Equal((bobId, 2L, 7ul), (second.PlayerId, second.Number, second.ClientMessageId));
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null);
        await using TestClient back = await next.ConnectAsync();
        Conversation unread = Assert.Single((await back.LoginAsync("Bob")).UnreadConversations);
        await using TestClient again = await next.LoginAsync("Ann");
        Conversation own = Assert.Single((await again.ListConversationsAsync()).Conversations);
        Conversation seen = Assert.Single((await back.ListConversationsAsync()).Conversations);

        Assert.Equal((annId, "Ann", 2u, 0L), (unread.Player.PlayerId, unread.Player.Name, unread.Unread, unread.ReadNumber));
        Assert.Equal(("by name", "Ann", 2L), (unread.Last.Text, unread.Last.PlayerName, unread.Last.Number));
        Assert.Equal(("Bob", 0u, true, "Ann"), (own.Player.Name, own.Unread, own.Online, own.Last.PlayerName));
        Assert.True(seen.Online);
        Assert.Equal("while away | by name", await ReadAsync(back, new CDirectHistoryReq { PlayerId = annId }));
        Assert.Equal("while away | by name", await ReadAsync(again, new CDirectHistoryReq { PlayerId = bobId }));
    }

    [Fact]
    public async Task Conversations_are_read_by_pages_the_newest_first()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        List<string> names = [];
        for (int i = 1; i <= 5; i++)
        {
            await using TestClient other = await server.LoginAsync($"P{i}");
            await ann.SayToAsync(other, "hi");
        }

        var request = new CListConversationsReq { Limit = 2 };
        do
        {
            SListConversationsRes page = await ann.ListConversationsAsync(request);
            names.Add(string.Join(" ", page.Conversations.Select(static one => one.Player.Name)));
            request.Before = page.Next;
        }
        while (request.Before is not null);

        Assert.Equal(["P5 P4", "P3 P2", "P1"], names);
        request.Before = new ConversationPlace { LastAtUnixUs = long.MinValue, PlayerId = long.MinValue };
        Assert.Empty((await ann.ListConversationsAsync(request)).Conversations);
        request.Before = new ConversationPlace { LastAtUnixUs = long.MaxValue };
        Assert.Equal(2, (await ann.ListConversationsAsync(request)).Conversations.Count);
    }

    [Fact]
    public async Task A_history_is_read_by_pages_in_both_directions()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        for (int i = 1; i <= 5; i++)
        {
            await (i % 2 == 0 ? bob.SayToAsync(ann, $"{i}") : ann.SayToAsync(bob, $"{i}"));
        }

        SDirectHistoryRes newest = await bob.ReadDirectAsync(new CDirectHistoryReq { PlayerId = ann.PlayerId, Limit = 2 });
        SDirectHistoryRes oldest = await bob.ReadDirectAsync(new CDirectHistoryReq { PlayerId = ann.PlayerId, BeforeNumber = 2 });
        SDirectHistoryRes after = await bob.ReadDirectAsync(
            new CDirectHistoryReq { PlayerId = ann.PlayerId, AfterNumber = 1, Limit = 3 });

        Assert.Equal([(4L, bob.PlayerId), (5L, ann.PlayerId)], newest.Messages.Select(static said => (said.Number, said.PlayerId)));
        Assert.Equal([1L], oldest.Messages.Select(static said => said.Number));
        Assert.Equal([2L, 3L, 4L], after.Messages.Select(static said => said.Number));
        Assert.Equal((true, false, true), (newest.More, oldest.More, after.More));
        Assert.Equal([1L, 3L, 5L], (await HearAsync(bob, 3)).Select(static said => said.Number));
        Assert.Equal("", await ReadAsync(eve, new CDirectHistoryReq { PlayerId = ann.PlayerId }));
        SErrorNtf limit = await eve.FailAsync(ChatPackets.CDirectHistoryReq, new CDirectHistoryReq { Limit = 201 });
        Assert.Equal(ErrorCode.MalformedPacket, limit.Code);
    }

    [Fact]
    public async Task A_repeated_message_is_stored_and_delivered_once()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        var message = new CDirectChatReq { PlayerId = bob.PlayerId, Text = "once", ClientMessageId = ulong.MaxValue };

        SDirectChatRes first = await ann.SayToAsync(message);
        SDirectChatRes again = await ann.SayToAsync(message);
        await ann.SayToAsync(bob, "next");

        Assert.Equal((1L, false), (first.Number, first.Duplicate));
        Assert.Equal((1L, true), (again.Number, again.Duplicate));
        Assert.Equal("once | next", string.Join(" | ", (await HearAsync(bob, 2)).Select(static said => said.Text)));
    }

    [Theory]
    [InlineData(true)] // its answer does not come in time
    [InlineData(false)] // its sender disconnects
    public async Task A_message_that_is_stored_late_is_delivered(bool staysConnected)
    {
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var time = new ManualTimeProvider();
        var store = new FaultyStore { DirectWaitsFor = gate.Task };
        await using TestServer server = await TestServer.StartUnderAsync(time, store.Wrap);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        int timers = time.PendingTimers;
        ann.Send(
            ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = bob.PlayerId, Text = "late", ClientMessageId = 7 }, requestId: 77);
        await time.WaitForTimersAsync(timers + 1).WaitAsync(TestTimeouts.Hang);

        if (staysConnected)
        {
            time.Advance(TimeSpan.FromSeconds(5));
            Assert.Equal(ErrorCode.StorageUnavailable, Assert.IsType<SErrorNtf>(await ann.NextAnswerAsync(77)).Code);
        }
        else
        {
            Connection link = server.Server.Sessions.FindUser("Ann")!.Connection;
            link.Abort(); // the server's end: while its handler waits, it does not see that of the client
            await link.Closed.WaitAsync(TestTimeouts.Hang);
        }

        gate.SetResult();
        SDirectChatNtf heard = Assert.Single(await HearAsync(bob, 1));

        Assert.Equal(("late", 1L, "Ann"), (heard.Text, heard.Number, heard.PlayerName));
    }

    [Fact]
    public async Task A_message_that_is_stored_while_its_player_logs_in_is_not_missed()
    {
        var store = new FaultyStore();
        await using TestServer server = await TestServer.StartInAsync(null, store.Wrap);
        await using TestClient ann = await server.LoginAsync("Ann");
        await server.Store.CreateAccountAsync("Bob", passwordHash: null, DateTimeOffset.UnixEpoch);
        await using TestClient bob = await server.ConnectAsync();
        store.BeforeBlockedRead = () => ann.SayToAsync(new CDirectChatReq { PlayerName = "Bob", Text = "just now" });

        SLoginRes login = await bob.LoginAsync("Bob");

        Assert.Empty(login.UnreadConversations); // they were read before
        Assert.Equal("just now", Assert.Single(await HearAsync(bob, 1)).Text);
    }

    [Fact]
    public async Task A_login_whose_conversations_cannot_be_read_is_no_session()
    {
        var store = new FaultyStore
        {
            BeforeBlockedRead = static () => throw new StorageException(StorageErrorKind.Unavailable, "The test database is away."),
        };
        await using TestServer server = await TestServer.StartInAsync(null, store.Wrap);
        await using TestClient ann = await server.ConnectAsync();

        SErrorNtf error = await ann.FailLoginAsync("Ann");
        await ann.Closed;

        Assert.Equal(ErrorCode.StorageUnavailable, error.Code);
        Assert.Equal(CloseCode.HandlerFault, (await ann.NextAsync<SCloseNtf>()).Reason);
        Assert.Null(server.Server.Sessions.FindUser("Ann"));
    }

    [Fact]
    public async Task What_is_read_is_known_at_once_and_after_a_restart()
    {
        using var folder = new TemporaryDirectory();
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            await using TestClient bob = await server.LoginAsync("Bob");
            await ann.SayToAsync(bob, "1");
            await ann.SayToAsync(bob, "2");

            bob.Send(ChatPackets.CDirectReadNtf, new CDirectReadNtf { PlayerId = ann.PlayerId, Number = 99 });
            bob.Send(ChatPackets.CDirectReadNtf, new CDirectReadNtf { PlayerId = ann.PlayerId, Number = 1 }); // a mark does not fall
            Assert.Equal(0u, Assert.Single((await bob.ListConversationsAsync()).Conversations).Unread);
            await ann.SayToAsync(bob, "3");
            bob.Send(ChatPackets.CDirectReadNtf, new CDirectReadNtf { PlayerId = ann.PlayerId, Number = 2 });
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null);
        await using TestClient back = await next.ConnectAsync();
        SLoginRes login = await back.LoginAsync("Bob");

        Assert.Empty(login.UnreadConversations); // 99 reaches what comes while the mark waits
    }

    [Fact]
    public async Task A_blocked_player_is_refused_until_the_block_ends()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");

        SBlockPlayerRes blocked = await ann.BlockAsync(new CBlockPlayerReq { PlayerName = "BOB" });
        SErrorNtf refused = await bob.FailAsync(
            ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = ann.PlayerId, Text = "hi" });
        ErrorCode own = await ann.FailToSayToAsync(bob.PlayerId, "hi");
        await using TestClient again = await server.ConnectAsync();
        SLoginRes login = await again.LoginAsync("Ann");
        SListConversationsRes listed = await again.ListConversationsAsync();

        Assert.Equal((bob.PlayerId, "Bob"), (blocked.Player.PlayerId, blocked.Player.Name));
        Assert.Equal("Bob", Assert.Single(blocked.Blocked).Name);
        Assert.Equal(ErrorCode.PlayerRefuses, refused.Code);
        Assert.Equal("This player takes no messages and invitations from you. Nothing was sent; choose another player.", refused.Message);
        Assert.Equal(ErrorCode.PlayerBlocked, own);
        Assert.Equal([bob.PlayerId], login.BlockedPlayerIds);
        Assert.Equal([bob.PlayerId], listed.BlockedPlayerIds);
        Assert.Empty(listed.Conversations);
        Assert.Empty((await again.BlockAsync(new CBlockPlayerReq { PlayerId = bob.PlayerId, Unblock = true })).Blocked);
        Assert.Equal(1, (await bob.SayToAsync(again, "hi")).Number);
    }

    [Fact]
    public async Task A_blocked_player_cannot_invite()
    {
        await using TestServer server = await TestServer.StartAsync("--Rooms:Lasting=true");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await bob.CreateAsync("den")).RoomId;
        var invitation = new CModerateReq { RoomId = room, Action = ModerationAction.Invite, PlayerName = "Ann" };

        await ann.BlockAsync(new CBlockPlayerReq { PlayerId = bob.PlayerId });
        (ErrorCode code, _) = await bob.FailToModerateAsync(invitation);
        await ann.BlockAsync(new CBlockPlayerReq { PlayerId = bob.PlayerId, Unblock = true });
        await bob.ModerateAsync(invitation);

        Assert.Equal(ErrorCode.PlayerRefuses, code);
        Assert.Equal(room, (await ann.NextAsync<SInvitedNtf>()).Membership.RoomId);
    }

    [Fact]
    public async Task What_cannot_be_is_refused_with_its_reason()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        for (int i = 0; i < 1000; i++)
        {
            await server.Store.Direct.BlockAsync(ann.PlayerId, new BlockedPlayer(10_000 + i, "x", DateTimeOffset.UnixEpoch), 1000);
        }

        await using TestClient bob = await server.LoginAsync("Bob");
        Assert.Equal(ErrorCode.BlockListFull, await FailToBlockAsync(new CBlockPlayerReq { PlayerId = bob.PlayerId }));
        Assert.Equal(ErrorCode.NameUnknown, await FailToBlockAsync(new CBlockPlayerReq { PlayerId = 999 }));
        Assert.Equal(ErrorCode.NameUnknown, await FailToBlockAsync(new CBlockPlayerReq { PlayerName = "nobody" }));
        Assert.Equal(ErrorCode.Forbidden, await FailToBlockAsync(new CBlockPlayerReq { PlayerId = ann.PlayerId }));
        Assert.Equal(1000, (await ann.BlockAsync(new CBlockPlayerReq())).Blocked.Count);
        Assert.Equal(ErrorCode.PlayerNotConnected, await ann.FailToSayToAsync(999, "nobody"));
        SErrorNtf unknown = await ann.FailAsync(ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerName = "nobody", Text = "hi" });
        Assert.Equal(ErrorCode.NameUnknown, unknown.Code);

        async Task<ErrorCode> FailToBlockAsync(CBlockPlayerReq request) => (await ann.FailAsync(ChatPackets.CBlockPlayerReq, request)).Code;
    }

    [Fact]
    public async Task Without_a_store_for_them_the_requests_are_unknown()
    {
        await using TestServer server = await TestServer.StartAsync("--Direct:Stored=false");
        await using TestClient ann = await server.ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");

        SErrorNtf error = await ann.FailAsync(ChatPackets.CListConversationsReq, new CListConversationsReq());

        Assert.False(login.Server.DirectStored);
        Assert.Equal(ErrorCode.UnknownPacket, error.Code);
        Assert.Equal(0, (await ann.SayToAsync(ann, "as before")).Number);
        Assert.Equal(0, (await ann.NextAsync<SDirectChatNtf>()).Number);
    }

    private static async Task<string> ReadAsync(TestClient client, CDirectHistoryReq page) =>
        string.Join(" | ", (await client.ReadDirectAsync(page)).Messages.Select(static said => said.Text));

    private static async Task<List<SDirectChatNtf>> HearAsync(TestClient client, int count)
    {
        List<SDirectChatNtf> heard = [];
        while (heard.Count < count)
        {
            heard.Add(await client.NextAsync<SDirectChatNtf>());
        }

        return heard;
    }
}
