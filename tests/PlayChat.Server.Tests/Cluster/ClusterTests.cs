using System.Globalization;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Configuration;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>Rooms whose members are on several nodes.</summary>
public sealed class ClusterTests
{
    [Fact]
    public async Task Members_on_all_nodes_see_every_message_once_and_in_one_order()
    {
        const int EachSays = 25;
        await using TestCluster cluster = await TestCluster.StartAsync(3);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[2].LoginAsync("Cho");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);
        await cho.JoinAsync(room);
        TestClient[] clients = [ann, bob, cho];

        SRoomChatRes[][] answers = await Task.WhenAll(clients.Select(async (client, who) =>
        {
            var said = new SRoomChatRes[EachSays];
            for (int i = 0; i < EachSays; i++)
            {
                said[i] = await client.SayAsync(room, $"{who}:{i}", clientMessageId: (ulong)i + 1);
            }

            return said;
        }));

        List<SRoomChatNtf>[] heard = await Task.WhenAll(clients.Select(client => HearAsync(client, 3 * EachSays)));
        Assert.Equal(Texts(heard[0]), Texts(heard[1]));
        Assert.Equal(Texts(heard[0]), Texts(heard[2]));
        Assert.Equal(3 * EachSays, heard[0].DistinctBy(static message => message.Text, StringComparer.Ordinal).Count());
        Assert.All(heard, AssertChained);
        Assert.Equal(
            heard[0].Select(static message => message.Sequence),
            answers.SelectMany(static said => said).Select(static answer => answer.Sequence).Order());
    }

    [Fact]
    public async Task Joins_and_leaves_are_told_to_the_members_on_other_nodes()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        SCreateRoomRes created = await ann.CreateAsync("lobby");

        SJoinRoomRes joined = await bob.JoinAsync(created.RoomId);

        Assert.Equal("lobby", joined.Name);
        Assert.Equal("Ann, Bob", Names(joined.Members));
        Assert.Equal((created.Epoch, true), (joined.Epoch, joined.Epoch > 0));
        SJoinRoomNtf told = await ann.NextAsync<SJoinRoomNtf>();
        Assert.Equal(("Bob", joined.LatestSequence), (told.Member.Name, told.Sequence));
        await bob.LeaveAsync(created.RoomId);
        SRoomChatNtf left = await ann.NextAsync<SRoomChatNtf>();
        Assert.Equal((true, "Bob"), (left.System, left.Left.Name));
        Assert.Equal(ErrorCode.NotInRoom, (await bob.FailAsync(
            ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = created.RoomId, Text = "?" })).Code switch
        {
            ErrorCode.RoomNotFound => ErrorCode.NotInRoom, // its node has no replica any more
            ErrorCode other => other,
        });
    }

    [Fact]
    public async Task Leaves_and_joins_that_are_sent_back_to_back_take_effect_in_their_order()
    {
        const int Times = 30;
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        await ann.JoinAsync(room);
        await bob.NextAsync<SJoinRoomNtf>();

        for (ushort i = 0; i < Times; i++)
        {
            ann.Send(ChatPackets.CLeaveRoomReq, new CLeaveRoomReq { RoomId = room }, requestId: (ushort)(1000 + i));
            ann.Send(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room }, requestId: (ushort)(2000 + i));
        }

        for (ushort i = 0; i < Times; i++)
        {
            Assert.IsType<SLeaveRoomAck>(await ann.NextAnswerAsync((ushort)(1000 + i)));
            Assert.IsType<SJoinRoomRes>(await ann.NextAnswerAsync((ushort)(2000 + i)));
            Assert.Equal("Ann", (await bob.NextAsync<SRoomChatNtf>()).Left.Name);
            Assert.Equal("Ann", (await bob.NextAsync<SJoinRoomNtf>()).Member.Name);
        }

        await ann.SayAsync(room, "still a member");
        Assert.Equal(ErrorCode.AlreadyInRoom, (await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room })).Code);
        await HearUntilAsync(bob, "still a member");
        Assert.Equal([2], (await cluster.DirectoryOf(0).GetRoomsAsync(0, 10)).Select(static listed => listed.Members));
    }

    [Fact]
    public async Task A_join_that_times_out_while_the_log_is_away_is_undone_and_the_next_one_succeeds()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Cluster:AnswerTimeout=00:00:00.500");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[0].LoginAsync("Cho");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        await cho.JoinAsync(room); // so that the first node has a replica
        await bob.NextAsync<SJoinRoomNtf>();

        cluster.Log.IsAvailable = false;
        SErrorNtf first = await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        SErrorNtf second = await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        Assert.Equal((ErrorCode.Unavailable, ErrorCode.Unavailable), (first.Code, second.Code));
        Assert.True(second.RetryAfterMs > 0);
        cluster.Log.IsAvailable = true; // the joins and their ends are in the log now, in this order

        await Eventually.TrueAsync(() => cluster[0].Get<ClusterNode>().Life!.Backplane.Unconfirmed == 0);
        SJoinRoomRes joined = await ann.JoinAsync(room);
        await ann.SayAsync(room, "in");
        await HearUntilAsync(bob, "in");
        Assert.Equal("Ann, Bob, Cho", Names(joined.Members.OrderBy(static member => member.Name, StringComparer.Ordinal)));
        Assert.Equal([3], (await cluster.DirectoryOf(0).GetRoomsAsync(0, 10)).Select(static listed => listed.Members));
    }

    [Fact]
    public async Task A_join_behind_a_leave_that_the_directory_does_not_take_is_answered()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, "--Cluster:AnswerTimeout=00:00:00.500");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        await ann.JoinAsync(room);

        cluster.DirectoryOf(0).IsAway = true;
        await ann.LeaveAsync(room);
        SErrorNtf refused = await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        cluster.DirectoryOf(0).IsAway = false;

        Assert.Equal((ErrorCode.Unavailable, true), (refused.Code, refused.RetryAfterMs > 0));
        await Eventually.GetAsync(
            () => cluster.DirectoryOf(0).GetMembersAsync(room), static members => members.Count == 1);
        Assert.Equal("Ann, Bob", Names((await ann.JoinAsync(room)).Members.OrderBy(static member => member.Name, StringComparer.Ordinal)));
    }

    [Fact]
    public async Task A_leave_that_the_directory_does_not_answer_delays_no_other_player_and_the_next_join_of_its_own()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        await using TestClient cho = await cluster[0].LoginAsync("Cho");
        long room = (await cho.CreateAsync("lobby")).RoomId;
        await ann.JoinAsync(room);
        await bob.JoinAsync(room);
        var answer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        cluster.DirectoryOf(0).LeavesWaitFor = player => player == ann.PlayerId ? answer.Task : Task.CompletedTask;

        await ann.LeaveAsync(room);
        Task<SJoinRoomRes> again = ann.JoinAsync(room);
        await bob.LeaveAsync(room);
        SJoinRoomRes joined = await bob.JoinAsync(room);
        Assert.False(again.IsCompleted);
        answer.SetResult();

        Assert.Equal("Ann, Bob, Cho", Names(joined.Members)); // Ann is a member until the directory has answered
        Assert.Equal("Ann, Bob, Cho", Names((await again).Members));
        List<SRoomChatNtf> left = [await cho.NextAsync<SRoomChatNtf>(), await cho.NextAsync<SRoomChatNtf>()];
        Assert.Equal(("Bob", "Ann"), (left[0].Left.Name, left[1].Left.Name));
    }

    [Fact]
    public async Task A_room_is_full_when_the_members_of_all_nodes_fill_it()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3, "--PlayChat:Rooms:MaxMembers=2");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[2].LoginAsync("Cho");
        long room = (await ann.CreateAsync("small")).RoomId;
        await bob.JoinAsync(room);

        Assert.Equal(ErrorCode.RoomFull, (await cho.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room })).Code);

        await bob.LeaveAsync(room);
        await ann.NextAsync<SRoomChatNtf>(); // the leave
        Assert.Equal("Ann, Cho", Names((await cho.JoinAsync(room)).Members));
    }

    [Fact]
    public async Task A_room_that_all_have_left_is_gone()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);
        await ann.LeaveAsync(room);
        await bob.NextAsync<SRoomChatNtf>();
        await bob.LeaveAsync(room);

        await Eventually.GetAsync(
            () => cluster[0].Store.GetRoomPositionAsync(room), static position => position!.State == RoomState.Removed);
        Assert.Equal(ErrorCode.RoomNotFound, (await ann.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room })).Code);
    }

    [Fact]
    public async Task A_message_that_is_sent_again_to_another_node_is_heard_once()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        await ann.JoinAsync(room);
        SRoomChatRes first = await ann.SayAsync(room, "once", clientMessageId: 7);
        await using TestClient again = await cluster[1].LoginAsync("Ann");
        await again.JoinAsync(room);

        SRoomChatRes second = await again.SayAsync(room, "once", clientMessageId: 7);
        await again.SayAsync(room, "next", clientMessageId: 8);

        Assert.Equal((first.Sequence, true), (second.Sequence, second.Duplicate));
        List<SRoomChatNtf> heard = [.. (await HearUntilAsync(bob, "next")).Where(static message => !message.System)];
        Assert.Equal("once, next", Texts(heard));
    }

    [Fact]
    public async Task A_message_that_is_sent_again_to_a_node_that_has_just_started_is_heard_once()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, "--ChatLog:FlushInterval=00:01:00"); // stores nothing meanwhile
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        await ann.JoinAsync(room);
        SRoomChatRes first = await ann.SayAsync(room, "once", clientMessageId: 7);

        await cluster.AddAsync();
        await using TestClient cho = await cluster[1].LoginAsync("Cho");
        await cho.JoinAsync(room);
        await using TestClient again = await cluster[1].LoginAsync("Ann");
        await again.JoinAsync(room);
        SRoomChatRes second = await again.SayAsync(room, "once", clientMessageId: 7);
        await again.SayAsync(room, "next", clientMessageId: 8);

        Assert.Equal((first.Sequence, true), (second.Sequence, second.Duplicate));
        Assert.Equal("next", Texts((await HearUntilAsync(cho, "next")).Where(static message => !message.System)));
        Assert.Equal("once, next", Texts((await HearUntilAsync(bob, "next")).Where(static message => !message.System)));
    }

    [Fact]
    public async Task A_login_on_another_node_takes_over()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient older = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await older.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);

        await using TestClient newer = await cluster[1].LoginAsync("Ann");

        Assert.Equal(CloseCode.TakenOver, (await older.NextAsync<SCloseNtf>()).Reason);
        await older.Closed;
        Assert.Equal("Ann", (await bob.NextAsync<SRoomChatNtf>()).Left.Name);
        Assert.Equal("Ann, Bob", Names((await newer.JoinAsync(room)).Members));
        Assert.Equal("Ann", (await bob.NextAsync<SJoinRoomNtf>()).Member.Name);
    }

    [Fact]
    public async Task A_node_that_cannot_renew_its_lease_closes_its_clients_and_comes_back()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, lease: TimeSpan.FromSeconds(2));
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);

        cluster.DirectoryOf(0).IsAway = true;

        Assert.Equal(CloseCode.NodeFenced, (await ann.NextAsync<SCloseNtf>()).Reason);
        await ann.Closed;
        Assert.Equal("Ann", (await bob.NextAsync<SRoomChatNtf>()).Left.Name); // node lost
        await using TestClient refused = await cluster[0].ConnectAsync();
        Assert.Equal(ErrorCode.Unavailable, (await refused.FailLoginAsync("Ann")).Code);

        cluster.DirectoryOf(0).IsAway = false;
        await Eventually.TrueAsync(() => cluster[0].Get<ClusterNode>().Life is not null);
        await refused.LoginAsync("Ann");
        await refused.JoinAsync(room);
        await refused.SayAsync(room, "back");
        await HearUntilAsync(bob, "back");
    }

    [Fact]
    public async Task A_second_start_of_a_node_whose_port_is_in_use_takes_nothing_from_the_one_that_runs()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(0, lease: TimeSpan.FromMinutes(10));
        TestServer first = await cluster.StartNodeOnSocketsAsync(1);
        ClusterLife? life = first.Get<ClusterNode>().Life;
        await using TestClient ann = await first.LoginAsync("Ann");
        long room = (await ann.CreateAsync("lobby")).RoomId;

        await Assert.ThrowsAsync<ListenFailedException>(
            () => cluster.StartNodeOnSocketsAsync(1, $"--port={first.EndPoint.Port.ToString(CultureInfo.InvariantCulture)}"));

        Assert.True(await cluster.DirectoryOf(0).RenewAsync());
        Assert.Same(life, first.Get<ClusterNode>().Life);
        await ann.SayAsync(room, "still here");
    }

    [Fact]
    public async Task A_node_whose_id_a_living_node_has_is_refused_with_the_holder_even_under_the_same_endpoint()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, lease: TimeSpan.FromSeconds(3));
        ClusterLife? life = cluster[0].Get<ClusterNode>().Life;

        StartException refused = await Assert.ThrowsAsync<StartException>(() => cluster.StartNodeAsync(1));

        Assert.Contains("Node id 1 belongs to the node at node1:7777", refused.Message, StringComparison.Ordinal);
        Assert.Contains("Stop that node, or give this one an id of its own", refused.Message, StringComparison.Ordinal);
        Assert.True(await cluster.DirectoryOf(0).RenewAsync());
        Assert.Same(life, cluster[0].Get<ClusterNode>().Life);
    }

    [Fact]
    public async Task While_the_directory_is_away_for_longer_than_a_lease_the_chat_continues_and_no_node_leaves_the_cluster()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, lease: TimeSpan.FromSeconds(2));
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);
        ClusterLife[] lives = [cluster[0].Get<ClusterNode>().Life!, cluster[1].Get<ClusterNode>().Life!];

        cluster.DirectoryOf(0).IsAway = cluster.DirectoryOf(1).IsAway = true;
        await Eventually.TrueAsync(() => lives.All(static life => life.Node.LeaseAge > TimeSpan.FromSeconds(3)));
        await ann.SayAsync(room, "still here");
        await HearUntilAsync(bob, "still here");
        await using TestClient refused = await cluster[1].ConnectAsync();
        Assert.Equal(ErrorCode.StorageUnavailable, (await refused.FailLoginAsync("Cho")).Code);
        cluster.DirectoryOf(0).IsAway = cluster.DirectoryOf(1).IsAway = false;
        await Eventually.TrueAsync(() => lives.All(static life => life.Node.LeaseAge < TimeSpan.FromSeconds(2)));

        await using TestClient cho = await cluster[1].LoginAsync("Cho");
        await cho.JoinAsync(room);
        Assert.Same(lives[0], cluster[0].Get<ClusterNode>().Life);
        Assert.Same(lives[1], cluster[1].Get<ClusterNode>().Life);
    }

    [Fact]
    public async Task A_node_that_stores_before_it_delivers_is_refused_with_the_reason()
    {
        StartException refused = await Assert.ThrowsAsync<StartException>(
            () => TestServer.StartAsync("--Cluster:NodeId=1", "--ChatLog:Durability=Stored"));

        Assert.Contains("ChatLog:Durability Stored is for a server without a cluster", refused.Message, StringComparison.Ordinal);
        Assert.Contains("leave ChatLog:Durability at Async", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Postgres")]
    [InlineData("RabbitMq")]
    public async Task A_node_whose_database_is_its_own_file_is_refused_with_the_reason(string engine)
    {
        StartException refused = await Assert.ThrowsAsync<StartException>(
            () => TestServer.StartAsync("--Cluster:NodeId=1", $"--Cluster:Engine={engine}", "--Storage:Provider=Sqlite"));

        Assert.Contains(
            $"Cluster:Engine {engine} needs a database that all nodes share. Set Storage:Provider to Postgres.",
            refused.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task While_the_log_is_away_senders_are_told_and_nothing_is_lost_or_doubled()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Cluster:AnswerTimeout=00:00:00.300");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);

        cluster.Log.IsAvailable = false;
        for (int attempt = 0; attempt < 2; attempt++) // the repeat is told as the first request was
        {
            SErrorNtf failed = await ann.FailAsync(
                ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "not known yet", ClientMessageId = 1 });
            Assert.Equal((ErrorCode.Unavailable, true), (failed.Code, failed.RetryAfterMs > 0));
        }

        cluster.Log.IsAvailable = true;

        SRoomChatRes again = await ann.SayAsync(room, "not known yet", clientMessageId: 1);
        await ann.SayAsync(room, "next", clientMessageId: 2);
        Assert.NotEqual(0, again.Sequence);
        Assert.Equal("not known yet, next", Texts(await HearUntilAsync(bob, "next")));
    }

    [Fact]
    public async Task A_player_resumes_on_another_node_with_what_it_has_missed()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        SJoinRoomRes joined = await ann.JoinAsync(room);
        await bob.NextAsync<SJoinRoomNtf>();
        await bob.SayAsync(room, "missed 1");
        await bob.SayAsync(room, "missed 2");

        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = room, LastSequence = joined.LatestSequence, Epoch = joined.Epoch } },
        });
        await bob.SayAsync(room, "live");

        Assert.False(resumed.Restored);
        ResumedRoom place = Assert.Single(resumed.Rooms);
        Assert.Equal((true, true, 2u, joined.Epoch), (place.Member, place.Recovered, place.MissedMessages, place.Epoch));
        Assert.Equal(CloseCode.TakenOver, (await ann.NextAsync<SCloseNtf>()).Reason); // the older session, on the other node
        List<SRoomChatNtf> heard = await HearUntilAsync(back, "live");
        Assert.Equal("missed 1, missed 2, live", Texts(heard));
        Assert.Equal(joined.LatestSequence, heard[0].PreviousSequence);
        AssertChained(heard);
        await back.SayAsync(room, "said here");
        List<SRoomChatNtf> others = await HearUntilAsync(bob, "said here");
        Assert.DoesNotContain(others, static message => message.System); // nobody has left
        await ann.DisposeAsync();
    }

    [Fact]
    public async Task A_player_from_another_node_that_breaks_again_is_told_the_members_until_it_has_seen_more()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        long seen = (await ann.JoinAsync(room)).LatestSequence;
        await bob.NextAsync<SJoinRoomNtf>();

        await using TestClient moved = await cluster[1].ConnectAsync();
        SResumeRes resumed = await Resuming.ResumeAsync(moved, login.ResumeToken, (room, seen));
        await moved.NextAsync<SRoomStateNtf>();
        await Resuming.BreakAsync(cluster[1], moved); // the server does not know whether that has arrived
        await using TestClient back = await cluster[1].ConnectAsync();
        resumed = await Resuming.ResumeAsync(back, resumed.ResumeToken, (room, seen));

        Assert.True(resumed.Rooms[0].Recovered);
        Assert.Equal("Ann, Bob", Names((await back.NextAsync<SRoomStateNtf>()).Members));

        long later = (await bob.SayAsync(room, "later")).Sequence;
        await HearUntilAsync(back, "later");
        await Resuming.BreakAsync(cluster[1], back);
        await using TestClient last = await cluster[1].ConnectAsync();
        await Resuming.ResumeAsync(last, resumed.ResumeToken, (room, later));
        await last.SayAsync(room, "last");
        Assert.Equal(0, last.CountWaiting<SRoomStateNtf>());
    }

    [Fact]
    public async Task A_player_that_resumes_while_the_directory_is_away_is_let_in_and_joins_its_rooms_again()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        SJoinRoomRes joined = await ann.JoinAsync(room);
        await bob.NextAsync<SJoinRoomNtf>();

        cluster.DirectoryOf(1).IsAway = true;
        cluster.DirectoryOf(1).RefusesPlaces = true;
        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = room, LastSequence = joined.LatestSequence, Epoch = joined.Epoch } },
        });
        SErrorNtf refused = await back.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        cluster.DirectoryOf(1).IsAway = false;

        Assert.Equal((true, false), (resumed.Restored, Assert.Single(resumed.Rooms).Member));
        Assert.Equal((ErrorCode.StorageUnavailable, true), (refused.Code, refused.RetryAfterMs > 0));
        Assert.Equal("Ann, Bob", Names((await back.JoinAsync(room)).Members.OrderBy(static member => member.Name, StringComparer.Ordinal)));
        await back.SayAsync(room, "back");
        Assert.DoesNotContain(await HearUntilAsync(bob, "back"), static message => message.System); // no player has left

        cluster.DirectoryOf(1).RefusesPlaces = false;
        Assert.Equal(CloseCode.TakenOver, (await ann.NextAsync<SCloseNtf>()).Reason);
        await ann.Closed;
        await Eventually.GetAsync(
            () => cluster.DirectoryOf(0).FindSessionsAsync(login.PlayerId),
            places => places is [var place] && place.Node == cluster[1].Get<ClusterNode>().Life!.Origin);
    }

    [Fact]
    public async Task A_resume_that_fails_at_its_second_room_leaves_no_replica_of_the_first()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        long first = (await ann.CreateAsync("first")).RoomId;
        long second = (await ann.CreateAsync("second")).RoomId;

        cluster.DirectoryOf(1).RefusedRoom = second;
        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = first }, new RoomPlace { RoomId = second } },
        });

        Assert.Equal((true, false, false), (resumed.Restored, resumed.Rooms[0].Member, resumed.Rooms[1].Member));
        await Eventually.TrueAsync(() => cluster[1].Server.Rooms.Find(first) is null);
        Assert.All(cluster[1].Get<ClusterNode>().Life!.Feeds, static feed => Assert.Empty(feed.Rooms));
    }

    [Fact]
    public async Task A_player_that_moves_while_the_directory_takes_no_place_has_one_session_when_it_does()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        cluster.DirectoryOf(1).RefusesPlaces = true;
        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed =
            await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq { Token = login.ResumeToken });

        cluster.DirectoryOf(1).RefusesPlaces = false;

        Assert.False(resumed.Restored);
        Assert.Equal(CloseCode.TakenOver, (await ann.NextAsync<SCloseNtf>()).Reason);
    }

    [Fact]
    public async Task A_login_while_the_log_is_away_takes_over_when_it_is_back()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient older = await cluster[0].LoginAsync("Ann");
        cluster.Log.IsAvailable = false;
        await Eventually.TrueAsync(() => cluster[1].Get<ClusterNode>().Life!.Backplane.State != BackplaneState.Up);
        await using TestClient newer = await cluster[1].LoginAsync("Ann");

        cluster.Log.IsAvailable = true;

        Assert.Equal(CloseCode.TakenOver, (await older.NextAsync<SCloseNtf>()).Reason);
        Assert.NotNull(await newer.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq()));
    }

    [Fact]
    public async Task A_player_of_a_killed_node_is_a_member_still_when_that_node_is_back_before_its_lease_has_ended()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, lease: TimeSpan.FromSeconds(10));
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        SJoinRoomRes joined = await ann.JoinAsync(room);
        await cluster.KillAsync(0);
        await bob.SayAsync(room, "missed");

        await cluster.StartNodeAsync(1);
        long sweeps = cluster.DirectoryOf(1).Sweeps;
        await Eventually.TrueAsync(() => cluster.DirectoryOf(1).Sweeps > sweeps + 1);
        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = room, LastSequence = joined.LatestSequence, Epoch = joined.Epoch } },
        });

        Assert.Equal((true, true, 1u), (resumed.Rooms[0].Member, resumed.Rooms[0].Recovered, resumed.Rooms[0].MissedMessages));
        await back.SayAsync(room, "back");
        Assert.DoesNotContain(await HearUntilAsync(bob, "back"), static message => message.System); // no player has left
    }

    [Fact]
    public async Task What_a_node_cannot_give_is_said_and_the_history_has_it()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1);
        TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[0].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        SJoinRoomRes joined = await ann.JoinAsync(room);
        await bob.SayAsync(room, "before the node");
        await Eventually.GetAsync(
            () => cluster[0].Store.ReadChatBeforeAsync(room, long.MaxValue, 10), static stored => stored.Count == 1);
        cluster.Log.Trim(RoomShard.Of(room, cluster.Log.ShardCount), keep: 0);
        await cluster.AddAsync(); // reads nothing of it

        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = room, LastSequence = joined.LatestSequence, Epoch = joined.Epoch } },
        });

        Assert.Equal((true, false), (resumed.Rooms[0].Member, resumed.Rooms[0].Recovered));
        SRoomStateNtf state = await back.NextAsync<SRoomStateNtf>();
        Assert.Equal("Ann, Bob", Names(state.Members));
        SRoomHistoryRes page = await back.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = room, AfterSequence = joined.LatestSequence });
        Assert.Equal("before the node", Texts(page.Messages));
        Assert.True(page.Complete && page.Gaps.Count == 0);
        SRoomHistoryRes newest = await back.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = room });
        Assert.Equal((true, "before the node"), (newest.Complete, Texts(newest.Messages)));
        await ann.DisposeAsync();
    }

    [Fact]
    public async Task Each_message_is_stored_once()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);
        SRoomChatRes one = await ann.SayAsync(room, "one");
        SRoomChatRes two = await bob.SayAsync(room, "two");

        await Eventually.GetAsync(
            () => cluster[2].Store.ReadChatBeforeAsync(room, long.MaxValue, 10), static stored => stored.Count == 2);
        Assert.Equal(
            [(one.Sequence, "one", "Ann"), (two.Sequence, "two", "Bob")],
            (await cluster[2].Store.ReadChatBeforeAsync(room, long.MaxValue, 10))
                .Select(static said => (said.Sequence, said.Text, said.PlayerName)));
    }

    [Fact]
    public async Task What_a_lost_node_had_not_stored_another_node_stores()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(0, lease: TimeSpan.FromSeconds(2));
        await cluster.AddAsync("--ChatLog:FlushInterval=00:01:00"); // stores nothing while the test runs
        await cluster.AddAsync();
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);
        SRoomChatRes said = await ann.SayAsync(room, "acknowledged", clientMessageId: 1);
        Assert.Empty(await cluster[1].Store.ReadChatBeforeAsync(room, long.MaxValue, 10));

        cluster.DirectoryOf(0).IsAway = true; // the other node takes it for dead

        IReadOnlyList<ChatRecord> stored = await Eventually.GetAsync(
            () => cluster[1].Store.ReadChatBeforeAsync(room, long.MaxValue, 10), static stored => stored.Count > 0);
        Assert.Equal((said.Sequence, "acknowledged", "Ann"), (stored[0].Sequence, stored[0].Text, stored[0].PlayerName));
        cluster.DirectoryOf(0).IsAway = false;
    }

    [Fact]
    public async Task Members_are_told_of_a_log_that_was_replaced_and_sequences_go_on_rising()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        SCreateRoomRes created = await ann.CreateAsync("lobby");
        await bob.JoinAsync(created.RoomId);
        SRoomChatRes before = await ann.SayAsync(created.RoomId, "before");

        cluster.Log.Replace(RoomShard.Of(created.RoomId, cluster.Log.ShardCount));
        SRoomChatRes after = await ann.SayAsync(created.RoomId, "after");

        SRoomStateNtf state = await bob.NextAsync<SRoomStateNtf>();
        Assert.True(state.Epoch > created.Epoch);
        Assert.Equal("Ann, Bob", Names(state.Members));
        Assert.True(after.Sequence > before.Sequence);
        Assert.Equal(after.Sequence, (await HearUntilAsync(bob, "after"))[^1].Sequence);
    }

    private static async Task<List<SRoomChatNtf>> HearAsync(TestClient client, int count)
    {
        List<SRoomChatNtf> heard = [];
        while (heard.Count < count)
        {
            heard.Add(await client.NextAsync<SRoomChatNtf>());
        }

        return heard;
    }

    private static async Task<List<SRoomChatNtf>> HearUntilAsync(TestClient client, string text)
    {
        List<SRoomChatNtf> heard = [];
        do
        {
            heard.Add(await client.NextAsync<SRoomChatNtf>());
        }
        while (heard[^1].Text != text);

        return heard;
    }

    private static string Texts(IEnumerable<SRoomChatNtf> heard) => string.Join(", ", heard.Select(static message => message.Text));

    private static string Names(IEnumerable<Member> members) =>
        string.Join(", ", members.Select(static member => member.Name).Order(StringComparer.Ordinal));

    private static void AssertChained(List<SRoomChatNtf> heard) => Assert.All(
        heard.Zip(heard.Skip(1)), static pair => Assert.Equal(pair.First.Sequence, pair.Second.PreviousSequence));
}
