using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.State.Tests;

/// <summary>The members of a room follow its state.</summary>
public sealed class RoomTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task Members_get_a_snapshot_and_then_a_patch_for_each_turn_that_changes_something()
    {
        await using RoomHarness<StateRoom<World>> harness = await StartAsync<World>();
        (HarnessClient ann, StateReplica<World> anns) = await JoinAsync(harness);
        await InTurnAsync(harness, static room => room.State.Players.Add(1, new Player { Name = "ann" }));
        (HarnessClient bob, StateReplica<World> bobs) = await JoinAsync(harness);
        await InTurnAsync(harness, static room => room.State.Tick = 9);
        await InTurnAsync(harness, static _ => { });

        Assert.Equal([1, 2, 2], Messages(ann));
        Assert.Equal([1, 2], Messages(bob));
        Assert.All(new[] { anns, bobs }, replica => Assert.Equal(StateJson.Of(harness.Room.State), StateJson.Of(replica.State)));
    }

    [Fact]
    public async Task A_room_that_ticks_sends_one_patch_for_each_tick_and_a_snapshot_at_once()
    {
        await using RoomHarness<StateRoom<World>> harness = await StartAsync<World>();
        await InTurnAsync(harness, static room => room.Tick(20));
        await harness.AdvanceAsync(s_tick);
        (HarnessClient ann, StateReplica<World> anns) = await JoinAsync(harness);
        Assert.Equal([1], Messages(ann));

        await InTurnAsync(harness, static room => room.State.Tick = 1);
        await InTurnAsync(harness, static room => room.State.Tick = 2);
        Assert.Equal([1], Messages(ann));
        await harness.AdvanceAsync(s_tick);
        Assert.Equal([1, 2], Messages(ann));
        Assert.Equal(2u, anns.State.Tick);

        await InTurnAsync(harness, static room =>
        {
            room.State.Tick = 3;
            room.Sync.Flush();
        });
        await harness.AdvanceAsync(s_tick);
        Assert.Equal([1, 2, 2], Messages(ann));
    }

    [Fact]
    public async Task A_join_in_the_middle_of_a_tick_shows_all_members_the_same_state()
    {
        await using RoomHarness<StateRoom<World>> harness = await StartAsync<World>();
        await InTurnAsync(harness, static room => room.Tick(20));
        (_, StateReplica<World> anns) = await JoinAsync(harness);
        await InTurnAsync(harness, static room => room.State.Tick = 7);
        (_, StateReplica<World> bobs) = await JoinAsync(harness);

        Assert.Equal(7u, anns.State.Tick);
        Assert.Equal(7u, bobs.State.Tick);
        Assert.Equal(anns.Revision, bobs.Revision);
    }

    [Fact]
    public async Task A_slow_member_gets_the_newest_state_and_not_every_patch()
    {
        await using RoomHarness<StateRoom<Everything>> harness = await StartAsync<Everything>();
        (HarnessClient fast, StateReplica<Everything> fasts) = await JoinAsync(harness);
        (HarnessClient slow, StateReplica<Everything> slows) =
            await JoinAsync(harness, new LinkConditions { Latency = TimeSpan.FromSeconds(10) });

        const int Patches = 40;
        for (int i = 0; i < Patches; i++)
        {
            await InTurnAsync(harness, room =>
            {
                room.State.Signed = i;
                room.State.Text = new string((char)('a' + (i % 26)), 20_000);
                room.State.Nested[$"{i}"] = new Everything();
                room.State.Nested.Remove($"{i - 3}");
            });
        }

        await harness.AdvanceAsync(TimeSpan.FromMinutes(2));

        Assert.Equal(1 + Patches, fast.Frames.Count);
        Assert.InRange(slow.Frames.Count, 2, Patches / 2);
        Assert.Equal(2, Messages(slow)[^1]); // a patch over several revisions
        Assert.All(new[] { fasts, slows }, replica => Assert.Equal(StateJson.Of(harness.Room.State), StateJson.Of(replica.State)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_member_that_returns_gets_a_patch_if_it_says_what_it_has(bool confirms)
    {
        await using RoomHarness<StateRoom<World>> harness = await StartAsync<World>(
            static server => server.Options.Sessions.ResumeWindow = TimeSpan.FromMinutes(1));
        (HarnessClient ann, StateReplica<World> anns) = await JoinAsync(harness);
        await InTurnAsync(harness, static room =>
        {
            for (uint i = 0; i < 50; i++)
            {
                room.State.Players.Add(i, new Player { Name = $"player {i}" });
            }
        });
        ReadOnlyMemory<byte> token = await harness.Server.Sessions.IssueResumeTokenAsync(ann.Session);
        ann.Break();
        await harness.IdleAsync();
        await InTurnAsync(harness, static room => room.State.Players.Remove(7));
        await InTurnAsync(harness, static room => room.State.Players[8].Hp = 5);

        HarnessClient returned = await harness.ConnectAsync();
        Follow(returned, anns);
        await harness.Server.Sessions.ResumeAsync(returned.Session.Connection, token, moved =>
        {
            if (confirms)
            {
                harness.Room.Sync.Confirm(moved.Session.Connection, anns.Revision);
            }

            return default;
        });
        await harness.IdleAsync();
        await InTurnAsync(harness, static room => room.State.Tick = 3);

        Assert.Equal(confirms ? [2, 2] : [1, 2], Messages(returned));
        Assert.Equal(StateJson.Of(harness.Room.State), StateJson.Of(anns.State));
    }

    [Fact]
    public async Task A_member_for_which_the_room_keeps_frames_gets_them_and_no_snapshot()
    {
        await using RoomHarness<StateRoom<World>> harness = await StartAsync<World>(static server =>
        {
            server.Options.Sessions.ResumeWindow = TimeSpan.FromMinutes(1);
            server.Options.Sessions.ReplayBytes = 64 * 1024;
        });
        (HarnessClient ann, StateReplica<World> anns) = await JoinAsync(harness);
        await InTurnAsync(harness, static room => room.State.Tick = 1);
        ReadOnlyMemory<byte> token = await harness.Server.Sessions.IssueResumeTokenAsync(ann.Session);
        ann.Break();
        await harness.IdleAsync();
        await InTurnAsync(harness, static room => room.State.Tick = 2);

        HarnessClient returned = await harness.ConnectAsync();
        Follow(returned, anns);
        await harness.Server.Sessions.ResumeAsync(
            returned.Session.Connection, token, framesReceived: ann.Connection.FramesReceived);
        await harness.IdleAsync();
        await InTurnAsync(harness, static room => room.State.Tick = 3);

        Assert.Equal([2, 2], Messages(returned));
        Assert.Equal(3u, anns.State.Tick);
    }

    [Fact]
    public async Task Members_with_views_see_their_own_part()
    {
        await using RoomHarness<StateRoom<Table>> harness = await StartAsync<Table>();
        await InTurnAsync(harness, static room => room.Entered = member =>
        {
            var seat = new Seat { Score = 1 };
            seat.Hand.Add($"card of {member.Session.Id}");
            room.State.Seats.Add($"{member.Session.Id}", seat);
            room.Sync.ViewOf(member).Show(seat);
        });
        (HarnessClient ann, StateReplica<Table> anns) = await JoinAsync(harness);
        (HarnessClient bob, StateReplica<Table> bobs) = await JoinAsync(harness);
        await InTurnAsync(harness, room =>
        {
            var piece = new Piece { Label = "near bob" };
            room.State.Pieces.Add(1, piece);
            room.Sync.ViewOf(room.MemberOf(bob.Session)).Show(piece);
        });

        Assert.Equal($"card of {ann.Session.Id}", Assert.Single(anns.State.Seats[$"{ann.Session.Id}"].Hand));
        Assert.Empty(anns.State.Seats[$"{bob.Session.Id}"].Hand);
        Assert.Empty(anns.State.Pieces);
        Assert.Equal($"card of {bob.Session.Id}", Assert.Single(bobs.State.Seats[$"{bob.Session.Id}"].Hand));
        Assert.Equal("near bob", bobs.State.Pieces[1].Label);
    }

    [Fact]
    public async Task A_member_that_has_left_gets_nothing_more()
    {
        await using RoomHarness<StateRoom<World>> harness = await StartAsync<World>();
        (HarnessClient ann, _) = await JoinAsync(harness);
        await harness.Room.LeaveAsync(ann.Session);
        (_, StateReplica<World> bobs) = await JoinAsync(harness);
        await InTurnAsync(harness, static room => room.State.Tick = 4);

        Assert.Equal([1], Messages(ann));
        Assert.Equal(4u, bobs.State.Tick);
    }

    private static async Task<RoomHarness<StateRoom<TState>>> StartAsync<TState>(Action<Core.Hosting.PlayChatServer>? configure = null)
        where TState : SyncObject, new() =>
        await RoomHarness.StartAsync(
            static context => new StateRoom<TState>(context),
            new PacketSet().AddRaw(StateRoom<TState>.PacketId, "State"),
            server =>
            {
                configure?.Invoke(server);
                server.OnPackets(static _ => { });
            });

    private static async Task<(HarnessClient Client, StateReplica<TState> Replica)> JoinAsync<TState>(
        RoomHarness<StateRoom<TState>> harness, LinkConditions? conditions = null)
        where TState : SyncObject, new()
    {
        HarnessClient client = await harness.ConnectAsync(conditions);
        var replica = new StateReplica<TState>(new TState());
        Follow(client, replica);
        JoinResult<RoomMember> result = await harness.Room.JoinAsync(client.Session);
        Assert.True(result.IsJoined);
        await harness.IdleAsync();
        return (client, replica);
    }

    private static void Follow<TState>(HarnessClient client, StateReplica<TState> replica)
        where TState : SyncObject =>
        client.OnReceived = frame =>
        {
            if (frame.Header.PacketId == StateRoom<World>.PacketId
                && replica.Apply(frame.Body.Span) is not StateApplyResult.Applied and var result)
            {
                throw new InvalidOperationException($"{result}");
            }
        };

    private static async Task InTurnAsync<TState>(RoomHarness<StateRoom<TState>> harness, Action<StateRoom<TState>> job)
        where TState : SyncObject, new()
    {
        await harness.Room.PostAsync(static (StateRoom<TState> room, Action<StateRoom<TState>> run) => run(room), job);
        await harness.IdleAsync();
    }

    /// <summary>The kinds of the messages that a client has received: 1 a snapshot, 2 a patch.</summary>
    private static int[] Messages(HarnessClient client) => [.. client.Frames.Select(static frame => (int)frame.Body.Span[0])];
}
