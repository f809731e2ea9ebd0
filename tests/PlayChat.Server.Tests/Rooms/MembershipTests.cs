using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>Where rooms last, members stay members while they are offline.</summary>
public sealed class MembershipTests
{
    private const string Lasting = "--Rooms:Lasting=true";

    [Fact]
    public async Task A_player_finds_its_rooms_and_what_it_has_not_read_at_its_next_login_and_after_a_restart()
    {
        using var folder = new TemporaryDirectory();
        long room;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, Lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            room = (await ann.CreateAsync("den")).RoomId;
            await using (TestClient bob = await server.LoginAsync("Bob"))
            {
                SJoinRoomRes joined = await bob.JoinAsync(room);
                Assert.Equal((RoomRole.Member, 0u), (joined.Membership.Role, joined.Membership.UnreadMentions));
                long read = (await ann.SayAsync(room, "one")).Sequence;
                bob.Send(ChatPackets.CReadMarkNtf, new CReadMarkNtf { RoomId = room, Sequence = read });
                await bob.SayAsync(room, "my own"); // the server has the mark, too
            }

            Assert.Equal("my own", (await ann.NextAsync<SRoomChatNtf>(static said => said.Text == "my own")).Text);
            SRoomChatNtf gone = await ann.NextAsync<SRoomChatNtf>(static said => said.System);
            await ann.SayAsync(room, "two");
            await ann.SayAsync(room, "hey @bob, look");
            await ann.SayAsync(room, "@Bobby is another one, and bob@example.org is nobody");

            Assert.Equal(("Bob is offline.", "Bob"), (gone.Text, gone.Left.Name));
            Assert.DoesNotContain(await ann.ReadHistoryAsync(room), static said => said.System);
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null, Lasting);
        await using TestClient again = await next.ConnectAsync();
        Membership membership = Assert.Single((await again.LoginAsync("Bob")).Memberships);

        Assert.Equal((room, "den", 3u, 1u), (membership.RoomId, membership.Name, membership.Unread, membership.UnreadMentions));
        SJoinRoomRes entered = await again.JoinAsync(room);
        Assert.Equal((membership.ReadSequence, 1u), (entered.Membership.ReadSequence, entered.Membership.UnreadMentions));
        SRoomHistoryRes missed = await again.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = room, AfterSequence = membership.ReadSequence });
        Assert.Equal("my own | two | hey @bob, look", string.Join(" | ", missed.Messages.Take(3).Select(static said => said.Text)));
    }

    [Fact]
    public async Task Who_has_read_an_older_message_is_still_told_of_the_mentions_after_it()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting);
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        await using TestClient bob = await server.LoginAsync("Bob");
        await bob.JoinAsync(room);
        long read = (await ann.SayAsync(room, "@bob one")).Sequence;
        await ann.SayAsync(room, "@bob two");

        bob.Send(ChatPackets.CReadMarkNtf, new CReadMarkNtf { RoomId = room, Sequence = read });
        await bob.SayAsync(room, "seen"); // the server has the mark, too
        await using TestClient again = await server.ConnectAsync();
        Membership membership = Assert.Single((await again.LoginAsync("Bob")).Memberships);

        Assert.Equal((read, 1u), (membership.ReadSequence, membership.UnreadMentions));
    }

    [Fact]
    public async Task A_mention_by_a_player_that_the_member_has_blocked_does_not_count_whether_the_member_is_there_or_not()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync("den")).RoomId;
        await eve.JoinAsync(room);
        await using (TestClient bob = await server.LoginAsync("Bob"))
        {
            await bob.JoinAsync(room);
            await bob.BlockAsync(new CBlockPlayerReq { PlayerName = "Eve" });
            await eve.SayAsync(room, "@bob, one");
            await ann.SayAsync(room, "@bob, two");
        }

        await ann.NextAsync<SRoomChatNtf>(static said => said.Text == "Bob is offline.");
        await eve.SayAsync(room, "@bob, @ann, three");
        await ann.SayAsync(room, "@bob, four");
        await using TestClient again = await server.ConnectAsync();
        Membership membership = Assert.Single((await again.LoginAsync("Bob")).Memberships);

        Assert.Equal(2u, membership.UnreadMentions);
        Assert.Equal(2u, (await again.JoinAsync(room)).Membership.UnreadMentions);
    }

    [Fact]
    public async Task Who_leaves_is_no_member_any_more_and_an_account_that_is_deleted_is_none()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting);
        await using TestClient ann = await server.LoginAsync("Ann");
        long den = (await ann.CreateAsync("den")).RoomId;
        long hall = (await ann.CreateAsync("hall")).RoomId;
        await using TestClient bob = await server.LoginAsync("Bob");
        await bob.JoinAsync(den);
        await bob.JoinAsync(hall);
        await bob.LeaveAsync(den);

        await using TestClient again = await server.ConnectAsync();
        SLoginRes login = await again.LoginAsync("Bob"); // takes over

        Assert.Equal([hall], login.Memberships.Select(static membership => membership.RoomId));
        Assert.Equal("Bob has left the room.", await ann.ReadTextsAsync(den));
        Assert.Empty(await ann.ReadHistoryAsync(hall)); // the takeover was no leave
    }

    [Fact]
    public async Task A_private_room_is_in_no_list_and_takes_who_was_invited()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await server.LoginAsync("Cho"); // has an account
        long room = (await ann.CreateAsync(new CCreateRoomReq { Name = "secret", Private = true })).RoomId;
        var invite = new CModerateReq { RoomId = room, Action = ModerationAction.Invite, PlayerName = "Bob" };

        SErrorNtf join = await bob.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        SListRoomsRes list = await ann.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());
        await ann.ModerateAsync(invite);
        await ann.ModerateAsync(new CModerateReq(invite) { PlayerName = "Cho" });
        SInvitedNtf invited = await bob.NextAsync<SInvitedNtf>();
        await bob.JoinAsync(room);
        await using TestClient cho = await server.ConnectAsync();
        SLoginRes login = await cho.LoginAsync("Cho");

        Assert.Equal(
            (ErrorCode.Forbidden, "This room is private. Ask one of its moderators to invite you."), (join.Code, join.Message));
        Assert.Empty(list.Rooms);
        Assert.Equal((room, "secret", "Ann"), (invited.Membership.RoomId, invited.Membership.Name, invited.By.Name));
        Assert.Equal("secret", Assert.Single(login.Memberships).Name);
        Assert.Equal(ErrorCode.AlreadyInRoom, (await ann.FailToModerateAsync(invite)).Code);
    }

    [Fact]
    public async Task Members_that_are_offline_count_for_a_players_rooms_and_for_a_rooms_members()
    {
        await using TestServer server = await TestServer.StartAsync(
            Lasting, "--PlayChat:Rooms:MaxRoomsPerSession=2", "--Rooms:MaxLastingMembers=2");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using (TestClient bob = await server.LoginAsync("Bob"))
        {
            await bob.CreateAsync("one");
            await bob.CreateAsync("two");
        }

        long three = (await ann.CreateAsync("three")).RoomId;
        await using (TestClient cho = await server.LoginAsync("Cho"))
        {
            await cho.JoinAsync(three);
        }

        await using TestClient back = await server.LoginAsync("Bob");
        SErrorNtf join = await back.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = three });
        SErrorNtf create = await back.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "four" });
        await using TestClient dan = await server.LoginAsync("Dan");
        SErrorNtf full = await dan.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = three });

        Assert.Equal((ErrorCode.ServerFull, ErrorCode.ServerFull), (join.Code, create.Code));
        Assert.Equal(ErrorCode.Forbidden, full.Code);
        Assert.StartsWith("This room has 2 members, the most that a room may have", full.Message, StringComparison.Ordinal);
        Assert.Equal(
            (ErrorCode.ServerFull,
                "The room keeps 2 players, members and banned ones, the most that it may. Remove one, or lift a ban first."),
            await ann.FailToModerateAsync(
                new CModerateReq { RoomId = three, Action = ModerationAction.Invite, PlayerName = "Dan" }));
    }

    [Fact]
    public async Task A_ban_that_is_lifted_or_has_ended_makes_place_for_another_player()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await TestServer.StartUnderAsync(time, Lasting, "--Rooms:MaxLastingMembers=2");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient cho = await server.LoginAsync("Cho");
        await using TestClient dan = await server.LoginAsync("Dan");
        long room = (await ann.CreateAsync("den")).RoomId;
        CModerateReq Act(ModerationAction action, string name) => new() { RoomId = room, Action = action, PlayerName = name };

        await ann.ModerateAsync(Act(ModerationAction.Ban, "Bob"));
        (ErrorCode full, _) = await ann.FailToModerateAsync(Act(ModerationAction.Ban, "Cho"));
        await ann.ModerateAsync(Act(ModerationAction.Unban, "Bob"));
        await ann.ModerateAsync(new CModerateReq(Act(ModerationAction.Ban, "Cho")) { Seconds = 1 });
        time.Advance(TimeSpan.FromSeconds(1));
        await ann.ModerateAsync(Act(ModerationAction.Ban, "Dan"));

        Assert.Equal(ErrorCode.ServerFull, full);
        Assert.Equal(
            [ann.PlayerId, dan.PlayerId], (await server.Store.ListMembershipsAsync(room)).Select(static known => known.PlayerId));
    }

    [Fact]
    public async Task A_player_whose_ban_has_ended_needs_a_place_as_others_do()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await TestServer.StartUnderAsync(time, Lasting, "--Rooms:MaxLastingMembers=2");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient cho = await server.LoginAsync("Cho");
        await using TestClient dan = await server.LoginAsync("Dan");
        long room = (await ann.CreateAsync("den")).RoomId;
        var ban = new CModerateReq { RoomId = room, Action = ModerationAction.Ban, PlayerName = "Cho", Seconds = 1 };
        await ann.ModerateAsync(ban);
        time.Advance(TimeSpan.FromSeconds(1));
        await dan.JoinAsync(room);

        Assert.Equal(ErrorCode.ServerFull, (await ann.FailToModerateAsync(ban)).Code);
    }

    [Fact]
    public async Task An_invitation_takes_no_player_into_more_rooms_than_it_may_be_in()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting, "--PlayChat:Rooms:MaxRoomsPerSession=2");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient eve = await server.LoginAsync("Eve");
        long one = (await bob.CreateAsync("one")).RoomId;
        await bob.CreateAsync("two");
        long three = (await ann.CreateAsync("three")).RoomId;
        await eve.JoinAsync(three);
        var invite = new CModerateReq { RoomId = three, Action = ModerationAction.Invite, PlayerName = "Bob" };

        Assert.Equal(ErrorCode.Forbidden, (await eve.FailToModerateAsync(invite)).Code); // and learns nothing of Bob
        Assert.Equal(
            (ErrorCode.ServerFull,
                "This player is a member of 2 rooms, the most that one may be in. Ask it to leave one, then invite it again."),
            await ann.FailToModerateAsync(invite));
        await bob.LeaveAsync(one);
        await ann.ModerateAsync(invite);

        Assert.Equal(three, (await bob.NextAsync<SInvitedNtf>()).Membership.RoomId);
        Assert.Equal(ErrorCode.AlreadyInRoom, (await ann.FailToModerateAsync(invite)).Code); // though it has no place for another
    }

    [Fact]
    public async Task A_member_enters_its_rooms_though_they_are_more_than_it_may_have_now()
    {
        using var folder = new TemporaryDirectory();
        List<long> rooms = [];
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, Lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            for (int i = 0; i < 3; i++)
            {
                rooms.Add((await ann.CreateAsync($"room {i}")).RoomId);
            }
        }

        await using TestServer next = await TestServer.StartInAsync(
            folder.Path, null, Lasting, "--PlayChat:Rooms:MaxRoomsPerSession=2");
        await using TestClient back = await next.LoginAsync("Ann");

        Assert.Equal("room 2", (await back.JoinAsync(rooms[2])).Name);
        Assert.Equal(ErrorCode.ServerFull, (await back.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "4" })).Code);
    }

    [Fact]
    public async Task Who_is_writing_is_told_to_the_others_now_and_then()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        ann.Send(ChatPackets.CTypingNtf, new CTypingNtf { RoomId = room });
        ann.Send(ChatPackets.CTypingNtf, new CTypingNtf { RoomId = room });
        await ann.SayAsync(room, "hello");

        Assert.Equal(ann.PlayerId, (await bob.NextAsync<STypingNtf>()).PlayerId);
        Assert.Equal("hello", (await bob.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal(0, bob.CountWaiting<STypingNtf>());
        Assert.Equal(0, ann.CountWaiting<STypingNtf>());
        Assert.Equal(2, (await ann.ReadHistoryAsync(room))[0].Sequence); // it took no place
    }
}
