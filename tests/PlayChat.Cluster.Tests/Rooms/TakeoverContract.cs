using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>Which node continues a shared room when its owner has ended, and from which state.</summary>
public abstract class TakeoverContract(Func<Task<BackplaneSpace>> createSpace) : HallContract(createSpace)
{
    [Fact]
    public async Task Another_node_continues_with_the_state_that_a_dead_owner_has_published()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync();
        (HallNode third, HallClient cid) = await StartAsync("cid");
        bob.Say("one");
        bob.Say("two");
        cid.Say("three");
        await PublishedAsync(3, cid);
        string former = (await bob.AskAsync())[0]; // both nodes have read what stands before the answer

        first.Switch.IsDead = true;

        await Task.WhenAll(bob.WaitForAsync("ann left NodeLost"), cid.WaitForAsync("ann left NodeLost"));
        await bob.WaitForAsync("back #3 recovered False");
        await cid.WaitForAsync("back #3 recovered False");
        bob.Say("four");
        await cid.WaitForAsync("bob four #4");
        string[] told = await bob.AskAsync();
        Assert.NotEqual(former, told[0], StringComparer.Ordinal);
        Assert.Equal(["3", "2"], told[1..3]);
        Assert.Equal("1", (await cid.AskAsync())[1]);
        Assert.Equal(told[0], (await (await third.JoinAsync("dan")).AskAsync())[0]);
    }

    [Fact]
    public async Task A_killed_owner_that_is_back_at_once_leaves_the_room_to_a_node_with_its_state()
    {
        (HallNode first, _, _, HallClient bob) = await StartTwoAsync();
        bob.Say("one");
        await PublishedAsync(1, bob);

        first.Switch.IsDead = true;
        HallNode again = await StartAsync(id: 1); // before its lease has ended

        await bob.WaitForAsync("ann left NodeLost");
        await bob.WaitForAsync("back #1 recovered False");
        bob.Say("two");
        await bob.WaitForAsync("bob two #2");
        HallClient cid = await again.JoinAsync("cid");
        Assert.Equal((await bob.AskAsync())[0], (await cid.AskAsync())[0]); // one object answers both
        Assert.True(bob.Connection.IsOpen);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_room_whose_owner_has_ended_waits_for_a_node_with_its_state(bool isKilled)
    {
        (HallNode first, HallNode second, _, HallClient bob) = await StartTwoAsync();
        HallNode third = await StartAsync();
        bob.Say("one");
        await PublishedAsync(1, bob);
        await third.RemoveHallAsync();
        TaskCompletionSource mayAcquire = second.Switch.HoldQuestions();

        first.Switch.IsDead = isKilled;
        await (isKilled
            ? Eventually.TrueAsync(() => second.Switch.Confirmations + third.Switch.Confirmations > 0)
            : first.StopAsync());
        TaskCompletionSource mayAskAgain = await CreateAndAskOnceAsync(third); // a node without the state asks first
        mayAcquire.SetResult();

        await bob.WaitForAsync("back #1 recovered False");
        mayAskAgain.SetResult();
        HallClient cid = await third.JoinAsync("cid");
        bob.Say("two");
        await cid.WaitForAsync("bob two #2");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_node_that_gets_the_room_for_an_old_state_does_not_continue_from_it(bool misses)
    {
        (HallNode first, HallNode second, _, HallClient bob) = await StartTwoAsync();
        (HallNode third, HallClient cid) = await StartAsync("cid");
        (HallNode fourth, HallClient dan) = await StartAsync("dan");
        bob.Say("one");
        await PublishedAsync(1, bob, cid, dan);
        TaskCompletionSource maySecond = second.Switch.HoldQuestions();
        TaskCompletionSource mayThird = third.Switch.HoldQuestions();
        TaskCompletionSource mayFourth = fourth.Switch.HoldQuestions();
        int questions = second.Switch.Questions;

        await first.StopAsync();
        await Eventually.TrueAsync(() => second.Switch.Questions > questions); // with the state of the first node
        second.Switch.Misses = misses;
        await (misses ? Task.CompletedTask : second.Switch.HoldAsync()); // or it reads late
        mayThird.SetResult();
        await cid.WaitForAsync("back #1 recovered False");
        cid.Say("two");
        await PublishedAsync(2, dan);
        await third.StopAsync();
        second.Switch.Misses = false; // it learns that it has missed records with the next one, its own claim
        int claims = fourth.Switch.CountOf(OwnerKind);
        maySecond.SetResult();
        await Eventually.TrueAsync(() => fourth.Switch.CountOf(OwnerKind) > claims);
        mayFourth.SetResult();
        second.Switch.Hear();

        await dan.WaitForAsync("back #2 recovered False");
        bob.Say("three");
        await dan.WaitForAsync("bob three #3");
        Assert.Equal((await dan.AskAsync())[0], (await bob.AskAsync())[0]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)] // so another one runs it after a while
    public async Task A_room_runs_on_the_node_on_which_it_is_placed_if_that_node_creates_it(bool creates)
    {
        (HallNode first, HallNode second, HallClient ann, _) = await StartTwoAsync();
        string[] nodes;
        do
        {
            nodes = await ann.AskAsync("nodes");
        }
        while (!nodes.SequenceEqual(["node1:1:1", "node2:0:1"], StringComparer.Ordinal)); // each has said what it runs
        var settings = new RoomSettings { Name = $"{HallName} placed", Node = "node2", IsClustered = true };
        Hall replica = first.Server.Rooms.Create<Hall>(settings);
        await replica.PostAsync(static _ => { }); // it has begun
        Task<JoinResult<Guest>> joining = replica.JoinAsync(first.Server.Sessions.FindUser("ann")!, new Enter("ann")).AsTask();
        if (creates)
        {
            second.Server.Rooms.Create<Hall>(settings);
        }

        Assert.Equal(JoinStatus.Joined, (await joining.WaitAsync(TestTimeouts.Hang)).Status);
        Assert.Equal((creates ? 1 : 2, creates ? 1 : 0), (first.Log.Count("RoomTakenOver"), second.Log.Count("RoomTakenOver")));
    }

    [Fact]
    public async Task A_node_that_stops_hands_its_room_over_with_its_last_state()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync(Rarely);
        bob.Say("one");
        await ann.WaitForAsync("bob one #1");
        ann.Say("two");
        await bob.WaitForAsync("ann two #2");

        await first.StopAsync();

        await bob.WaitForAsync("back #2 recovered False");
        await bob.WaitForAsync(static text => text.StartsWith("ann left ", StringComparison.Ordinal));
        bob.Say("three");
        await bob.WaitForAsync("bob three #3");
        Assert.Equal(["2", "1"], (await bob.AskAsync())[1..3]);
    }

    [Fact]
    public async Task A_room_without_a_state_is_continued_without_one()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync();
        bob.Say("one");
        await PublishedAsync(1);
        await ann.AskAsync("forget");
        await PublishedAsync(-1);

        await first.StopAsync();

        await bob.WaitForAsync("back #0 recovered False");
    }

    [Fact]
    public async Task A_node_that_cannot_make_the_room_leaves_it_to_another()
    {
        HallNode first = await StartAsync();
        int made = 0;
        HallNode second = await StartAsync(make: context =>
            ++made == 1 ? new Hall(context) : throw new InvalidOperationException("The test lets it fail."));
        HallNode third = await StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await third.JoinAsync("cid");
        bob.Say("one");
        await cid.WaitForAsync("bob one #1");
        TaskCompletionSource hasFailed = third.Switch.HoldQuestions();

        await first.StopAsync();
        await Eventually.TrueAsync(() => Volatile.Read(ref made) == 2);
        hasFailed.SetResult();

        await bob.WaitForAsync("back #1 recovered False");
        bob.Say("two");
        await cid.WaitForAsync("bob two #2");
        Assert.Equal("ok", await (await second.ConnectAsync()).EnterAsync("dan"));
    }

    [Fact]
    public async Task A_ticking_room_ticks_at_its_new_owner_alone()
    {
        (HallNode first, _, _, HallClient bob) = await StartTwoAsync();
        string former = (await bob.AskAsync())[0];
        await Eventually.TrueAsync(() => Hall.Ticks.GetValueOrDefault(former) > 2);

        await first.StopAsync();

        await bob.WaitForAsync("back #0 recovered False");
        string owner = (await bob.AskAsync())[0];
        int ticks = Hall.Ticks[former];
        await Eventually.TrueAsync(() => Hall.Ticks.GetValueOrDefault(owner) > 3);
        Assert.Equal(ticks, Hall.Ticks[former]);
    }
}
