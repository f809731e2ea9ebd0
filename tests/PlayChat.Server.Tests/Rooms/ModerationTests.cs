using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Rooms;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>What owners and moderators of a room do to players.</summary>
public sealed class ModerationTests
{
    private const string Lasting = "--Rooms:Lasting=true";

    [Fact]
    public async Task A_muted_member_stays_and_does_not_speak_until_it_may_again()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        SModerateRes muted = await ann.ModerateAsync(
            new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerName = "bob", Reason = "calm down" });
        SErrorNtf error = await bob.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "no" });
        await bob.LeaveAsync(room); // does not help
        await bob.JoinAsync(room);
        SErrorNtf still = await bob.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "no" });
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Unmute, PlayerId = bob.PlayerId });
        await bob.SayAsync(room, "sorry");

        Assert.Equal(bob.PlayerId, muted.PlayerId);
        Assert.Equal((ErrorCode.Forbidden, "You are muted in this room. Wait, or ask a moderator."), (error.Code, error.Message));
        Assert.Equal(ErrorCode.Forbidden, still.Code);
        Assert.Equal(
            "Bob was muted by Ann: calm down. | Bob has left the room. | Ann let Bob speak again. | sorry", await bob.ReadTextsAsync(room));
        Assert.Equal("Bob", (await ann.NextAsync<SRoomChatNtf>()).Changed.Name);
    }

    [Fact]
    public async Task The_log_says_of_each_act_who_did_what_to_whom_and_why()
    {
        var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(null, services => services.AddSingleton<ILoggerFactory>(log));
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long own = (await ann.SayAsync(room, "mine")).Sequence;
        long spam = (await bob.SayAsync(room, "spam")).Sequence;
        CModerateReq Act(ModerationAction action) => new() { RoomId = room, Action = action, PlayerId = bob.PlayerId, Reason = "why not" };
        CModerateReq Set(ModerationAction action) => new() { RoomId = room, Action = action };

        await ann.ModerateAsync(new CModerateReq(Act(ModerationAction.SetRole)) { Role = RoomRole.Moderator });
        await ann.ModerateAsync(Act(ModerationAction.Mute));
        await ann.ModerateAsync(new CModerateReq(Set(ModerationAction.SetTopic)) { Topic = "owls" });
        await ann.ModerateAsync(new CModerateReq(Set(ModerationAction.SetCapacity)) { Capacity = 7 });
        await ann.ModerateAsync(new CModerateReq(Set(ModerationAction.SetPassword)) { Password = "secret" });
        await ann.EditAsync(room, spam, "");
        await ann.EditAsync(room, own, "");
        await ann.ModerateAsync(Act(ModerationAction.Ban));

        string[] lines =
        [
            .. log.Entries.Where(static entry => entry.Event is "Moderated" or "RoomModerated" or "MessageDeleted")
                .Select(static entry => entry.Text),
        ];
        Assert.All(lines, static line => Assert.StartsWith("Player 1 on connection ", line, StringComparison.Ordinal));
        Assert.Equal<string[]>(
            [
                $"did SetRole to player 2 in room {room}: Ann made Bob a moderator: why not.",
                $"did Mute to player 2 in room {room}: Bob was muted by Ann: why not.",
                $"did SetTopic in room {room}: Ann set the topic: owls",
                $"did SetCapacity in room {room}: Ann set the capacity: 7 players.",
                $"did SetPassword in room {room}: Ann set a password. Members don't need it.",
                $"deleted message {spam} of player 2 in room {room}.",
                $"did Ban to player 2 in room {room}: Bob was banned by Ann: why not.",
            ],
            [.. lines.Select(static line => line[(line.IndexOf(" d", StringComparison.Ordinal) + 1)..])]);
    }

    [Fact]
    public async Task A_mute_ends_by_itself()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        await ann.ModerateAsync(
            new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerId = bob.PlayerId, Seconds = 1 });
        SErrorNtf error = await bob.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "no" });

        Assert.InRange(error.RetryAfterMs, 1u, 1000u);
        await Eventually.GetAsync(() => bob.CanSayAsync(room, "now"), static said => said);
    }

    [Fact]
    public async Task A_removed_member_is_told_why_and_may_come_back_and_a_banned_one_may_not()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Kick, PlayerId = bob.PlayerId });
        SRoomLeftNtf kicked = await bob.NextAsync<SRoomLeftNtf>();
        SErrorNtf outside = await bob.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "hey" });
        await bob.JoinAsync(room);
        await ann.ModerateAsync(new CModerateReq
        {
            RoomId = room,
            Action = ModerationAction.Ban,
            PlayerId = bob.PlayerId,
            Seconds = 3600,
            Reason = "spam.",
        });
        SRoomLeftNtf banned = await bob.NextAsync<SRoomLeftNtf>();
        SErrorNtf join = await bob.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Unban, PlayerName = "Bob" });
        await bob.JoinAsync(room);

        Assert.Equal((room, "Ann removed you from den."), (kicked.RoomId, kicked.Message));
        Assert.Equal(ErrorCode.NotInRoom, outside.Code);
        Assert.Matches(@"^Ann banned you from den until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: spam\.$", banned.Message);
        Assert.Equal(ErrorCode.Forbidden, join.Code);
        Assert.Matches(@"^You are banned from this room until .* UTC\. Join another room, or ask a moderator of this one\.$", join.Message);
        SRoomChatNtf told = await ann.NextAsync<SRoomChatNtf>();
        Assert.Equal(("Bob was removed by Ann.", "Bob"), (told.Text, told.Left.Name));
    }

    [Fact]
    public async Task Roles_count_and_are_shown()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient cho = await server.LoginAsync("Cho");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await cho.JoinAsync(room);
        var mute = new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerId = cho.PlayerId };
        var promote = new CModerateReq
        {
            RoomId = room,
            Action = ModerationAction.SetRole,
            PlayerId = bob.PlayerId,
            Role = RoomRole.Moderator,
        };

        Assert.Equal(
            (ErrorCode.Forbidden, "Only moderators and owners of this room may do this. Ask one of them."),
            await bob.FailToModerateAsync(mute));
        await ann.ModerateAsync(promote);
        SRoomChatNtf told = await cho.NextAsync<SRoomChatNtf>();
        await bob.ModerateAsync(mute);

        Assert.Equal(("Ann made Bob a moderator.", RoomRole.Moderator), (told.Text, told.Changed.Role));
        Assert.Equal(
            (ErrorCode.Forbidden, "Only an owner of this room may do this. Ask one of them."),
            await bob.FailToModerateAsync(new CModerateReq(promote) { PlayerId = cho.PlayerId }));
        Assert.Equal(
            (ErrorCode.Forbidden, "Ann has the same role as you, or a higher one. Ask an owner of the room."),
            await bob.FailToModerateAsync(new CModerateReq(mute) { PlayerId = ann.PlayerId }));
        Assert.Equal(
            (ErrorCode.Forbidden, "You can't do this to yourself. Name another player."),
            await bob.FailToModerateAsync(new CModerateReq(mute) { PlayerId = bob.PlayerId }));
        SListMembersRes list = await cho.AskAsync<CListMembersReq, SListMembersRes>(
            ChatPackets.CListMembersReq, new CListMembersReq { RoomId = room, Limit = 2 });
        Assert.True(list.More);
        Assert.Equal(
            [("Ann", RoomRole.Owner, true), ("Bob", RoomRole.Moderator, true)],
            list.Members.Select(static member => (member.Member.Name, member.Member.Role, member.Online)));
    }

    [Fact]
    public async Task What_cannot_be_done_is_refused_with_what_to_do()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        CModerateReq Request(ModerationAction action) => new() { RoomId = room, Action = action, PlayerId = bob.PlayerId, PlayerName = "" };

        Assert.Equal(ErrorCode.MalformedPacket, (await ann.FailToModerateAsync(Request(ModerationAction.None))).Code);
        Assert.Equal(
            ErrorCode.MalformedPacket,
            (await ann.FailToModerateAsync(new CModerateReq(Request(ModerationAction.Ban)) { Seconds = 315_360_001 })).Code);
        Assert.Equal(
            ErrorCode.MalformedPacket,
            (await ann.FailToModerateAsync(new CModerateReq(Request(ModerationAction.Ban)) { Reason = new string('a', 201) })).Code);
        Assert.Equal(
            (ErrorCode.NameUnknown, "The room knows no player of this number. Name the player."),
            await ann.FailToModerateAsync(Request(ModerationAction.Ban)));
        Assert.Equal(
            (ErrorCode.NameUnknown, "There is no player of this name. Check its spelling."),
            await ann.FailToModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Ban, PlayerName = "Nobody" }));
        Assert.Equal(
            (ErrorCode.NotInRoom, "Bob is no member of this room. List its members to see who is."),
            await ann.FailToModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Kick, PlayerName = "Bob" }));
        Assert.Equal(
            (ErrorCode.Forbidden, "Bob is not muted or banned here, so there is nothing to take back. Name another player."),
            await ann.FailToModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Unban, PlayerName = "Bob" }));
        Assert.Equal(
            (ErrorCode.Forbidden, $"Rooms don't last on this server. Tell Bob the number of the room: {room}."),
            await ann.FailToModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Invite, PlayerName = "Bob" }));
        Assert.Equal(
            ErrorCode.Forbidden,
            (await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "secret", Private = true })).Code);
    }

    [Fact]
    public async Task What_the_database_does_not_take_is_answered_UNAVAILABLE_and_is_stored_when_it_is_repeated()
    {
        var store = new FaultyStore();
        var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services =>
            {
                store.Wrap(services);
                services.AddSingleton<ILoggerFactory>(log);
            },
            Lasting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        var close = new CModerateReq { RoomId = room, Action = ModerationAction.Lock };
        var ban = new CModerateReq { RoomId = room, Action = ModerationAction.Ban, PlayerId = bob.PlayerId };
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.SetTopic, Topic = "owls" });

        store.RoomFault = new StorageException(StorageErrorKind.Unavailable, "It is away.");
        (ErrorCode Code, string Message)[] refusals = [await ann.FailToModerateAsync(close), await ann.FailToModerateAsync(ban)];
        store.RoomFault = null;
        await ann.ModerateAsync(close);
        await ann.ModerateAsync(ban);

        Assert.All(refusals, static refusal => Assert.Equal(ErrorCode.Unavailable, refusal.Code));
        Assert.All(refusals, static refusal => Assert.StartsWith("This counts now", refusal.Message, StringComparison.Ordinal));
        Assert.Equal((3, 2), (log.Count("RoomModerated"), log.Count("Moderated"))); // what counts is logged, stored or not
        RoomKind kind = RoomKind.Parse((await server.Store.GetRoomPositionAsync(room))!.Attributes);
        Assert.Equal(("owls", true), (kind.Topic, kind.IsLocked));
        Assert.Contains(
            await server.Store.ListMembershipsAsync(room),
            known => known.PlayerId == bob.PlayerId && known is { IsMember: false, BannedUntil: not null });
    }

    [Fact]
    public async Task An_owner_removes_the_room_with_everybody_in_it_and_its_name_is_free()
    {
        await using TestServer server = await TestServer.StartAsync(Lasting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        var remove = new CModerateReq { RoomId = room, Action = ModerationAction.RemoveRoom };

        Assert.Equal(ErrorCode.Forbidden, (await bob.FailToModerateAsync(remove)).Code);
        await ann.ModerateAsync(remove);

        Assert.Equal("Ann has removed the room den.", (await bob.NextAsync<SRoomLeftNtf>()).Message);
        Assert.Equal(ErrorCode.RoomNotFound, (await bob.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room })).Code);
        Assert.NotEqual(room, (await bob.CreateAsync("den")).RoomId);
        Assert.Empty((await (await server.ConnectAsync()).LoginAsync("Ann")).Memberships);
    }

    [Fact]
    public async Task Roles_mutes_and_bans_outlive_a_restart()
    {
        using var folder = new TemporaryDirectory();
        long room;
        await using (TestServer server = await TestServer.StartInAsync(folder.Path, null, Lasting))
        {
            await using TestClient ann = await server.LoginAsync("Ann");
            await using TestClient bob = await server.LoginAsync("Bob");
            await using TestClient cho = await server.LoginAsync("Cho");
            await using TestClient eve = await server.LoginAsync("Eve");
            room = (await ann.CreateAsync("den")).RoomId;
            await bob.JoinAsync(room);
            await cho.JoinAsync(room);
            await ann.ModerateAsync(new CModerateReq
            {
                RoomId = room,
                Action = ModerationAction.SetRole,
                PlayerId = bob.PlayerId,
                Role = RoomRole.Moderator,
            });
            await bob.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerName = "Cho" });
            await bob.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Ban, PlayerName = "Eve" });
        }

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null, Lasting);
        await using TestClient again = await next.LoginAsync("Cho");
        await using TestClient banned = await next.LoginAsync("Eve");
        await again.JoinAsync(room);
        SErrorNtf muted = await again.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "hey" });
        SErrorNtf out1 = await banned.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        SListMembersRes list = await again.AskAsync<CListMembersReq, SListMembersRes>(
            ChatPackets.CListMembersReq, new CListMembersReq { RoomId = room });

        Assert.Equal((ErrorCode.Forbidden, ErrorCode.Forbidden), (muted.Code, out1.Code));
        Assert.Equal(
            [("Ann", RoomRole.Owner, false), ("Bob", RoomRole.Moderator, false), ("Cho", RoomRole.Member, true)],
            list.Members.Select(static member => (member.Member.Name, member.Member.Role, member.Online)));
        Assert.True(list.Members[2].MutedUntilUnixMs > 0);
    }
}
