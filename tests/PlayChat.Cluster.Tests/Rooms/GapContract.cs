using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>What becomes of records of a shared room that a node misses or drops.</summary>
public abstract class GapContract(Func<Task<BackplaneSpace>> createSpace) : HallContract(createSpace)
{
    [Fact]
    public async Task A_join_that_its_busy_owner_has_dropped_is_asked_for_again()
    {
        (HallNode first, HallNode second, HallClient ann, _) = await StartTwoAsync();
        HallClient cid = await second.ConnectAsync();
        using var gate = Hall.Gates[HallName] = new ManualResetEventSlim();
        await ann.AskAsync();
        int joins = first.Switch.CountOf(JoinKind);

        ann.Connection.SendPacket(new Ask("block")); // the answer may be lost, if the room of this node is behind as well
        // More than a room keeps; then so many small ones that there is no place for a join.
        await second.Switch.FloodAsync(first.Hall.Id, FrameKind, records: 600, bodyBytes: 30_000);
        await second.Switch.FloodAsync(first.Hall.Id, FrameKind, records: 600, bodyBytes: 0);
        Task<string> entered = cid.EnterAsync("cid");
        await Eventually.TrueAsync(() => first.Switch.CountOf(JoinKind) > joins);
        await Eventually.TrueAsync(() => first.Hall.Activity.QueuedJobs == 0);
        gate.Set();

        Assert.Equal("ok", await entered.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("3", (await cid.AskAsync())[2]);
    }

    [Fact]
    public async Task A_join_that_the_node_of_the_owner_has_missed_is_asked_for_again()
    {
        (HallNode first, HallNode second, _, HallClient bob) = await StartTwoAsync();
        HallClient cid = await second.ConnectAsync();
        await bob.AskAsync();
        int joins = first.Switch.CountOf(JoinKind);

        first.Switch.Misses = true;
        Task<string> entered = cid.EnterAsync("cid");
        await Eventually.TrueAsync(() => first.Switch.CountOf(JoinKind) > joins);
        first.Switch.Misses = false;
        bob.Say("one"); // the next record that the first node reads

        Assert.Equal("ok", await entered.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("3", (await cid.AskAsync())[2]);
    }

    [Fact]
    public async Task A_node_that_misses_the_change_of_the_owner_finds_the_new_one()
    {
        (HallNode first, _, _, HallClient bob) = await StartTwoAsync();
        (HallNode third, HallClient cid) = await StartAsync("cid");
        cid.Say("one");
        await cid.WaitForAsync("cid one #1");

        third.Switch.Misses = true;
        await first.StopAsync();
        await bob.WaitForAsync("back #1 recovered False");
        third.Switch.Misses = false;
        bob.Say("two"); // the next record that the third node reads

        await cid.WaitForAsync(static text => text.StartsWith("back #", StringComparison.Ordinal));
        cid.Say("three");
        await bob.WaitForAsync("cid three #3");
        await cid.WaitForAsync("cid three #3");
        Assert.Equal((await bob.AskAsync())[0], (await cid.AskAsync())[0]);
    }

    [Fact]
    public async Task A_removed_room_ends_on_a_node_that_has_forgotten_its_owner_because_it_has_missed_records()
    {
        (HallNode first, HallNode second, HallClient ann, _) = await StartTwoAsync();
        TaskCompletionSource mayAsk = second.Switch.HoldQuestions();
        int releases = second.Switch.CountOf(ReleasedKind);
        await MissAsync(second, first);

        ann.Connection.SendPacket(new Ask("remove")); // the next record that the second node reads
        await Eventually.TrueAsync(() => second.Switch.CountOf(ReleasedKind) > releases);
        mayAsk.SetResult();

        await EndedAsync();
    }

    [Fact]
    public async Task A_node_that_has_missed_records_still_waits_until_the_log_has_the_end_of_its_room()
    {
        (HallNode first, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync(Rarely);
        await MissAsync(first, second);
        ann.Say("one"); // the next record that the first node reads
        await bob.WaitForAsync("ann one #1");
        int releases = second.Switch.CountOf(ReleasedKind);

        await first.Switch.HoldAsync();
        await first.Hall.PostAsync(static hall => hall.End());
        await Eventually.TrueAsync(() => second.Switch.CountOf(ReleasedKind) > releases);
        int renewals = second.Switch.Renewals;
        await Eventually.TrueAsync(() => second.Switch.Renewals > renewals);
        int released = first.Switch.Releases;
        first.Switch.Hear();

        await bob.WaitForAsync("ann left RoomRemoved");
        await bob.WaitForAsync("back #1 recovered False");
        Assert.Equal(0, released);
    }
}
