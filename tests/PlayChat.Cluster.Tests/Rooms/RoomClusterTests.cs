using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Cluster.Tests.Local;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>What needs no engine of its own: the start, options, and what does not depend on the log.</summary>
public sealed class RoomClusterTests() : HallContract(LocalSpace.CreateAsync)
{
    [Fact]
    public async Task A_shared_room_needs_a_cluster()
    {
        await using PlayChatServer server = Server().AddRoom<Hall>(new RoomSettings { Name = "hall", IsClustered = true });

        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => server.StartAsync());

        Assert.Contains("UseRoomCluster", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_is_one_node_of_a_cluster()
    {
        await using PlayChatServer server = Server();
        var options = new RoomClusterOptions
        {
            NodeId = 1,
            Endpoint = "node1:7000",
            Directory = new LocalDirectory(),
            CreateBackplane = static origin => new LocalBackplane(new LocalLog(shardCount: 1), origin),
        };
        server.UseRoomCluster(options);

        Assert.Throws<InvalidOperationException>(() => server.UseRoomCluster(options));
    }

    [Fact]
    public async Task A_shared_room_needs_a_join_that_is_a_packet_and_a_name_of_its_own()
    {
        HallNode node = await StartAsync();
        RoomRegistry rooms = node.Server.Rooms;

        var unknown = Assert.Throws<InvalidOperationException>(
            () => rooms.Create(new RoomSettings { Name = "dates", IsClustered = true }, static context => new DateRoom(context)));
        var twice = Assert.Throws<InvalidOperationException>(
            () => rooms.Create(new RoomSettings { Name = HallName, IsClustered = true }, static context => new Hall(context)));

        Assert.Contains("DateTime", unknown.Message, StringComparison.Ordinal);
        Assert.Contains("already", twice.Message, StringComparison.Ordinal);
        Assert.Equal(1, rooms.Count);
    }

    [Fact]
    public async Task A_log_that_takes_only_smaller_records_is_refused_at_the_start()
    {
        var log = new LocalLog(shardCount: 1);
        await using var directory = new LocalDirectory();
        await using PlayChatServer server = Server().UseRoomCluster(new RoomClusterOptions
        {
            NodeId = 1,
            Endpoint = "here",
            Directory = directory,
            CreateBackplane = origin => new LocalBackplane(log, origin, new BackplaneOptions { MaxBodyBytes = 2000 }),
        });

        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => server.StartAsync());

        Assert.Contains("MaxBodyBytes", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("NodeId", 0, 1)]
    [InlineData("MaxSnapshotBytes", 1, 0)]
    [InlineData("MaxSnapshotBytes", 1, (2 << 20) + 1)]
    public async Task An_option_outside_of_its_range_is_refused(string name, int nodeId, int maxSnapshotBytes)
    {
        await using var directory = new LocalDirectory();
        var options = new RoomClusterOptions
        {
            NodeId = nodeId,
            Endpoint = "here",
            Directory = directory,
            CreateBackplane = static _ => throw new NotSupportedException(),
            MaxSnapshotBytes = maxSnapshotBytes,
        };

        Assert.Equal(name, Assert.Throws<ArgumentOutOfRangeException>(() => Server().UseRoomCluster(options)).ParamName);
    }

    [Fact]
    public async Task The_largest_state_is_handed_over_whole_while_the_log_refuses_records_for_the_moment()
    {
        (HallNode first, HallNode second, _, HallClient bob) = await StartTwoAsync(Rarely);
        await bob.AskAsync("grow");

        first.Switch.IsRefused = true;
        Task stopping = first.StopAsync();
        await Eventually.TrueAsync(() => first.Switch.Refusals > 2);
        first.Switch.IsRefused = false;
        await stopping;

        await bob.WaitForAsync("back #0 recovered False");
        string whole = $" and {MaxSnapshotBytes} bytes of state.";
        Assert.Contains(second.Log.Entries, entry => entry.Text.EndsWith(whole, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_room_that_a_node_gets_by_its_name_is_its_replica()
    {
        (HallNode first, HallNode second, _, _) = await StartTwoAsync();
        Session session = first.Server.Sessions.FindUser("ann")!;
        await first.Hall.LeaveAsync(session);

        JoinResult<Guest> joined = await first.Hall.JoinAsync(session, new Enter("ann"));

        Assert.True(joined.IsJoined);
        Assert.Null(joined.Member);
        foreach (HallNode node in new[] { first, second })
        {
            Hall hall = node.Hall;
            Assert.Same(hall, await hall.RequestAsync(static hall => hall)); // a job runs on this node
            Assert.Equal((1, 1), (hall.MemberCount, hall.Info.MemberCount));
            Assert.Equal((HallName, 100), (hall.Info.Name, hall.Info.Capacity));
        }
    }

    [Fact]
    public async Task A_job_on_a_replica_that_needs_the_members_is_refused_with_what_to_do_instead()
    {
        (HallNode first, HallNode second, _, _) = await StartTwoAsync();
        foreach ((HallNode node, string name) in new[] { (first, "ann"), (second, "bob") })
        {
            Session session = node.Server.Sessions.FindUser(name)!;
            Func<Hall, object?>[] jobs = [static hall => hall.CountMembers(), hall => hall.Of(session), hall => hall.LetIn(session)];

            foreach (Func<Hall, object?> job in jobs)
            {
                var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => node.Hall.RequestAsync(job).AsTask());
                Assert.Contains("MapRoomPacket", refused.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public async Task An_idle_room_takes_no_turns()
    {
        (_, HallNode second, _, HallClient bob) = await StartTwoAsync();
        bob.Say("one");
        await PublishedAsync(1, bob); // and then no further state
        await second.Server.Rooms.DrainAsync();
        int renewals = second.Switch.Renewals;
        long jobs = second.Hall.Activity.JobsExecuted;
        await Eventually.TrueAsync(() => second.Switch.Renewals > renewals + 2); // the node has looked at its rooms several times

        Assert.Equal(jobs, second.Hall.Activity.JobsExecuted);
    }

    private static PlayChatServer Server() => new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
        .UseTransport(new InMemoryTransport())
        .UsePackets(HallPackets.All)
        .OnPackets(static _ => { });

    private sealed class DateRoom(RoomContext context) : Room<Guest, DateTime>(context)
    {
        protected override JoinDecision<Guest> OnJoining(Session session, DateTime argument) => Refuse("Never.");
    }
}
