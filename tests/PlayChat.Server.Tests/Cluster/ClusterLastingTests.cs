using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Log;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>Rooms that last, their members and their moderators, on several nodes.</summary>
public sealed class ClusterLastingTests
{
    private const string Lasting = "--Rooms:Lasting=true";

    [Fact]
    public async Task A_member_is_offline_on_every_node_and_finds_its_rooms_and_what_it_missed_on_another_one()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        long read;
        await using (TestClient bob = await cluster[1].LoginAsync("Bob"))
        {
            SJoinRoomRes joined = await bob.JoinAsync(room);
            Assert.Equal([("Ann", RoomRole.Owner), ("Bob", RoomRole.Member)], joined.Members.Select(static one => (one.Name, one.Role)));
            read = (await ann.SayAsync(room, "hey @bob, here")).Sequence;
            await bob.NextAsync<SRoomChatNtf>(said => said.Sequence == read);
            bob.Send(ChatPackets.CReadMarkNtf, new CReadMarkNtf { RoomId = room, Sequence = read });
            await bob.SayAsync(room, "my own"); // the server has the mark, too
        }

        SRoomChatNtf gone = await ann.NextAsync<SRoomChatNtf>(static said => said.System);
        await ann.SayAsync(room, "two");
        await ann.SayAsync(room, "hey @bob, look");

        Assert.Equal(("Bob is offline.", "Bob"), (gone.Text, gone.Left.Name));
        Membership membership = await Eventually.GetAsync(
            () => LoginAsync(cluster[0]), static found => (found.Unread, found.UnreadMentions) == (2, 1)); // each is stored on its own
        Assert.Equal((room, "den", read), (membership.RoomId, membership.Name, membership.ReadSequence));
        await using TestClient back = await cluster[0].LoginAsync("Bob");
        SJoinRoomRes entered = await back.JoinAsync(room);
        Assert.Equal((read, 1u), (entered.Membership.ReadSequence, entered.Membership.UnreadMentions));

        static async Task<Membership> LoginAsync(TestServer node)
        {
            await using TestClient bob = await node.ConnectAsync();
            return Assert.Single((await bob.LoginAsync("Bob")).Memberships);
        }
    }

    [Fact]
    public async Task A_room_stays_when_all_members_are_offline_and_is_listed_on_every_node()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        long room;
        await using (TestClient ann = await cluster[0].LoginAsync("Ann"))
        {
            room = (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Type = "quiz" })).RoomId;
            await ann.CreateAsync(new CCreateRoomReq { Name = "secret", Private = true });
            await ann.SayAsync(room, "hello");
        }

        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await Eventually.GetAsync(() => ListAsync(bob), list => list.SequenceEqual([(room, "den", 0u)]));
        Assert.Contains((await bob.JoinAsync(room)).History, static said => said.Text == "hello");

        Assert.Equal([(room, "den", 1u)], await ListAsync(bob));
        SListMembersRes members = await bob.AskAsync<CListMembersReq, SListMembersRes>(
            ChatPackets.CListMembersReq, new CListMembersReq { RoomId = room });
        Assert.Equal(
            [("Ann", RoomRole.Owner, false), ("Bob", RoomRole.Member, true)],
            members.Members.Select(static one => (one.Member.Name, one.Member.Role, one.Online)));
    }

    [Fact]
    public async Task A_moderator_on_one_node_mutes_removes_and_bans_a_member_on_another()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[2].LoginAsync("Cho");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await cho.JoinAsync(room);
        await ann.NextAsync<SJoinRoomNtf>(); // her node knows the members when it has read their joins
        await ann.NextAsync<SJoinRoomNtf>();
        var mute = new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerId = cho.PlayerId };

        Assert.Equal(ErrorCode.Forbidden, (await bob.FailToModerateAsync(mute)).Code);
        await ann.ModerateAsync(new CModerateReq
        {
            RoomId = room,
            Action = ModerationAction.SetRole,
            PlayerName = "Bob",
            Role = RoomRole.Moderator,
        });
        SRoomChatNtf promoted = await bob.NextAsync<SRoomChatNtf>();
        await bob.ModerateAsync(mute);
        SRoomChatNtf muted = await cho.NextAsync<SRoomChatNtf>(static said => said.Changed?.Name == "Cho");
        SErrorNtf silent = await cho.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "no" });
        await bob.ModerateAsync(new CModerateReq(mute) { Action = ModerationAction.Kick, Reason = "calm down" });
        SRoomLeftNtf kicked = await cho.NextAsync<SRoomLeftNtf>();
        await cho.JoinAsync(room); // a kick is no ban
        await bob.ModerateAsync(new CModerateReq(mute) { Action = ModerationAction.Ban });
        await cho.NextAsync<SRoomLeftNtf>();
        SErrorNtf barred = await cho.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        await ann.SayAsync(room, "peace");

        Assert.Equal(("Ann made Bob a moderator.", RoomRole.Moderator), (promoted.Text, promoted.Changed.Role));
        Assert.Equal("Cho was muted by Bob.", muted.Text);
        Assert.Equal("You are muted in this room. Wait, or ask a moderator.", silent.Message);
        Assert.Equal("Bob removed you from den: calm down.", kicked.Message);
        Assert.Equal(ErrorCode.Forbidden, barred.Code);
        Assert.Equal(
            "Ann made Bob a moderator. | Cho was muted by Bob. | Cho was removed by Bob: calm down. | Cho was banned by Bob. | peace",
            await ann.ReadTextsAsync(room));
        List<string> left = [];
        for (SRoomChatNtf heard; (heard = await bob.NextAsync<SRoomChatNtf>()).Text != "peace";)
        {
            left.Add($"{heard.Left?.Name}{(heard.Changed is null ? "" : "~")}");
        }

        Assert.Equal(["~", "Cho", "Cho"], left); // members hear of no other leave, and not of the join that was refused
    }

    [Fact]
    public async Task A_player_that_leaves_as_the_last_one_of_its_node_is_no_member_any_more_and_the_history_says_so()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        await bob.LeaveAsync(room);
        await ann.NextAsync<SRoomChatNtf>(static said => said.System);

        var store = cluster[0].Get<Storage.IChatStore>();
        await Eventually.GetAsync(() => store.ListMembershipsAsync(room), members => members.All(one => one.PlayerId == ann.PlayerId));
        await Eventually.GetAsync(() => store.ReadChatAfterAsync(room, 0, limit: 2), static said => said.Count == 1);
    }

    [Fact]
    public async Task A_node_that_has_a_room_later_tells_each_leave_once()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[0].LoginAsync("Cho");
        await using TestClient laptop = await cluster[0].LoginAsync("Cho");
        await using TestClient dan = await cluster[1].LoginAsync("Dan");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Kick, PlayerName = "Bob" });
        await phone.LeaveAsync(room);
        await ann.NextAsync<SRoomChatNtf>(static said => said.Left?.Name == "Cho");
        await phone.JoinAsync(room); // behind the leaves of both devices
        await dan.JoinAsync(room);

        Assert.Equal("Bob was removed by Ann. | Cho has left the room.", await dan.ReadTextsAsync(room));
    }

    [Fact]
    public async Task A_member_that_resumes_at_another_node_hears_nothing_of_a_player_that_was_refused()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Lock });
        long seen = (await ann.NextAsync<SRoomChatNtf>()).Sequence;
        await bob.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        await cluster[0].Get<ClusterNode>().Life!.Leaves.WaitAsync(room, bob.PlayerId);

        await using TestClient back = await cluster[1].ConnectAsync();
        await Resuming.ResumeAsync(back, login.ResumeToken, (room, seen));
        await back.SayAsync(room, "back");

        Assert.Equal("back", (await back.NextAsync<SRoomChatNtf>()).Text);
    }

    [Fact]
    public async Task Members_are_in_their_rooms_again_when_they_resume_after_all_nodes_were_cut_off_for_longer_than_a_lease()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, TimeSpan.FromSeconds(5), Lasting);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[0].ConnectAsync();
        SLoginRes other = await bob.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await Eventually.GetAsync(() => cluster[0].Store.ListMembershipsAsync(room), static stored => stored.Count == 2);
        await bob.LeaveAsync(room);
        await Eventually.GetAsync(() => cluster[0].Store.ListMembershipsAsync(room), static stored => stored.Count == 1);

        await cluster.FenceAsync();
        await cluster.WaitForEndOfLeasesAsync();
        cluster.Heal();
        await Eventually.TrueAsync(() => cluster[0].Get<ClusterNode>().Life is not null);
        await using TestClient back = await cluster[0].ConnectAsync();
        SResumeRes resumed = await Resuming.ResumeAsync(back, login.ResumeToken, (room, 0));
        await using TestClient gone = await cluster[0].ConnectAsync();
        await Resuming.ResumeAsync(gone, other.ResumeToken, (room, 0));

        Assert.Equal((false, true), (resumed.Restored, Assert.Single(resumed.Rooms).Member));
        await back.SayAsync(room, "back");
        SErrorNtf refused = await gone.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "it has left" });
        Assert.Equal(ErrorCode.NotInRoom, refused.Code);
    }

    [Fact]
    public async Task What_moderators_have_changed_counts_on_a_node_that_starts_later()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.SetTopic, Topic = "tea" });
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Ban, PlayerName = "Bob" });
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.SetSlowMode, Seconds = 60 });
        await cluster.KillAsync(0); // as soon as the last one counts

        await cluster.AddAsync(Lasting);
        await using TestClient eve = await cluster[1].LoginAsync("Eve");
        await using TestClient back = await cluster[1].LoginAsync("Bob");
        SJoinRoomRes joined = await eve.JoinAsync(room);

        Assert.Equal(("tea", 60u), (joined.Terms.Topic, joined.Terms.SlowModeSeconds));
        Assert.Equal(ErrorCode.Forbidden, (await back.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room })).Code);
    }

    [Fact]
    public async Task Two_nodes_do_not_give_one_name_twice_until_its_room_is_removed_for_everybody()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting, "--Rooms:MaxCreatedPerPlayer=1");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("Den")).RoomId;
        await bob.JoinAsync(room);

        SErrorNtf taken = await bob.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "ｄｅｎ" });
        SErrorNtf many = await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "attic" });
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.RemoveRoom });
        SRoomLeftNtf removed = await bob.NextAsync<SRoomLeftNtf>();
        SErrorNtf gone = await bob.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });

        Assert.Equal((ErrorCode.RoomNameTaken, true), (taken.Code, taken.Message.Contains($"room {room}", StringComparison.Ordinal)));
        Assert.Equal(
            (ErrorCode.ServerFull, "You have created 1 rooms that were not removed. Remove one of them, or ask the operator to."),
            (many.Code, many.Message));
        Assert.Equal("Ann has removed the room Den.", removed.Message);
        Assert.Equal(ErrorCode.RoomNotFound, gone.Code);
        Assert.NotEqual(room, (await bob.CreateAsync("den")).RoomId);
        Assert.Single(await ListAsync(ann));
    }

    [Fact]
    public async Task Capacity_password_lock_and_invitation_count_on_all_nodes()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[1].LoginAsync("Cho");
        var join = new CJoinRoomReq
        {
            RoomId = (await ann.CreateAsync(new CCreateRoomReq { Name = "den", Capacity = 2, Password = "sesame" })).RoomId,
        };

        SErrorNtf missing = await bob.FailAsync(ChatPackets.CJoinRoomReq, join);
        SErrorNtf wrong = await bob.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq(join) { Password = "barley" });
        SJoinRoomRes joined = await bob.AskAsync<CJoinRoomReq, SJoinRoomRes>(
            ChatPackets.CJoinRoomReq, new CJoinRoomReq(join) { Password = "sesame" });
        SErrorNtf full = await cho.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq(join) { Password = "sesame" });
        await ann.ModerateAsync(new CModerateReq { RoomId = join.RoomId, Action = ModerationAction.SetCapacity });
        await ann.ModerateAsync(new CModerateReq { RoomId = join.RoomId, Action = ModerationAction.Lock });
        await bob.NextAsync<SRoomChatNtf>(static said => said.Terms is { Locked: true });
        SErrorNtf locked = await cho.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq(join) { Password = "sesame" });
        await ann.ModerateAsync(new CModerateReq { RoomId = join.RoomId, Action = ModerationAction.Invite, PlayerName = "Cho" });
        SInvitedNtf invited = await cho.NextAsync<SInvitedNtf>(); // its node need not have a member in the room

        Assert.Equal((ErrorCode.RoomPasswordRequired, ErrorCode.RoomPasswordRequired), (missing.Code, wrong.Code));
        Assert.Equal((2u, true), (joined.Terms.Capacity, joined.Terms.HasPassword));
        Assert.Equal((ErrorCode.RoomFull, ErrorCode.RoomLocked), (full.Code, locked.Code));
        Assert.Contains("is full (2 members)", full.Message, StringComparison.Ordinal);
        Assert.Equal(("den", "Ann", RoomRole.Owner), (invited.Membership.Name, invited.By.Name, invited.By.Role));
        await cho.JoinAsync(join.RoomId);
    }

    [Fact]
    public async Task A_moderator_hears_of_a_report_on_another_node_and_deletes_the_message()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[1].LoginAsync("Cho");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await cho.JoinAsync(room);
        long said = (await cho.SayAsync(room, "rude")).Sequence;
        await bob.NextAsync<SRoomChatNtf>();

        await bob.AskAsync<CReportReq, SReportRes>(
            ChatPackets.CReportReq, new CReportReq { RoomId = room, Sequence = said, Reason = "rude" });
        SReportNtf told = await ann.NextAsync<SReportNtf>();
        await ann.EditAsync(room, told.Report.Sequence, "");

        Assert.Equal((said, "Bob"), (told.Report.Sequence, told.Report.ReporterName));
        Assert.Equal((said, ""), await ReadEditAsync(cho));

        static async Task<(long, string)> ReadEditAsync(TestClient client)
        {
            SMessageEditedNtf edited = await client.NextAsync<SMessageEditedNtf>();
            return (edited.MessageSequence, edited.Text);
        }
    }

    [Fact]
    public async Task A_node_that_dies_takes_no_membership_with_it()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, TimeSpan.FromSeconds(1), Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        await cluster.KillAsync(1);

        Assert.Equal("Bob is offline.", (await ann.NextAsync<SRoomChatNtf>()).Text);
        await using TestClient back = await cluster[0].ConnectAsync();
        Assert.Equal(room, Assert.Single((await back.LoginAsync("Bob")).Memberships).RoomId);
        await back.JoinAsync(room);
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerName = "Bob" });
    }

    [Fact]
    public async Task A_node_that_has_missed_a_part_of_the_log_reads_terms_and_members_again()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, Lasting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        var store = cluster[0].Get<Storage.IChatStore>();
        IReadOnlyList<Storage.RoomMembership> stored = await Eventually.GetAsync(
            () => store.ListMembershipsAsync(room), static members => members.Count == 2);
        Storage.RoomMembership known = stored.Single(one => one.PlayerId == bob.PlayerId);
        await store.SaveMembershipsAsync([known with { MutedUntil = DateTimeOffset.UtcNow.AddHours(1) }]); // as another node would

        LogOrder replica = cluster[0].Get<ClusterNode>().Life!.FeedOf(room).Find(room)!;
        replica.NoteGap(replica.Room.LatestSequence + 1, replica.Epoch);

        await Eventually.GetAsync(() => bob.CanSayAsync(room, "hey"), static said => !said);
    }

    private static async Task<(long Id, string Name, uint Members)[]> ListAsync(TestClient client) =>
    [
        .. (await client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq()))
            .Rooms.Select(static room => (room.RoomId, room.Name, room.Members)),
    ];
}
