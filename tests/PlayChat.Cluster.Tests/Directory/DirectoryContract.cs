using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>What every directory does.</summary>
public abstract class DirectoryContract : IAsyncLifetime
{
    protected const string Version = "1.2.3+4f";

    private const long Room = 7;
    private const int Capacity = 10;

    private readonly List<IClusterDirectory> _directories = [];

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    public virtual ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public virtual async ValueTask DisposeAsync()
    {
        foreach (IClusterDirectory directory in _directories)
        {
            await directory.DisposeAsync();
        }

        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Each_registration_has_a_higher_incarnation_than_all_before()
    {
        DirectoryNode first = await StartAsync(1);
        DirectoryNode second = await StartAsync(2);
        DirectoryNode again = await RestartAsync(first, second);

        Assert.True(first.Origin.Incarnation < second.Origin.Incarnation);
        Assert.True(second.Origin.Incarnation < again.Origin.Incarnation);
        Assert.Equal([again.Origin, second.Origin], (await second.Directory.GetNodesAsync(Stop)).Select(static node => node.Origin));
    }

    [Fact]
    public async Task A_node_keeps_its_id_while_it_renews_its_lease_whatever_endpoint_another_one_names()
    {
        DirectoryNode holder = await StartAsync(1);
        IClusterDirectory other = Open();

        foreach (string endpoint in new[] { "tcp://elsewhere:7000", "tcp://node1:7000" })
        {
            NodeIdInUseException refused = await Assert.ThrowsAsync<NodeIdInUseException>(() => other.RegisterAsync(1, endpoint, Stop));
            Assert.Equal(new NodeInfo(holder.Origin, "tcp://node1:7000", IsDraining: false, Version), refused.Holder);
            Assert.InRange(refused.FreeAfter, TimeSpan.FromTicks(1), holder.Lease.Duration / 2);
            Assert.Contains("tcp://node1:7000", refused.Message, StringComparison.Ordinal);
            await PassHalfLeaseAsync(holder);
        }

        Assert.True(await holder.Directory.RenewAsync(Stop));
        await PassHalfLeaseAsync(); // it was killed
        NodeLease lease = await other.RegisterAsync(1, "tcp://elsewhere:7000", Stop);
        Assert.True(lease.Origin.Incarnation > holder.Origin.Incarnation);
        Assert.False(await holder.Directory.RenewAsync(Stop));
    }

    [Fact]
    public async Task A_node_that_has_lost_its_place_replaces_its_own_earlier_life_at_once()
    {
        DirectoryNode node = await StartAsync(1);

        NodeLease next = await node.Directory.RegisterAsync(1, "tcp://node1:7000", Stop);

        Assert.True(next.Origin.Incarnation > node.Origin.Incarnation);
        Assert.True(await node.Directory.RenewAsync(Stop));
    }

    [Fact]
    public async Task A_node_that_is_lost_learns_it_and_changes_nothing()
    {
        DirectoryNode lost = await StartAsync(1);
        DirectoryNode live = await StartAsync(2);
        await JoinAsync(lost, userId: 1);
        await lost.Directory.BindSessionAsync(1, 1, maxSessions: 1, Stop);
        await PassLeaseAsync(live);
        LostNode swept = Assert.Single(await live.Directory.SweepAsync(Stop));

        Assert.False(await lost.Directory.RenewAsync(Stop));
        Assert.Equal(lost.Origin, (await Assert.ThrowsAsync<NodeFencedException>(() => JoinAsync(lost, userId: 2))).Node);
        await Assert.ThrowsAsync<NodeFencedException>(() => lost.Directory.LeaveAsync(Room, 1, 1, Stop));
        await Assert.ThrowsAsync<NodeFencedException>(() => lost.Directory.BindSessionAsync(1, 1, maxSessions: 1, Stop));
        await Assert.ThrowsAsync<NodeFencedException>(() => lost.Directory.UnbindSessionAsync(1, 1, Stop));
        await Assert.ThrowsAsync<NodeFencedException>(() => lost.Directory.SweepAsync(Stop));
        await Assert.ThrowsAsync<NodeFencedException>(() => lost.Directory.ConfirmLostAsync(live.Origin, Stop));
        await Assert.ThrowsAsync<NodeFencedException>(() => lost.Directory.DrainAsync(Stop));

        Assert.Equal([1L], swept.Members.Select(static member => member.Member.UserId));
        Assert.Empty(await live.Directory.FindSessionsAsync(1, Stop));
        Assert.Equal([live.Origin], (await live.Directory.GetNodesAsync(Stop)).Select(static node => node.Origin));
    }

    [Fact]
    public async Task A_node_whose_lease_has_ended_keeps_its_place_until_another_node_sweeps_it()
    {
        DirectoryNode late = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        await JoinAsync(late, userId: 1);
        await late.Directory.BindSessionAsync(1, 10, maxSessions: 1, Stop);
        await PassLeaseAsync(); // as with a directory that was away: no node could renew
        Assert.Empty(await other.Directory.GetNodesAsync(Stop));

        // The other node does not take its session for a dead one, which is not closed.
        Assert.Equal([new SessionPlace(late.Origin, 10)], await other.Directory.BindSessionAsync(1, 20, maxSessions: 1, Stop));
        await JoinAsync(late, userId: 2);
        Assert.True(await late.Directory.RenewAsync(Stop));
        Assert.True(await other.Directory.RenewAsync(Stop));

        Assert.Empty(await other.Directory.SweepAsync(Stop));
        Assert.Equal([1L, 2L], (await other.Directory.GetMembersAsync(Room, Stop)).Select(static member => member.UserId));
        Assert.Equal([late.Origin, other.Origin], (await other.Directory.GetNodesAsync(Stop)).Select(static node => node.Origin));
    }

    [Fact]
    public async Task A_node_that_starts_just_after_the_directory_was_away_declares_no_other_lost()
    {
        DirectoryNode late = await StartAsync(1);
        DirectoryNode dead = await StartAsync(2);
        await PassLeaseAsync(); // the directory was away
        DirectoryNode newcomer = await StartAsync(3);
        Assert.Empty(await newcomer.Directory.SweepAsync(Stop));

        Assert.True(await late.Directory.RenewAsync(Stop));
        await PassLeaseAsync(late, newcomer);

        Assert.Equal([dead.Origin], (await newcomer.Directory.SweepAsync(Stop)).Select(static lost => lost.Node));
    }

    [Fact]
    public async Task A_node_that_was_late_itself_declares_no_other_lost_until_it_has_held_its_lease_for_one_lease()
    {
        DirectoryNode late = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        await PassLeaseAsync(late, other);
        await PassLeaseAsync(); // the directory was away

        Assert.Empty(await other.Directory.SweepAsync(Stop)); // a sweep that had begun before
        Assert.True(await other.Directory.RenewAsync(Stop));
        Assert.Empty(await other.Directory.SweepAsync(Stop)); // the first one to be back
        Assert.True(await late.Directory.RenewAsync(Stop));

        await PassLeaseAsync(other);
        Assert.Equal([late.Origin], (await other.Directory.SweepAsync(Stop)).Select(static lost => lost.Node));
    }

    [Fact]
    public async Task A_node_that_has_just_registered_is_given_what_was_lost_before()
    {
        DirectoryNode leaving = await StartAsync(1);
        await leaving.Directory.UnregisterAsync(Stop);

        DirectoryNode newcomer = await StartAsync(2);

        Assert.Equal([leaving.Origin], (await newcomer.Directory.SweepAsync(Stop)).Select(static lost => lost.Node));
    }

    [Fact]
    public async Task A_node_whose_own_lease_has_ended_is_given_no_lost_node()
    {
        DirectoryNode leaving = await StartAsync(1);
        DirectoryNode late = await StartAsync(2);
        await leaving.Directory.UnregisterAsync(Stop);
        await PassLeaseAsync();

        Assert.Empty(await late.Directory.SweepAsync(Stop));
        Assert.True(await late.Directory.RenewAsync(Stop));
        Assert.Equal([leaving.Origin], (await late.Directory.SweepAsync(Stop)).Select(static lost => lost.Node));
    }

    [Fact]
    public async Task A_stale_incarnation_of_a_restarted_node_writes_nothing()
    {
        DirectoryNode stale = await StartAsync(1);
        DirectoryNode current = await RestartAsync(stale);

        await Assert.ThrowsAsync<NodeFencedException>(() => JoinAsync(stale, userId: 1));
        Assert.False(await stale.Directory.RenewAsync(Stop));
        await stale.Directory.UnregisterAsync(Stop);

        Assert.Empty(await current.Directory.GetMembersAsync(Room, Stop));
        Assert.Equal([current.Origin], (await current.Directory.GetNodesAsync(Stop)).Select(static node => node.Origin));
        Assert.True(await current.Directory.RenewAsync(Stop));
    }

    [Fact]
    public async Task Writes_before_registration_are_refused()
    {
        IClusterDirectory directory = Open();

        await Assert.ThrowsAsync<InvalidOperationException>(() => directory.RenewAsync(Stop));
        await Assert.ThrowsAsync<InvalidOperationException>(() => directory.JoinAsync(Room, new ClusterMember(1, 1, "ada"), 1, Stop));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => directory.RegisterAsync(0, "tcp://a", Stop));
        await Assert.ThrowsAsync<ArgumentException>(
            () => directory.RegisterAsync(1, new string('a', IClusterDirectory.MaxEndpointLength + 1), Stop));
        Assert.Empty(await directory.GetNodesAsync(Stop));
    }

    [Fact]
    public async Task A_draining_node_is_listed_as_such()
    {
        DirectoryNode node = await StartAsync(1);

        await node.Directory.DrainAsync(Stop);

        Assert.Equal(
            [new NodeInfo(node.Origin, "tcp://node1:7000", IsDraining: true, Version)], await node.Directory.GetNodesAsync(Stop));
    }

    [Fact]
    public async Task Of_a_hundred_joins_at_once_as_many_succeed_as_there_is_room_for()
    {
        DirectoryNode[] nodes = [await StartAsync(1), await StartAsync(2), await StartAsync(3)];

        JoinOutcome[] outcomes = await Task.WhenAll(
            Enumerable.Range(1, 100).Select(user => Task.Run(() => JoinAsync(nodes[user % 3], user))));

        Assert.Equal(Capacity, outcomes.Count(static outcome => outcome == JoinOutcome.Joined));
        Assert.Equal(100 - Capacity, outcomes.Count(static outcome => outcome == JoinOutcome.Full));
        Assert.Equal(Capacity, (await nodes[0].Directory.GetMembersAsync(Room, Stop)).Count);
    }

    [Fact]
    public async Task A_member_with_sessions_on_two_nodes_counts_once_even_in_a_full_room()
    {
        DirectoryNode first = await StartAsync(1);
        DirectoryNode second = await StartAsync(2);
        for (int user = 1; user <= Capacity; user++)
        {
            await JoinAsync(first, user);
        }

        Assert.Equal(JoinOutcome.Joined, await JoinAsync(first, 1)); // the same session again, as after a lost answer
        Assert.Equal(JoinOutcome.Full, await JoinAsync(second, Capacity + 1));
        Assert.Equal(JoinOutcome.Joined, await JoinAsync(second, 1, sessionId: 99));
        Assert.Equal([new RoomPopulation(Room, Capacity)], await first.Directory.GetRoomsAsync(afterRoomId: 0, limit: 10, Stop));
        Assert.Equal(
            [new ClusterMember(1, 1, "user1") { Node = first.Origin }, new ClusterMember(1, 99, "user1") { Node = second.Origin }],
            (await first.Directory.GetMembersAsync(Room, Stop)).Take(2).OrderBy(static member => member.SessionId));

        await first.Directory.LeaveAsync(Room, 1, 1, Stop);
        await first.Directory.LeaveAsync(Room, 1, 99, Stop); // of the other node

        Assert.Equal(JoinOutcome.Full, await JoinAsync(second, Capacity + 1)); // the member is still there
        Assert.Equal(
            new ClusterMember(1, 99, "user1") { Node = second.Origin }, (await first.Directory.GetMembersAsync(Room, Stop))[0]);
    }

    [Fact]
    public async Task A_leave_frees_a_place_and_may_be_repeated()
    {
        DirectoryNode node = await StartAsync(1);
        await node.Directory.JoinAsync(Room, new ClusterMember(1, 1, "ada"), 1, Stop);

        await node.Directory.LeaveAsync(Room, 1, 1, Stop);
        await node.Directory.LeaveAsync(Room, 1, 1, Stop);
        Assert.Equal(JoinOutcome.Joined, await node.Directory.JoinAsync(Room, new ClusterMember(2, 2, "bob"), 1, Stop));
    }

    [Fact]
    public async Task A_login_elsewhere_gets_the_place_of_the_older_session()
    {
        DirectoryNode first = await StartAsync(1);
        DirectoryNode second = await StartAsync(2);

        Assert.Empty(await first.Directory.BindSessionAsync(1, 10, maxSessions: 1, Stop));
        var older = new SessionPlace(first.Origin, 10);
        Assert.Equal([older], await second.Directory.FindSessionsAsync(1, Stop));
        Assert.Equal([older], await second.Directory.BindSessionAsync(1, 20, maxSessions: 1, Stop));
        Assert.Equal([older], await second.Directory.BindSessionAsync(1, 20, maxSessions: 1, Stop)); // as after a lost answer
        await second.Directory.UnbindSessionAsync(1, 10, Stop); // of the other node
        await first.Directory.UnbindSessionAsync(1, 10, Stop);
        Assert.Equal([new SessionPlace(second.Origin, 20)], await first.Directory.FindSessionsAsync(1, Stop));
        await second.Directory.UnbindSessionAsync(1, 20, Stop);
        Assert.Empty(await first.Directory.FindSessionsAsync(1, Stop));
    }

    [Fact]
    public async Task A_login_gets_the_places_of_the_oldest_sessions_that_are_too_many()
    {
        DirectoryNode first = await StartAsync(1);
        DirectoryNode second = await StartAsync(2);
        await first.Directory.BindSessionAsync(1, 30, maxSessions: 3, Stop);
        await second.Directory.BindSessionAsync(1, 20, maxSessions: 3, Stop);
        await first.Directory.BindSessionAsync(1, 10, maxSessions: 3, Stop);
        await first.Directory.BindSessionAsync(1, 30, maxSessions: 3, Stop); // stays the oldest one

        SessionPlace[] known = [new(first.Origin, 30), new(second.Origin, 20), new(first.Origin, 10), new(second.Origin, 40)];
        Assert.Equal([known[0]], await second.Directory.BindSessionAsync(1, 40, maxSessions: 3, Stop));
        Assert.Equal(known[..2], await second.Directory.BindSessionAsync(1, 40, maxSessions: 2, Stop));
        Assert.Equal(known, await first.Directory.FindSessionsAsync(1, Stop));
    }

    [Fact]
    public async Task Of_logins_at_once_each_gets_the_places_of_those_before()
    {
        DirectoryNode[] nodes = [await StartAsync(1), await StartAsync(2), await StartAsync(3)];

        IReadOnlyList<SessionPlace>[] older = await Task.WhenAll(Enumerable.Range(0, 30).Select(
            session => Task.Run(() => nodes[session % 3].Directory.BindSessionAsync(1, session, maxSessions: 1, Stop))));

        Assert.Equal(Enumerable.Range(0, 30), older.Select(static places => places.Count).Order());
        Assert.Equal(30, (await nodes[0].Directory.FindSessionsAsync(1, Stop)).Distinct().Count());
    }

    [Fact]
    public async Task A_lost_node_goes_to_one_of_two_sweepers_with_its_members()
    {
        DirectoryNode lost = await StartAsync(1);
        DirectoryNode[] sweepers = [await StartAsync(2), await StartAsync(3)];
        await JoinAsync(lost, userId: 1);
        await JoinAsync(lost, userId: 2);
        await JoinAsync(sweepers[0], userId: 3);
        await lost.Directory.BindSessionAsync(1, 1, maxSessions: 1, Stop);
        await PassLeaseAsync(sweepers);

        IReadOnlyList<LostNode>[] found = await Task.WhenAll(
            Enumerable.Range(0, 8).Select(i => Task.Run(() => sweepers[i % 2].Directory.SweepAsync(Stop))));

        LostNode node = Assert.Single(found.SelectMany(static list => list));
        Assert.Equal(lost.Origin, node.Node);
        Assert.Equal([(Room, 1L), (Room, 2L)], node.Members.Select(static member => (member.RoomId, member.Member.UserId)));
        Assert.All(node.Members, member => Assert.Equal(lost.Origin, member.Member.Node));
        Assert.Equal([3L], (await sweepers[1].Directory.GetMembersAsync(Room, Stop)).Select(static member => member.UserId));
        Assert.Empty(await sweepers[1].Directory.FindSessionsAsync(1, Stop));
    }

    [Fact]
    public async Task A_lost_node_is_given_out_again_until_it_is_confirmed()
    {
        DirectoryNode lost = await StartAsync(1);
        DirectoryNode crashing = await StartAsync(2);
        DirectoryNode live = await StartAsync(3);
        await JoinAsync(lost, userId: 1);
        await PassLeaseAsync(crashing, live);
        Assert.Single(await crashing.Directory.SweepAsync(Stop));
        Assert.Empty(await live.Directory.SweepAsync(Stop));

        await PassLeaseAsync(live); // the sweeper has crashed before it confirmed
        IReadOnlyList<LostNode> again = await live.Directory.SweepAsync(Stop);
        foreach (LostNode node in again)
        {
            await live.Directory.ConfirmLostAsync(node.Node, Stop);
            await live.Directory.ConfirmLostAsync(node.Node, Stop); // repeating it does nothing
        }

        await PassLeaseAsync(live);
        Assert.Equal([lost.Origin, crashing.Origin], again.Select(static node => node.Node));
        Assert.Equal([1L], again[0].Members.Select(static member => member.Member.UserId));
        Assert.Empty(await live.Directory.SweepAsync(Stop));
        Assert.Equal(JoinOutcome.Joined, await JoinAsync(live, 1));
    }

    [Fact]
    public async Task The_lives_of_a_node_are_known_until_their_loss_is_confirmed()
    {
        DirectoryNode late = await StartAsync(1);
        DirectoryNode former = await StartAsync(2);
        DirectoryNode live = await StartAsync(3);
        NodeLease next = await former.Directory.RegisterAsync(2, "tcp://node2:7000", Stop);
        RecordOrigin[] all = [late.Origin, former.Origin, live.Origin, next.Origin];
        await PassLeaseAsync(live);
        IReadOnlyList<RecordOrigin> expired = await live.Directory.GetLivesAsync(Stop);

        IReadOnlyList<LostNode> lost = await live.Directory.SweepAsync(Stop);
        IReadOnlyList<RecordOrigin> swept = await live.Directory.GetLivesAsync(Stop);
        foreach (LostNode node in lost)
        {
            await live.Directory.ConfirmLostAsync(node.Node, Stop);
        }

        Assert.Equal(all, expired);
        Assert.Equal(all, swept);
        Assert.Equal([live.Origin], await live.Directory.GetLivesAsync(Stop));
    }

    [Fact]
    public async Task A_user_that_is_back_before_the_announcement_keeps_its_membership()
    {
        DirectoryNode lost = await StartAsync(1);
        DirectoryNode live = await StartAsync(2);
        await JoinAsync(lost, userId: 1);
        await JoinAsync(lost, userId: 2);
        await PassLeaseAsync(live);
        Assert.Equal(JoinOutcome.Joined, await JoinAsync(live, 1)); // before the sweep: it is a member still

        LostNode node = Assert.Single(await live.Directory.SweepAsync(Stop));
        Assert.Equal(JoinOutcome.Joined, await JoinAsync(live, 2)); // after it: its end may have been announced
        await live.Directory.ConfirmLostAsync(node.Node, Stop);

        Assert.Equal([1L, 2L], node.Members.Select(static member => member.Member.UserId));
        Assert.Equal([1L, 2L], (await live.Directory.GetMembersAsync(Room, Stop)).Select(static member => member.UserId));
    }

    [Fact]
    public async Task Confirming_a_live_node_removes_nothing()
    {
        DirectoryNode first = await StartAsync(1);
        DirectoryNode second = await StartAsync(2);
        await JoinAsync(first, userId: 1);

        await second.Directory.ConfirmLostAsync(first.Origin, Stop);

        Assert.Single(await second.Directory.GetMembersAsync(Room, Stop));
    }

    [Fact]
    public async Task An_unregistered_node_is_lost_at_once()
    {
        DirectoryNode leaving = await StartAsync(1);
        DirectoryNode live = await StartAsync(2);
        await JoinAsync(leaving, userId: 1);

        await leaving.Directory.UnregisterAsync(Stop);

        LostNode lost = Assert.Single(await live.Directory.SweepAsync(Stop));
        Assert.Equal(leaving.Origin, lost.Node);
        Assert.Single(lost.Members);
        Assert.False(await leaving.Directory.RenewAsync(Stop));
    }

    [Fact]
    public async Task Members_of_a_node_that_restarts_count_until_the_lease_of_its_earlier_life_would_have_ended()
    {
        DirectoryNode earlier = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        await JoinAsync(earlier, userId: 1);
        await JoinAsync(earlier, userId: 2);

        DirectoryNode current = await RestartAsync(earlier, other);

        Assert.Empty(await current.Directory.SweepAsync(Stop));
        Assert.Equal([1L, 2L], (await current.Directory.GetMembersAsync(Room, Stop)).Select(static member => member.UserId));
        Assert.Equal([new RoomPopulation(Room, 2)], await other.Directory.GetRoomsAsync(afterRoomId: 0, limit: 10, Stop));
        Assert.Equal(JoinOutcome.Joined, await JoinAsync(other, 1, sessionId: 9)); // the player has resumed there
        Assert.Empty(await other.Directory.BindSessionAsync(2, 8, maxSessions: 1, Stop)); // its connections ended with the process
        await PassLeaseAsync(current, other);
        LostNode lost = Assert.Single(await other.Directory.SweepAsync(Stop));
        Assert.Equal(earlier.Origin, lost.Node);
        Assert.Equal([1L, 2L], lost.Members.Select(static member => member.Member.UserId));
        Assert.Equal([1L], (await current.Directory.GetMembersAsync(Room, Stop)).Select(static member => member.UserId));
    }

    [Fact]
    public async Task Rooms_with_members_are_listed_by_their_ids_a_page_at_a_time()
    {
        DirectoryNode first = await StartAsync(1);
        DirectoryNode second = await StartAsync(2);
        foreach ((DirectoryNode node, long room, long user) in new[]
        {
            (first, 30L, 1L), (second, 30L, 2L), (first, 10L, 1L), (second, 20L, 2L), (first, 40L, 1L),
        })
        {
            await node.Directory.JoinAsync(room, new ClusterMember(user, user, $"user{user}"), Capacity, Stop);
        }

        await first.Directory.LeaveAsync(10, userId: 1, sessionId: 1, Stop);

        RoomPopulation[] firstPage = [new(20, 1), new(30, 2)];
        Assert.Equal(firstPage, await first.Directory.GetRoomsAsync(afterRoomId: 0, limit: 2, Stop));
        RoomPopulation[] secondPage = [new(40, 1)];
        Assert.Equal(secondPage, await first.Directory.GetRoomsAsync(afterRoomId: 30, limit: 2, Stop));

        await first.Directory.UnregisterAsync(Stop);

        RoomPopulation[] left = [new(20, 1), new(30, 1)];
        Assert.Equal(left, await second.Directory.GetRoomsAsync(afterRoomId: 0, limit: 10, Stop));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => second.Directory.GetRoomsAsync(afterRoomId: 0, limit: 0, Stop));
    }

    [Fact]
    public async Task Of_nodes_that_ask_at_once_one_owns_a_room_until_it_releases_it()
    {
        DirectoryNode[] nodes = [await StartAsync(1), await StartAsync(2), await StartAsync(3)];

        RecordOrigin?[] owners = await Task.WhenAll(
            Enumerable.Range(0, 30).Select(i => Task.Run(() => AcquireAsync(nodes[i % 3], hasState: i % 2 == 0))));

        RecordOrigin? owner = Assert.Single(owners.Distinct());
        DirectoryNode holder = Assert.Single(nodes, node => node.Origin == owner);
        DirectoryNode other = nodes.First(node => node.Origin != owner);
        Assert.False(await other.Directory.ReleaseRoomAsync(Room, isOver: true, Stop));
        Assert.False(await other.Directory.ReleaseRoomAsync(Room, isOver: false, Stop));
        Assert.Equal(owner, await AcquireAsync(other, hasState: true));
        Assert.True(await holder.Directory.ReleaseRoomAsync(Room, isOver: true, Stop));
        Assert.False(await holder.Directory.ReleaseRoomAsync(Room, isOver: true, Stop));
        Assert.Equal(other.Origin, await AcquireAsync(other, hasState: false));
        Assert.Equal(holder.Origin, await holder.Directory.AcquireRoomAsync(Room + 1, hasState: false, Stop)); // each room for itself
    }

    [Fact]
    public async Task A_room_keeps_its_owner_until_the_owner_is_lost_and_then_waits_for_a_node_with_its_state()
    {
        DirectoryNode owner = await StartAsync(1);
        DirectoryNode heir = await StartAsync(2);
        DirectoryNode stranger = await StartAsync(3);
        await AcquireAsync(owner, hasState: false);
        await PassLeaseAsync(heir, stranger);

        Assert.Equal(owner.Origin, await AcquireAsync(heir, hasState: true)); // as with a directory that was away
        Assert.Single(await heir.Directory.SweepAsync(Stop));
        Assert.Equal(owner.Origin, await AcquireAsync(heir, hasState: true)); // until all nodes can know that it is lost
        await heir.Directory.ConfirmLostAsync(owner.Origin, Stop);
        RecordOrigin? before = await AcquireAsync(stranger, hasState: false);

        Assert.Null(before);
        Assert.Equal(heir.Origin, await AcquireAsync(heir, hasState: true));
        Assert.Equal(heir.Origin, await AcquireAsync(stranger, hasState: false));
        await Assert.ThrowsAsync<NodeFencedException>(() => AcquireAsync(owner, hasState: true));
        await Assert.ThrowsAsync<NodeFencedException>(() => owner.Directory.ReleaseRoomAsync(Room, isOver: true, Stop));
    }

    [Fact]
    public async Task A_room_that_its_owner_hands_over_waits_for_a_node_with_its_state()
    {
        DirectoryNode owner = await StartAsync(1);
        DirectoryNode heir = await StartAsync(2);
        await AcquireAsync(owner, hasState: false);

        Assert.True(await owner.Directory.ReleaseRoomAsync(Room, isOver: false, Stop));
        Assert.False(await owner.Directory.ReleaseRoomAsync(Room, isOver: true, Stop)); // it owns the room no more
        RecordOrigin? before = await AcquireAsync(owner, hasState: false);

        Assert.Null(before);
        Assert.Equal(heir.Origin, await AcquireAsync(heir, hasState: true));
        Assert.Equal(heir.Origin, await AcquireAsync(owner, hasState: false));
    }

    [Fact]
    public async Task An_orphaned_room_is_as_if_it_never_had_an_owner_when_no_node_with_its_state_has_asked()
    {
        DirectoryNode former = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        await AcquireAsync(former, hasState: false);
        await former.Directory.ReleaseRoomAsync(Room, isOver: false, Stop);

        await PassLeaseAsync(former, other);

        Assert.Equal(other.Origin, await AcquireAsync(other, hasState: false));
        await PassLeaseAsync(former, other);
        await former.Directory.SweepAsync(Stop); // forgets orphaned rooms, and no others
        Assert.Equal(other.Origin, await AcquireAsync(former, hasState: true));
    }

    [Fact]
    public async Task The_wait_of_an_orphaned_room_does_not_begin_again_when_its_former_owner_is_lost()
    {
        DirectoryNode former = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        DirectoryNode third = await StartAsync(3);
        await AcquireAsync(former, hasState: false);
        await former.Directory.ReleaseRoomAsync(Room, isOver: false, Stop);
        await former.Directory.UnregisterAsync(Stop);
        await PassLeaseAsync(other, third);

        LostNode lost = Assert.Single(await other.Directory.SweepAsync(Stop));
        await other.Directory.ConfirmLostAsync(lost.Node, Stop);

        Assert.Equal(third.Origin, await AcquireAsync(third, hasState: false));
    }

    [Fact]
    public async Task A_node_without_other_nodes_waits_for_no_state()
    {
        DirectoryNode earlier = await StartAsync(1);
        await AcquireAsync(earlier, hasState: false);
        DirectoryNode current = await RestartAsync(earlier);

        await PassLeaseAsync(current);
        Assert.Single(await current.Directory.SweepAsync(Stop));
        await current.Directory.ConfirmLostAsync(earlier.Origin, Stop);

        Assert.Equal(current.Origin, await AcquireAsync(current, hasState: false));
    }

    [Fact]
    public async Task A_node_whose_lease_has_ended_acquires_rooms_until_it_is_lost()
    {
        DirectoryNode late = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        await PassLeaseAsync(other);

        Assert.Equal(late.Origin, await AcquireAsync(late, hasState: false));
        Assert.Equal(late.Origin, await AcquireAsync(other, hasState: true));
    }

    [Fact]
    public async Task A_restarted_node_does_not_own_the_rooms_of_its_earlier_run()
    {
        DirectoryNode earlier = await StartAsync(1);
        DirectoryNode other = await StartAsync(2);
        await AcquireAsync(earlier, hasState: false);
        DirectoryNode current = await RestartAsync(earlier, other);

        Assert.Equal(earlier.Origin, await AcquireAsync(current, hasState: false)); // until all nodes can know that it is gone
        await PassLeaseAsync(current, other);
        Assert.Single(await other.Directory.SweepAsync(Stop));
        await other.Directory.ConfirmLostAsync(earlier.Origin, Stop);
        Assert.Null(await AcquireAsync(current, hasState: false));
        Assert.Equal(other.Origin, await AcquireAsync(other, hasState: true));
    }

    /// <summary>Makes the directory of another node of the same cluster, whose program has <see cref="Version"/>.</summary>
    protected abstract IClusterDirectory Create();

    /// <summary>Lets the time of a lease pass. Only the survivors renew meanwhile.</summary>
    protected abstract Task PassLeaseAsync(params DirectoryNode[] survivors);

    /// <summary>Lets half of the time of a lease pass. Only the survivors renew at its end.</summary>
    protected abstract Task PassHalfLeaseAsync(params DirectoryNode[] survivors);

    private IClusterDirectory Open()
    {
        IClusterDirectory directory = Create();
        _directories.Add(directory);
        return directory;
    }

    private async Task<DirectoryNode> StartAsync(int nodeId)
    {
        IClusterDirectory directory = Open();
        return new DirectoryNode(directory, await directory.RegisterAsync(nodeId, $"tcp://node{nodeId}:7000", Stop));
    }

    /// <summary>Starts a node again, as another process, before its lease has ended.</summary>
    private async Task<DirectoryNode> RestartAsync(DirectoryNode killed, params DirectoryNode[] survivors)
    {
        await PassHalfLeaseAsync(survivors);
        return await StartAsync(killed.Origin.NodeId);
    }

    private static Task<RecordOrigin?> AcquireAsync(DirectoryNode node, bool hasState) =>
        node.Directory.AcquireRoomAsync(Room, hasState, Stop);

    private static Task<JoinOutcome> JoinAsync(DirectoryNode node, long userId, long? sessionId = null) =>
        node.Directory.JoinAsync(Room, new ClusterMember(userId, sessionId ?? userId, $"user{userId}"), Capacity, Stop);
}
