using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Directory;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>A player with devices on several nodes is one member for everybody else.</summary>
public sealed class ClusterDeviceTests
{
    [Fact]
    public async Task Devices_on_two_nodes_are_one_member_and_both_hear_everything()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, TestServer.Fleeting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;

        await phone.JoinAsync(room);
        SRoomEnteredNtf entered = await laptop.NextAsync<SRoomEnteredNtf>();
        SJoinRoomRes joined = await laptop.JoinAsync(entered.RoomId);
        SRoomChatRes said = await phone.SayAsync(room, "from the phone");
        SRoomChatNtf heard = await laptop.NextAsync<SRoomChatNtf>();
        SListRoomsRes list = await ann.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());
        SRoomChatNtf heardByAnn = await ann.NextAsync<SRoomChatNtf>();

        Assert.Equal((room, "den"), (entered.RoomId, entered.Name));
        Assert.Equal("Ann, Bob", Names(joined.Members));
        Assert.Equal((said.Sequence, phone.PlayerId, "from the phone"), (heard.Sequence, heard.PlayerId, heard.Text));
        Assert.Equal(2u, Assert.Single(list.Rooms).Members);
        Assert.Equal("from the phone", heardByAnn.Text); // neither a second join nor anything else came before
        Assert.Equal(1, ann.CountWaiting<SJoinRoomNtf>());
    }

    [Fact]
    public async Task Two_devices_on_one_node_are_in_a_room()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, TestServer.Fleeting);
        await using TestClient phone = await cluster[0].LoginAsync("Bob");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        long room = (await phone.CreateAsync("den")).RoomId;

        SJoinRoomRes joined = await laptop.JoinAsync(room);
        await phone.SayAsync(room, "from the phone");

        Assert.Equal("Bob", Names(joined.Members));
        Assert.Equal("from the phone", (await laptop.NextAsync<SRoomChatNtf>()).Text);
    }

    [Fact]
    public async Task The_others_hear_of_a_leave_when_the_last_device_has_gone()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, TestServer.Fleeting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        phone.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        await phone.Closed;
        await Eventually.GetAsync(() => cluster.DirectoryOf(0).GetMembersAsync(room), static members => members.Count == 2);
        await laptop.SayAsync(room, "still here");
        laptop.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());

        Assert.Equal("still here", (await ann.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("Bob has left the room.", (await ann.NextAsync<SRoomChatNtf>()).Text);
    }

    [Fact]
    public async Task A_player_of_a_room_that_has_become_too_small_enters_it_on_another_node_as_well()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Rooms:Lasting=true");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Cho");
        await using TestClient laptop = await cluster[0].LoginAsync("Cho");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        await phone.JoinAsync(room);
        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.SetCapacity, Capacity = 2 });

        Assert.Equal("Ann, Bob, Cho", Names((await laptop.JoinAsync(room)).Members));
    }

    [Fact]
    public async Task A_leave_on_one_device_is_for_all_and_may_be_followed_by_a_join()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Rooms:Lasting=true");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        await phone.LeaveAsync(room);
        SRoomLeftNtf left = await laptop.NextAsync<SRoomLeftNtf>();
        SRoomChatNtf heard = await ann.NextAsync<SRoomChatNtf>();
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);
        await ann.SayAsync(room, "welcome back");

        Assert.Equal((room, "You have left den on another device."), (left.RoomId, left.Message));
        Assert.Equal("Bob has left the room.", heard.Text);
        Assert.Equal("welcome back", (await phone.NextAsync<SRoomChatNtf>(static said => !said.System)).Text);
        Assert.Equal("welcome back", (await laptop.NextAsync<SRoomChatNtf>(static said => !said.System)).Text);
        Assert.Equal("welcome back", (await ann.NextAsync<SRoomChatNtf>()).Text); // and no other leave
    }

    [Fact]
    public async Task A_login_beyond_the_limit_ends_the_oldest_session_on_any_node()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3, "--PlayChat:Sessions:MaxPerUser=2");
        await using TestClient oldest = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Bob");
        await using TestClient laptop = await cluster[2].LoginAsync("Bob");

        Assert.Equal(CloseCode.TakenOver, (await oldest.NextAsync<SCloseNtf>()).Reason);
        await oldest.Closed;
        long room = (await phone.CreateAsync("den")).RoomId;
        Assert.Equal(room, (await laptop.NextAsync<SRoomEnteredNtf>()).RoomId);
    }

    [Fact]
    public async Task A_session_that_goes_on_on_another_node_ends_only_itself()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, TestServer.Fleeting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient phone = await cluster[0].ConnectAsync();
        SLoginRes login = await phone.LoginAsync("Bob");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        SJoinRoomRes joined = await phone.JoinAsync(room);

        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = room, LastSequence = joined.LatestSequence, Epoch = joined.Epoch } },
        });

        Assert.True(Assert.Single(resumed.Rooms).Member);
        Assert.Equal(CloseCode.TakenOver, (await phone.NextAsync<SCloseNtf>()).Reason);
        await Eventually.GetAsync(() => cluster.DirectoryOf(0).FindSessionsAsync(login.PlayerId), static places => places.Count == 2);
        await laptop.JoinAsync(room);
        await back.SayAsync(room, "back");
        Assert.Equal("back", (await laptop.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("back", (await ann.NextAsync<SRoomChatNtf>()).Text); // and nobody has left
    }

    [Fact]
    public async Task A_player_stays_when_the_node_of_one_of_its_devices_is_lost()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, TimeSpan.FromSeconds(2), TestServer.Fleeting);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        await cluster.KillAsync(1);
        await Eventually.GetAsync(() => cluster.DirectoryOf(0).GetMembersAsync(room), static members => members.Count == 2);
        await laptop.SayAsync(room, "still here");

        Assert.Equal("still here", (await ann.NextAsync<SRoomChatNtf>()).Text);
        SListMembersRes listed = await ann.AskAsync<CListMembersReq, SListMembersRes>(
            ChatPackets.CListMembersReq, new CListMembersReq { RoomId = room });
        Assert.Equal("Ann, Bob", Names(listed.Members.Select(static one => one.Member)));
    }

    [Fact]
    public async Task Direct_messages_invitations_and_notices_reach_the_devices_on_all_nodes()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Rooms:Lasting=true");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient amy = await cluster[0].LoginAsync("Ann");
        await using TestClient ada = await cluster[1].LoginAsync("Ann");
        await using TestClient laptop = await cluster[0].LoginAsync("Bob");
        await using TestClient phone = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync(new CCreateRoomReq { Name = "secret", Private = true })).RoomId;

        SDirectChatRes sent = await ann.AskAsync<CDirectChatReq, SDirectChatRes>(
            ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = phone.PlayerId, Text = "psst" });
        await ann.AskAsync<CModerateReq, SModerateRes>(
            ChatPackets.CModerateReq, new CModerateReq { RoomId = room, Action = ModerationAction.Invite, PlayerName = "Bob" });

        foreach (TestClient device in new[] { laptop, phone })
        {
            Assert.Equal("psst", (await device.NextAsync<SDirectChatNtf>()).Text);
            Assert.Equal(room, (await device.NextAsync<SInvitedNtf>()).Membership.RoomId);
        }

        foreach (TestClient device in new[] { amy, ada })
        {
            SDirectSentNtf told = await device.NextAsync<SDirectSentNtf>();
            Assert.Equal((phone.PlayerId, "psst", sent.Number), (told.PlayerId, told.Text, told.Number));
        }

        Assert.Equal(0, ann.CountWaiting<SDirectSentNtf>());
    }

    [Fact]
    public async Task A_change_of_the_password_ends_the_devices_on_all_nodes()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient laptop = await cluster[0].ConnectAsync();
        await laptop.LoginAsync("Bob", "correct horse");
        await using TestClient phone = await cluster[1].ConnectAsync();
        await phone.LoginAsync("Bob", "correct horse");

        await phone.AskAsync<CChangePasswordReq, SChangePasswordRes>(
            ChatPackets.CChangePasswordReq, new CChangePasswordReq { OldPassword = "correct horse", NewPassword = "battery staple" });

        Assert.Contains("password", (await laptop.NextAsync<SCloseNtf>()).Message, StringComparison.Ordinal);
        await laptop.Closed;
    }

    private static string Names(IEnumerable<Member> members) =>
        string.Join(", ", members.Select(static member => member.Name).Order(StringComparer.Ordinal));
}
