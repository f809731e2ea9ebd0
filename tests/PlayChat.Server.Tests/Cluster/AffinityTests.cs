using PlayChat.Chat.Cluster;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>Players that are sent to the node that serves their room.</summary>
public sealed class AffinityTests
{
    private const string On = "--Cluster:Affinity=true";

    [Fact]
    public async Task A_player_that_joins_its_first_room_is_sent_to_the_node_with_most_of_its_members()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3, On);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[1].LoginAsync("Cho");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await bob.JoinAsync(room); // it does not follow, so it is served where it is
        await cho.JoinAsync(room);
        await using TestClient dan = await LogInAsync(cluster[2], "Dan");

        SErrorNtf redirect = await dan.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });

        Assert.Equal((ErrorCode.Redirect, "node2:7777"), (redirect.Code, redirect.Endpoint));
        Assert.Equal(1, cluster[2].Get<OtherNodes>().Redirects);
    }

    [Fact]
    public async Task A_join_is_redirected_once_even_if_the_other_node_has_failed()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3, On);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await using TestClient bob = await cluster[1].ConnectAsync();
        SLoginRes login = await bob.AskAsync<CLoginReq, SLoginRes>(ChatPackets.CLoginReq, LoginOf("Bob"));
        await using TestClient cho = await LogInAsync(cluster[1], "Cho");

        foreach (TestClient player in new[] { bob, cho })
        {
            Assert.Equal("node1:7777", (await player.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room })).Endpoint);
        }

        await using TestClient elsewhere = await cluster[2].ConnectAsync(); // Bob does not reach node 1, and resumes on the next one
        SResumeRes resumed = await elsewhere.AskAsync<CResumeReq, SResumeRes>(
            ChatPackets.CResumeReq, new CResumeReq { Token = login.ResumeToken, FollowsRedirects = true });
        await elsewhere.JoinAsync(room);
        await cho.JoinAsync(room); // a client that stays is not sent away without end
        Assert.Equal((login.PlayerId, 0L), (resumed.PlayerId, cluster[2].Get<OtherNodes>().Redirects));
    }

    [Fact]
    public async Task Only_the_first_join_after_a_resume_is_served_where_it_is()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, On);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long first = (await ann.CreateAsync("first")).RoomId;
        long second = (await ann.CreateAsync("second")).RoomId;
        await using TestClient bob = await cluster[1].ConnectAsync();
        SLoginRes login = await bob.AskAsync<CLoginReq, SLoginRes>(ChatPackets.CLoginReq, LoginOf("Bob"));
        await using TestClient back = await cluster[1].ConnectAsync();
        await back.AskAsync<CResumeReq, SResumeRes>(
            ChatPackets.CResumeReq, new CResumeReq { Token = login.ResumeToken, FollowsRedirects = true });

        await back.JoinAsync(first);
        await back.LeaveAsync(first);
        SErrorNtf redirect = await back.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = second });

        Assert.Equal((ErrorCode.Redirect, "node1:7777"), (redirect.Code, redirect.Endpoint));
    }

    [Fact]
    public async Task A_player_stays_where_it_has_a_room_or_where_the_room_is_served()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, On);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await using TestClient bob = await LogInAsync(cluster[1], "Bob");
        await using TestClient cho = await LogInAsync(cluster[1], "Cho");
        await bob.CreateAsync("own");

        await bob.JoinAsync(room); // it would leave its own room behind
        await cho.JoinAsync(room); // Bob is here

        Assert.Equal(0, cluster[1].Get<OtherNodes>().Redirects);
    }

    [Fact]
    public async Task By_default_a_player_joins_where_it_is()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long room = (await ann.CreateAsync("lobby")).RoomId;
        await using TestClient bob = await LogInAsync(cluster[1], "Bob");

        Assert.Equal(2, (await bob.JoinAsync(room)).Members.Count);
    }

    private static async Task<TestClient> LogInAsync(TestServer node, string name)
    {
        TestClient client = await node.ConnectAsync();
        await client.AskAsync<CLoginReq, SLoginRes>(ChatPackets.CLoginReq, LoginOf(name));
        return client;
    }

    private static CLoginReq LoginOf(string name) => new() { Name = name, ClientVersion = "test/1", FollowsRedirects = true };
}
