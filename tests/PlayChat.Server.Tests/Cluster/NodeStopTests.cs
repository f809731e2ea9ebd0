using PlayChat.Chat.Cluster;
using PlayChat.Chat.Sessions;
using PlayChat.Cluster.Directory;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>A node that stops in order.</summary>
public sealed class NodeStopTests
{
    // Nothing in these tests may wait for the end of a lease.
    private static readonly TimeSpan s_lease = TimeSpan.FromMinutes(10);

    [Fact]
    public async Task A_node_that_ends_without_a_stop_as_after_a_failed_start_leaves_the_cluster()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        ClusterNode ended = cluster[0].Get<ClusterNode>();
        ClusterLife life = ended.Life!;

        await ended.DisposeAsync();

        Assert.Null(ended.Life);
        life.Node.Fence("a call that was under way has learned it late"); // throws nothing
        NodeInfo left = Assert.Single(await cluster.DirectoryOf(1).GetNodesAsync(TestContext.Current.CancellationToken));
        Assert.Equal(2, left.Origin.NodeId);
    }

    [Fact]
    public async Task A_stopping_node_names_another_one_to_its_clients()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, s_lease, "--Sessions:ReturnWithin=00:00:20");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");

        await cluster[0].StopAsync();

        SCloseNtf farewell = await ann.NextAsync<SCloseNtf>();
        Assert.Equal((CloseCode.ServerShutdown, "node2:7777"), (farewell.Reason, farewell.Endpoint));
        Assert.InRange(farewell.RetryAfterMs, 1u, 20_000u);
        Assert.Equal(0, cluster[0].Get<OtherNodes>().Redirects); // no request was answered REDIRECT
    }

    [Fact]
    public async Task The_only_node_names_none_and_does_not_wait_for_its_clients()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, s_lease, "--Sessions:ReturnWithin=01:00:00");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await ann.CreateAsync("lobby");

        await cluster[0].StopAsync();

        Assert.Equal("", (await ann.NextAsync<SCloseNtf>()).Endpoint);
    }

    [Fact]
    public async Task Members_of_a_stopped_node_that_do_not_return_leave_at_once()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, s_lease);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room);

        await cluster[0].StopAsync();

        Assert.Equal("Ann", (await bob.NextAsync<SRoomChatNtf>()).Left.Name);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_player_that_leaves_or_logs_out_during_a_stop_does_not_hold_it(bool logsOut)
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, s_lease, "--Sessions:ReturnWithin=01:00:00");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        await ann.JoinAsync(room);

        cluster[0].Get<ShutdownState>().Begin(); // the stop's drain delay
        if (logsOut)
        {
            ann.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
            await ann.Closed;
        }
        else
        {
            await ann.LeaveAsync(room);
        }

        Assert.Equal("Ann", (await bob.NextAsync<SRoomChatNtf>()).Left.Name);
        await cluster[0].StopAsync().WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_player_that_resumes_elsewhere_stays_a_member_and_the_node_waits_for_it()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, s_lease, "--Sessions:ReturnWithin=01:00:00");
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await bob.CreateAsync("lobby")).RoomId;
        SJoinRoomRes joined = await ann.JoinAsync(room);
        await bob.NextAsync<SJoinRoomNtf>();

        Task stopping = cluster[0].StopAsync();
        await ann.Closed;
        await bob.SayAsync(room, "missed");
        Assert.False(stopping.IsCompleted);
        await using TestClient back = await cluster[1].ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(ChatPackets.CResumeReq, new CResumeReq
        {
            Token = login.ResumeToken,
            Rooms = { new RoomPlace { RoomId = room, LastSequence = joined.LatestSequence, Epoch = joined.Epoch } },
        });
        await stopping;

        Assert.Equal((true, true), (resumed.Rooms[0].Member, resumed.Rooms[0].Recovered));
        await back.SayAsync(room, "back");
        List<SRoomChatNtf> heard = [await bob.NextAsync<SRoomChatNtf>(), await bob.NextAsync<SRoomChatNtf>()];
        Assert.Equal("missed, back", string.Join(", ", heard.Select(static message => message.Text))); // no leave
    }

    [Fact]
    public async Task While_a_node_drains_logins_and_resumes_are_sent_to_another_one()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, s_lease);
        await using TestClient ann = await cluster[0].ConnectAsync();
        SLoginRes login = await ann.LoginAsync("Ann");

        await cluster[0].Get<ClusterNode>().StoppingAsync(CancellationToken.None); // the first step of a stop; a drain delay may follow

        await using TestClient newcomer = await cluster[0].ConnectAsync();
        SErrorNtf refused = await newcomer.FailAsync(
            ChatPackets.CLoginReq, new CLoginReq { Name = "Bob", ClientVersion = "test/1", FollowsRedirects = true });
        Assert.Equal((ErrorCode.Redirect, "node2:7777"), (refused.Code, refused.Endpoint));
        refused = await newcomer.FailAsync(ChatPackets.CResumeReq, new CResumeReq { Token = login.ResumeToken, FollowsRedirects = true });
        Assert.Equal((ErrorCode.Redirect, "node2:7777"), (refused.Code, refused.Endpoint));
        Assert.Equal(2, cluster[0].Get<OtherNodes>().Redirects);
        await newcomer.LoginAsync("Bob"); // a client that does not follow is served until the end, and so is one that is here
        Assert.NotEqual(0, (await ann.CreateAsync("lobby")).RoomId);
        IReadOnlyList<NodeInfo> nodes = await cluster.DirectoryOf(1).GetNodesAsync();
        Assert.Equal([true, false], nodes.Select(static node => node.IsDraining));
    }
}
