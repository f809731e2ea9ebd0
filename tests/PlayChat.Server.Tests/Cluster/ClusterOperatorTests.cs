using PlayChat.Chat.Cluster;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Cluster.Directory;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>What the operator of one node does with the players of all nodes.</summary>
public sealed class ClusterOperatorTests
{
    [Fact]
    public async Task A_notice_reaches_the_players_of_all_nodes_once_and_in_order()
    {
        await using TestCluster cluster = await StartAsync(3);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[2].LoginAsync("Cho");
        await using TestClient anonymous = await cluster[0].ConnectAsync();
        string[] notices = [.. Enumerable.Range(0, 10).Select(static i => $"notice {i}")];

        foreach (string notice in notices)
        {
            ActionResult done = await cluster[0].Get<SessionActions>().NotifyAllAsync(notice, CancellationToken.None);
            Assert.Equal(("1 sessions were told. The other nodes of the cluster tell theirs.", 1L), (done.Message, done.Affected));
        }

        foreach (TestClient client in new[] { ann, bob, cho })
        {
            foreach (string notice in notices)
            {
                Assert.Equal(notice, (await client.NextAsync<SNoticeNtf>()).Message);
            }
        }
    }

    [Fact]
    public async Task A_notice_to_a_room_reaches_its_members_on_all_nodes_and_nobody_else()
    {
        await using TestCluster cluster = await StartAsync();
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[1].LoginAsync("Cho");
        long shared = (await ann.CreateAsync("shared")).RoomId;
        await bob.JoinAsync(shared);
        long elsewhere = (await cho.CreateAsync("elsewhere")).RoomId;
        SessionActions actions = cluster[0].Get<SessionActions>();

        await actions.NotifyRoomAsync(shared, "to the shared room", CancellationToken.None);
        await actions.NotifyRoomAsync(elsewhere, "to the other room", CancellationToken.None);

        foreach (TestClient member in new[] { ann, bob })
        {
            SNoticeNtf notice = await member.NextAsync<SNoticeNtf>();
            Assert.Equal((shared, "to the shared room"), (notice.RoomId, notice.Message));
        }

        Assert.Equal("to the other room", (await cho.NextAsync<SNoticeNtf>()).Message); // its first one
        AdminException unknown = await Assert.ThrowsAsync<AdminException>(
            () => actions.NotifyRoomAsync(999, "nowhere", CancellationToken.None));
        Assert.Equal(404, unknown.Status);
    }

    [Fact]
    public async Task A_player_is_told_and_closed_by_its_name_on_whichever_node_it_is()
    {
        await using TestCluster cluster = await StartAsync();
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        SessionActions actions = cluster[0].Get<SessionActions>();

        foreach ((string name, TestClient client) in new[] { ("ann", ann), ("bob", bob) })
        {
            await actions.NotifyPlayerAsync(name, "Please be kind.", CancellationToken.None);
            Assert.Equal("Please be kind.", (await client.NextAsync<SNoticeNtf>()).Message);
            await actions.ClosePlayerAsync(name, "Good bye.", CancellationToken.None);
            SCloseNtf farewell = await client.NextAsync<SCloseNtf>();
            Assert.Equal((CloseCode.LocalClose, "Good bye."), (farewell.Reason, farewell.Message));
            await client.Closed;
        }

        await Eventually.GetAsync(
            () => cluster.DirectoryOf(1).FindSessionsAsync(bob.PlayerId), static places => places.Count == 0);
        Assert.Equal(404, (await FailAsync(() => actions.ClosePlayerAsync("Bob", null, CancellationToken.None))).Status); // not logged in
        Assert.Equal(404, (await FailAsync(() => actions.ClosePlayerAsync("Cho", null, CancellationToken.None))).Status); // no such player
    }

    [Fact]
    public async Task Without_the_directory_players_are_told_and_without_the_log_the_operator_is_told_why_they_are_not()
    {
        await using TestCluster cluster = await StartAsync(2, "--Cluster:AnswerTimeout=00:00:00.300");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        SessionActions actions = cluster[0].Get<SessionActions>();

        cluster.DirectoryOf(0).IsAway = cluster.DirectoryOf(1).IsAway = true;
        await actions.NotifyAllAsync("Break at noon.", CancellationToken.None);
        cluster.DirectoryOf(0).IsAway = cluster.DirectoryOf(1).IsAway = false;
        cluster.Log.IsAvailable = false;
        foreach (Func<Task> action in new Func<Task>[]
        {
            () => actions.NotifyAllAsync("Back at one.", CancellationToken.None),
            () => actions.NotifyPlayerAsync("Bob", "Be kind.", CancellationToken.None),
        })
        {
            AdminException failed = await FailAsync(action);
            Assert.Equal(503, failed.Status);
            Assert.Contains("it is done when the log is back", failed.Message, StringComparison.Ordinal);
        }

        cluster.Log.IsAvailable = true;

        Assert.Equal("Break at noon.", (await ann.NextAsync<SNoticeNtf>()).Message);
        Assert.Equal("Back at one.", (await ann.NextAsync<SNoticeNtf>()).Message);
        List<string> heard = [];
        while (heard.Count < 3)
        {
            heard.Add((await bob.NextAsync<SNoticeNtf>()).Message);
        }

        Assert.Equal("Back at one. Be kind. Break at noon.", string.Join(' ', heard.Order(StringComparer.Ordinal)));
    }

    [Fact]
    public async Task An_operator_of_a_node_without_a_place_in_the_cluster_is_told_so()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(
            1, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await cluster.FenceAsync();
        await ann.Closed;
        await Eventually.TrueAsync(() => cluster[0].Server.Sessions.Count == 0);

        AdminException failed = await FailAsync(
            () => cluster[0].Get<SessionActions>().NotifyAllAsync("Break at noon.", CancellationToken.None));

        Assert.Equal(503, failed.Status);
        SessionActions actions = cluster[0].Get<SessionActions>();
        Assert.Equal(503, (await FailAsync(() => actions.NotifyRoomAsync(999, "Break at noon.", CancellationToken.None))).Status);
        Assert.Equal(503, (await FailAsync(() => actions.NotifyPlayerAsync("Ann", "Break at noon.", CancellationToken.None))).Status);
        Assert.Equal(503, (await FailAsync(() => actions.ClosePlayerAsync("Ann", null, CancellationToken.None))).Status);
        cluster.Heal();
    }

    [Fact]
    public async Task Rooms_of_all_nodes_are_listed_with_all_their_members()
    {
        await using TestCluster cluster = await StartAsync();
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        var request = new CCreateRoomReq { Name = "quiz", Type = "quiz", Properties = { ["level"] = "easy" } };
        long quiz = (await ann.CreateAsync(request)).RoomId;
        long lobby = (await bob.CreateAsync("lobby")).RoomId;
        long shared = (await bob.CreateAsync("shared")).RoomId;
        await ann.JoinAsync(shared);
        (long, string, uint)[] all = [(quiz, "quiz", 1), (lobby, "lobby", 1), (shared, "shared", 2)];
        Array.Sort(all);

        foreach (TestClient client in new[] { ann, bob })
        {
            SListRoomsRes first = await ListAsync(client, new CListRoomsReq { Limit = 2 });
            SListRoomsRes second = await ListAsync(client, new CListRoomsReq { Limit = 2, AfterRoomId = first.LastRoomId });
            Assert.Equal((true, false), (first.More, second.More));
            Assert.Equal(all, first.Rooms.Concat(second.Rooms).Select(static room => (room.RoomId, room.Name, room.Members)));
            RoomInfo found = Assert.Single(
                (await ListAsync(client, new CListRoomsReq { Type = "quiz", Properties = { ["level"] = "easy" } })).Rooms);
            Assert.Equal((quiz, "easy"), (found.RoomId, found.Properties["level"]));
            Assert.Empty((await ListAsync(client, new CListRoomsReq { Properties = { ["level"] = "hard" } })).Rooms);
        }

        await ann.LeaveAsync(quiz);
        await Eventually.GetAsync(() => ListAsync(bob, new CListRoomsReq()), page => page.Rooms.All(room => room.RoomId != quiz));
    }

    [Fact]
    public async Task A_list_of_a_kind_looks_at_a_thousand_rooms_and_says_where_to_go_on()
    {
        await using TestCluster cluster = await StartAsync();
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        for (int id = 1; id <= 1200; id++)
        {
            await cluster.DirectoryOf(1).JoinAsync(id, new ClusterMember(UserId: 9, SessionId: 9, "Nine"), maxMembers: 10);
        }

        long quiz = (await ann.CreateAsync(new CCreateRoomReq { Name = "quiz", Type = "quiz" })).RoomId;
        SListRoomsRes first = await ListAsync(ann, new CListRoomsReq { Type = "quiz" });
        SListRoomsRes second = await ListAsync(ann, new CListRoomsReq { Type = "quiz", AfterRoomId = first.LastRoomId });

        Assert.Equal((0, true, 1000L), (first.Rooms.Count, first.More, first.LastRoomId));
        Assert.Equal((quiz, false, 0L), (Assert.Single(second.Rooms).RoomId, second.More, second.LastRoomId));
    }

    [Fact]
    public async Task A_list_that_the_directory_cannot_give_is_refused()
    {
        await using TestCluster cluster = await StartAsync();
        await using TestClient ann = await cluster[0].LoginAsync("Ann");

        cluster.DirectoryOf(0).IsAway = true;
        SErrorNtf refused = await ann.FailAsync(ChatPackets.CListRoomsReq, new CListRoomsReq());
        cluster.DirectoryOf(0).IsAway = false;

        Assert.Equal(ErrorCode.StorageUnavailable, refused.Code);
    }

    private static Task<TestCluster> StartAsync(int nodes = 2, params string[] args) =>
        TestCluster.StartAsync(nodes, ["--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", .. args]);

    private static Task<SListRoomsRes> ListAsync(TestClient client, CListRoomsReq query) =>
        client.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, query);

    private static Task<AdminException> FailAsync(Func<Task> action) => Assert.ThrowsAsync<AdminException>(action);
}
