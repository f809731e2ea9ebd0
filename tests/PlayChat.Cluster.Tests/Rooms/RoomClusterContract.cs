using PlayChat.Cluster.Broadcast;
using PlayChat.Cluster.Log;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>What a room does that several servers share, whatever carries its log.</summary>
public abstract class RoomClusterContract
{
    // The kinds of records.
    private const byte ProbeKind = 100;
    private const byte OwnerKind = 101;
    private const byte ReleasedKind = 102;
    private const byte OutputKind = 103;
    private const byte JoinKind = 106;
    private const byte FrameKind = 111;

    [Fact]
    public async Task Members_on_all_nodes_hear_everything_once_and_in_one_order()
    {
        const int each = 50;
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient[] clients = [await first.JoinAsync("ann"), await second.JoinAsync("bob"), await second.JoinAsync("cid")];

        await Task.WhenAll(clients.Select(client => Task.Run(() =>
        {
            for (int i = 0; i < each; i++)
            {
                client.Say($"says {i}");
            }
        })));
        int all = each * clients.Length;
        await Task.WhenAll(clients.Select(client => client.WaitForAsync(text => text.EndsWith($"#{all}", StringComparison.Ordinal))));

        string[][] heard = [.. clients.Select(static client => client.Heard.Where(static text => text.Contains('#')).ToArray())];
        Assert.Equal(Enumerable.Range(1, all), heard[0].Select(static text => int.Parse(text.Split('#')[1], null)));
        Assert.All(heard, list => Assert.Equal(heard[0], list));
        foreach (string name in new[] { "ann", "bob", "cid" })
        {
            string[] said = [.. Enumerable.Range(0, each).Select(i => $"{name} says {i}")];
            string[] own = [.. heard[0].Where(text => text.StartsWith(name, StringComparison.Ordinal))];
            Assert.Equal(said, own.Select(static text => text.Split(" #")[0]).ToArray());
        }
    }

    [Fact]
    public async Task The_owner_handles_what_members_on_other_nodes_send_and_answers_them()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        await ann.WaitForAsync("bob is here");

        bob.Say("hello");
        string[] told = await bob.AskAsync("others");
        string[] toldAnn = await ann.AskAsync();
        await bob.AskAsync("reply");
        await bob.AskAsync("large");

        Assert.Equal(["1", "2", .. space.Hall.Split(' ')], told[1..]); // bob has spoken once, and there are two members
        Assert.Equal("0", toldAnn[1]);
        Assert.Equal(told[0], toldAnn[0]); // one object has answered both
        Assert.Contains("to others", ann.Heard, StringComparer.Ordinal);
        Assert.DoesNotContain("to others", bob.Heard, StringComparer.Ordinal);
        await bob.WaitForAsync("a reply");
        Assert.Equal(["welcome ann ann", "bob is here", "bob hello #1", "to others"], ann.Heard);
    }

    [Fact]
    public async Task A_broadcast_of_a_node_reaches_the_logged_in_sessions_of_all_nodes()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");

        PublishResult result = await first.Server.Sessions.BroadcastPacketAsync(new Said("to everybody")).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(PublishResult.Accepted, result);
        await ann.WaitForAsync("to everybody");
        await bob.WaitForAsync("to everybody");
    }

    [Fact]
    public async Task A_join_is_decided_by_the_owner()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync(capacity: 2, password: "please");
        HallNode second = await space.StartAsync(capacity: 2, password: "please");
        HallClient ann = await first.ConnectAsync();
        HallClient bob = await second.ConnectAsync();
        HallClient cid = await second.ConnectAsync();

        Assert.Equal("ok", await ann.EnterAsync("ann/please"));
        Assert.Equal("WrongPassword: Incorrect room password.", await bob.EnterAsync("bob/what"));
        Assert.Equal("Refused: Nobody may not enter.", await bob.EnterAsync("nobody/please"));
        Assert.Equal("ok", await bob.EnterAsync("bob/please"));
        Assert.Equal("AlreadyMember: The session is already a member of the room.", await bob.EnterAsync("bob/please"));
        Assert.Equal("Full: The room is full.", await cid.EnterAsync("cid/please"));
        Assert.Equal(1, second.Hall.MemberCount);
    }

    [Fact]
    public async Task A_join_that_was_given_up_does_not_end_the_next_one_of_its_session()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        Session session = second.Server.Sessions.FindUser("bob")!;
        await second.Hall.LeaveAsync(session);
        await ann.WaitForAsync("bob left Left");
        using var stop = new CancellationTokenSource();

        await second.Switch.HoldAsync(space.Readers); // all that follows is in the log before the answer to the first join is read
        Task former = second.Hall.JoinAsync(session, new Enter("bob"), cancellationToken: stop.Token).AsTask();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => former);
        Task<JoinResult<Guest>> next = second.Hall.JoinAsync(session, new Enter("bob")).AsTask();
        second.Switch.Hear();

        Assert.Equal(EnterResult.Entered, (await next.WaitAsync(TestTimeouts.Hang)).Result);
        Assert.Equal("2", (await bob.AskAsync())[2]);
    }

    [Fact]
    public async Task A_session_whose_join_is_given_up_while_its_answer_arrives_is_no_member()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient cid = await second.JoinAsync("cid");
        HallClient bob = await second.ConnectAsync();
        await bob.EnterAsync("nobody");
        Session session = second.Server.Sessions.FindUser("nobody")!;
        using var stop = new CancellationTokenSource();
        using var gate = new ManualResetEventSlim();

        await cid.AskAsync(); // what the owner has sent before is in the log
        await second.Switch.HoldAsync(space.Readers);
        int read = second.Switch.CountOf(OutputKind);
        Task join = second.Hall.JoinAsync(session, new Enter("bob"), cancellationToken: stop.Token).AsTask();
        await ann.WaitForAsync("bob is here");
        Assert.True(second.Hall.Post(_ => gate.Wait()));
        second.Switch.Hear();
        await Eventually.TrueAsync(() => second.Switch.CountOf(OutputKind) > read); // the answer waits for the room's turn
        await stop.CancelAsync();
        gate.Set();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => join);
        await ann.WaitForAsync("bob left SessionEnded");
        Assert.Equal("2", (await cid.AskAsync())[2]);
        Assert.Equal(1, second.Hall.MemberCount);
    }

    [Fact]
    public async Task A_member_leaves_when_its_session_ends_and_is_closed_when_the_room_says_so()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await second.JoinAsync("cid");

        bob.Connection.Close();
        await ann.WaitForAsync("bob left SessionEnded");
        await cid.WaitForAsync("bob left SessionEnded");
        cid.Connection.SendPacket(new Ask("kick"));

        await ann.WaitForAsync("cid left SessionEnded");
        await cid.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal("1", (await ann.AskAsync())[2]);
    }

    [Fact]
    public async Task Another_node_continues_with_the_state_that_a_dead_owner_has_published()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallNode third = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await third.JoinAsync("cid");
        bob.Say("one");
        bob.Say("two");
        cid.Say("three");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 3);
        string former = (await bob.AskAsync())[0]; // both nodes have read what stands before the answer
        await cid.AskAsync();

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
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 1);
        await bob.AskAsync(); // bob's node has then read everything that stands before the answer

        first.Switch.IsDead = true;
        HallNode again = await space.StartAsync(id: 1); // before its lease has ended

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
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallNode third = await space.StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 1);
        await bob.AskAsync(); // bob's node has then read everything that stands before the answer
        await third.Hall.PostAsync(static hall => hall.End());
        await Eventually.TrueAsync(() => third.Server.Rooms.Count == 0);
        var mayAcquire = new TaskCompletionSource();
        second.Switch.MayAcquire = mayAcquire.Task;

        first.Switch.IsDead = isKilled;
        await (isKilled
            ? Eventually.TrueAsync(() => second.Switch.Confirmations + third.Switch.Confirmations > 0)
            : first.Server.StopAsync().WaitAsync(TestTimeouts.Hang));
        TaskCompletionSource mayAskAgain = await CreateAndAskOnceAsync(third, space); // a node without the state asks first
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
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallNode third = await space.StartAsync();
        HallNode fourth = await space.StartAsync();
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await third.JoinAsync("cid");
        HallClient dan = await fourth.JoinAsync("dan");
        bob.Say("one");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 1);
        await Task.WhenAll(bob.AskAsync(), cid.AskAsync(), dan.AskAsync()); // now the nodes have read what stands before the answers
        var maySecond = new TaskCompletionSource();
        var mayThird = new TaskCompletionSource();
        var mayFourth = new TaskCompletionSource();
        second.Switch.MayAcquire = maySecond.Task;
        third.Switch.MayAcquire = mayThird.Task;
        fourth.Switch.MayAcquire = mayFourth.Task;
        int questions = second.Switch.Questions;

        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        await Eventually.TrueAsync(() => second.Switch.Questions > questions); // with the state of the first node
        second.Switch.Misses = misses;
        await (misses ? Task.CompletedTask : second.Switch.HoldAsync(space.Readers)); // or it reads late
        mayThird.SetResult();
        await cid.WaitForAsync("back #1 recovered False");
        cid.Say("two");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 2);
        await dan.AskAsync();
        await third.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
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

    [Fact]
    public async Task Members_of_a_lost_node_leave_and_the_owner_stays()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        string owner = (await ann.AskAsync())[0];
        await second.JoinAsync("bob");

        second.Switch.IsDead = true;

        await ann.WaitForAsync("bob left NodeLost");
        Assert.Equal(owner, (await ann.AskAsync())[0]);
    }

    [Fact]
    public async Task What_a_former_owner_sends_after_another_node_has_taken_over_reaches_no_member()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        string former = (await ann.AskAsync("pulse"))[0];
        await bob.WaitForAsync($"pulse {former}");

        await first.Switch.DeafenAsync(space.Readers); // it does not learn that it is declared dead, and its room continues
        await bob.WaitForAsync("ann left NodeLost");
        int heard = bob.Heard.Count;
        int pulses = Hall.Pulses[former];
        await Eventually.TrueAsync(() => Hall.Pulses[former] > pulses + 5); // these records are in the log, behind the end of the node
        string[] told = await bob.AskAsync();
        first.Switch.Hear();

        Assert.Equal(CloseReason.NodeFenced, await ann.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        await bob.AskAsync();
        Assert.NotEqual(former, told[0], StringComparer.Ordinal);
        Assert.DoesNotContain($"pulse {former}", bob.Heard.Skip(heard), StringComparer.Ordinal);
        HallClient again = await first.JoinAsync("ann"); // the node has joined the cluster again
        Assert.Equal(told[0], (await again.AskAsync())[0]);
        Assert.DoesNotContain($"pulse {former}", again.Heard, StringComparer.Ordinal);
    }

    [Fact]
    public async Task A_node_that_learns_from_the_directory_that_it_is_lost_closes_its_members_before_it_reads_that_they_left()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        await first.Switch.DeafenAsync(space.Readers);
        await bob.WaitForAsync("ann left NodeLost"); // is in the log, behind the end of the node
        var isFenced = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var mayContinue = new ManualResetEventSlim();
        first.Log.Logged = name =>
        {
            if (name == "NodeFenced")
            {
                isFenced.TrySetResult();
                mayContinue.Wait(TestTimeouts.Hang);
            }
        };
        try
        {
            first.Switch.ReachDirectory();
            await isFenced.Task.WaitAsync(TestTimeouts.Hang);
            first.Switch.Hear();

            Assert.Equal(CloseReason.NodeFenced, await ann.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        }
        finally
        {
            first.Log.Logged = null;
            mayContinue.Set();
        }
    }

    [Fact]
    public async Task A_node_that_stops_hands_its_room_over_with_its_last_state()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync(TimeSpan.FromHours(1));
        HallNode second = await space.StartAsync(TimeSpan.FromHours(1));
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await ann.WaitForAsync("bob one #1");
        ann.Say("two");
        await bob.WaitForAsync("ann two #2");

        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        await bob.WaitForAsync("back #2 recovered False");
        await bob.WaitForAsync(static text => text.StartsWith("ann left ", StringComparison.Ordinal));
        bob.Say("three");
        await bob.WaitForAsync("bob three #3");
        Assert.Equal(["2", "1"], (await bob.AskAsync())[1..3]);
    }

    [Fact]
    public async Task A_removed_room_ends_on_all_nodes()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");

        bob.Connection.SendPacket(new Ask("remove"));

        await Eventually.TrueAsync(() => first.Server.Rooms.Count == 0 && second.Server.Rooms.Count == 0);
        Assert.True(bob.Connection.IsOpen);
    }

    [Fact]
    public async Task A_room_that_has_ended_and_is_created_again_begins_anew()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        ann.Say("one");
        await bob.WaitForAsync("ann one #1");
        var mayRelease = new TaskCompletionSource();
        first.Switch.MayRelease = mayRelease.Task;

        ann.Connection.SendPacket(new Ask("remove"));
        await Eventually.TrueAsync(() => first.Server.Rooms.Count == 0 && second.Server.Rooms.Count == 0);
        first.Server.Rooms.Create<Hall>(new RoomSettings { Name = space.Hall, IsClustered = true });
        second.Server.Rooms.Create<Hall>(new RoomSettings { Name = space.Hall, IsClustered = true });
        Task<string[]> entered = Task.WhenAll(ann.EnterAsync("ann"), bob.EnterAsync("bob"));
        mayRelease.SetResult(); // of the room that has ended

        Assert.Equal(["ok", "ok"], await entered);
        bob.Say("two");
        await ann.WaitForAsync("bob two #1");
        Assert.Equal((await ann.AskAsync())[0], (await bob.AskAsync())[0]);
    }

    [Fact]
    public async Task A_room_that_has_ended_and_is_created_again_waits_for_no_former_state()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallNode third = await space.StartAsync();
        HallNode fourth = await space.StartAsync(); // so that the third is not alone in the end
        HallClient ann = await first.JoinAsync("ann");
        await second.JoinAsync("bob");
        await third.JoinAsync("dan"); // a node that does not know the owner yet would miss the end of the room
        await fourth.JoinAsync("eve");
        var maySecondAcquire = new TaskCompletionSource();
        second.Switch.MayAcquire = maySecondAcquire.Task;

        ann.Connection.SendPacket(new Ask("remove"));
        await Eventually.TrueAsync(
            () => first.Server.Rooms.Count + second.Server.Rooms.Count + third.Server.Rooms.Count + fourth.Server.Rooms.Count == 0);
        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang); // the directory knows that the room has ended
        maySecondAcquire.SetResult(); // a node that had the state until then must not ask for it
        await second.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        TaskCompletionSource mayAskAgain = await CreateAndAskOnceAsync(third, space);

        HallClient cid = await third.JoinAsync("cid"); // after the first answer of the directory
        mayAskAgain.SetResult();
        Assert.True(cid.Connection.IsOpen);
    }

    [Fact]
    public async Task A_room_that_is_removed_when_it_is_empty_stays_while_any_node_has_a_member()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync(removeWhenEmpty: true);
        HallNode second = await space.StartAsync(removeWhenEmpty: true);
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");

        ann.Connection.Close();
        await bob.WaitForAsync("ann left SessionEnded");
        await bob.AskAsync(); // the owner's node has handled what stands before the answer
        int kept = first.Server.Rooms.Count;
        bob.Connection.Close();

        await Eventually.TrueAsync(() => first.Server.Rooms.Count == 0 && second.Server.Rooms.Count == 0);
        Assert.Equal(1, kept);
    }

    [Fact]
    public async Task A_node_that_removes_the_room_for_itself_leaves_it_to_the_others()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync(TimeSpan.FromHours(1));
        HallNode second = await space.StartAsync(TimeSpan.FromHours(1));
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        ann.Say("one");
        await bob.WaitForAsync("ann one #1");

        await first.Hall.PostAsync(static hall => hall.End());

        await bob.WaitForAsync("ann left RoomRemoved");
        await bob.WaitForAsync("back #1 recovered False");
        bob.Say("two");
        await bob.WaitForAsync("bob two #2");
        Assert.True(ann.Connection.IsOpen);
    }

    [Fact]
    public async Task What_a_room_sends_while_the_log_refuses_it_arrives_in_order_when_the_log_accepts()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        await ann.WaitForAsync("bob is here");

        first.Switch.IsRefused = true;
        Task<string[]> told = bob.AskAsync("direct");
        bob.Connection.SendPacket(new Ask("warn and kick"));
        await Eventually.TrueAsync(() => first.Switch.Refusals > 2);
        first.Switch.IsRefused = false;

        await told;
        Assert.Equal(CloseReason.PeerClosed, await bob.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        await ann.WaitForAsync("bob left SessionEnded");
        Assert.Equal(["welcome bob bob", "direct 1", "direct 2", "a warning"], bob.Heard);
    }

    [Fact]
    public async Task A_join_that_its_busy_owner_has_dropped_is_asked_for_again()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        await second.JoinAsync("cid"); // so the second node knows the owner
        HallClient bob = await second.ConnectAsync();
        using var gate = Hall.Gates[space.Hall] = new ManualResetEventSlim();
        await ann.AskAsync();
        int joins = first.Switch.CountOf(JoinKind);

        ann.Connection.SendPacket(new Ask("block")); // the answer may be lost, if the room of this node is behind as well
        // More than a room keeps; then so many small ones that there is no place for a join.
        await second.Switch.FloodAsync(first.Hall.Id, FrameKind, records: 600, bodyBytes: 30_000);
        await second.Switch.FloodAsync(first.Hall.Id, FrameKind, records: 600, bodyBytes: 0);
        Task<string> entered = bob.EnterAsync("bob");
        await Eventually.TrueAsync(() => first.Switch.CountOf(JoinKind) > joins);
        await Eventually.TrueAsync(() => first.Hall.Activity.QueuedJobs == 0);
        gate.Set();

        Assert.Equal("ok", await entered.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("3", (await bob.AskAsync())[2]);
    }

    [Fact]
    public async Task A_join_that_the_node_of_the_owner_has_missed_is_asked_for_again()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await second.ConnectAsync();
        await bob.AskAsync();
        int joins = first.Switch.CountOf(JoinKind);

        first.Switch.Misses = true;
        Task<string> entered = cid.EnterAsync("cid");
        await Eventually.TrueAsync(() => first.Switch.CountOf(JoinKind) > joins);
        first.Switch.Misses = false;
        bob.Say("one"); // the next record that the first node reads

        Assert.Equal("ok", await entered.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("2", (await cid.AskAsync())[2]);
    }

    [Fact]
    public async Task An_idle_room_takes_no_turns()
    {
        await using HallSpace space = await CreateAsync();
        await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 1); // and then no further state
        await bob.AskAsync(); // bob's node has then read everything that stands before the answer
        await second.Server.Rooms.DrainAsync();
        int renewals = second.Switch.Renewals;
        long jobs = second.Hall.Activity.JobsExecuted;
        await Eventually.TrueAsync(() => second.Switch.Renewals > renewals + 2); // the node has looked at its rooms several times

        Assert.Equal(jobs, second.Hall.Activity.JobsExecuted);
    }

    [Fact]
    public async Task A_room_without_a_state_is_continued_without_one()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == 1);
        await ann.AskAsync("forget");
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(space.Hall) == -1);

        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        await bob.WaitForAsync("back #0 recovered False");
    }

    [Fact]
    public async Task A_node_that_cannot_make_the_room_leaves_it_to_another()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        int made = 0;
        HallNode second = await space.StartAsync(make: context =>
            ++made == 1 ? new Hall(context) : throw new InvalidOperationException("The test lets it fail."));
        HallNode third = await space.StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await third.JoinAsync("cid");
        bob.Say("one");
        await cid.WaitForAsync("bob one #1");
        var hasFailed = new TaskCompletionSource();
        third.Switch.MayAcquire = hasFailed.Task;

        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
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
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient bob = await second.JoinAsync("bob");
        string former = (await bob.AskAsync())[0];
        await Eventually.TrueAsync(() => Hall.Ticks.GetValueOrDefault(former) > 2);

        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        await bob.WaitForAsync("back #0 recovered False");
        string owner = (await bob.AskAsync())[0];
        int ticks = Hall.Ticks[former];
        await Eventually.TrueAsync(() => Hall.Ticks.GetValueOrDefault(owner) > 3);
        Assert.Equal(ticks, Hall.Ticks[former]);
    }

    [Fact]
    public async Task A_member_that_resumes_returns_to_a_room_of_another_node()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        SessionRegistry sessions = second.Server.Sessions;
        ReadOnlyMemory<byte> token = await sessions.IssueResumeTokenAsync(sessions.FindUser("bob")!);

        bob.Connection.Abort();
        await ann.WaitForAsync("bob is away");
        ann.Say("one");
        await ann.WaitForAsync("ann one #1");
        HallClient again = await second.ConnectAsync();
        await Eventually.TrueAsync(() => sessions.All.Any(static session => session.User is null));
        Resumption? resumption = await sessions.ResumeAsync(sessions.All.Single(static session => session.User is null).Connection, token);

        Assert.NotNull(resumption);
        await again.WaitForAsync("back #1 recovered False");
        again.Say("is back");
        await ann.WaitForAsync("bob is back #2");
        await again.WaitForAsync("bob is back #2");
        Assert.Equal("1", (await again.AskAsync())[1]);
    }

    [Fact]
    public async Task A_node_that_misses_the_change_of_the_owner_finds_the_new_one()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        HallNode third = await space.StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        HallClient cid = await third.JoinAsync("cid");
        cid.Say("one");
        await cid.WaitForAsync("cid one #1");

        third.Switch.Misses = true;
        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
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
    public async Task A_room_that_a_node_removes_and_creates_again_continues_where_its_state_is()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await bob.WaitForAsync("bob one #1");
        var mayRelease = new TaskCompletionSource();
        first.Switch.MayRelease = mayRelease.Task;

        await first.Hall.PostAsync(static hall => hall.End());
        await Eventually.TrueAsync(() => first.Server.Rooms.Count == 0);
        first.Server.Rooms.Create<Hall>(new RoomSettings { Name = space.Hall, IsClustered = true });
        HallClient cid = await first.ConnectAsync();
        Task<string> entered = cid.EnterAsync("cid");
        int renewals = first.Switch.Renewals;
        await Eventually.TrueAsync(() => first.Switch.Renewals > renewals + 1); // it has looked for an owner several times
        mayRelease.SetResult();

        Assert.Equal("ok", await entered);
        await bob.WaitForAsync("back #1 recovered False");
        Assert.Equal((await bob.AskAsync())[0], (await cid.AskAsync())[0]);
        Assert.Equal("ok", await (await (await space.StartAsync()).ConnectAsync()).EnterAsync("dan"));
        bob.Say("two");
        await cid.WaitForAsync("bob two #2");
    }

    [Fact]
    public async Task A_node_that_stops_just_after_it_has_removed_a_room_hands_it_over()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync(TimeSpan.FromHours(1));
        HallNode second = await space.StartAsync(TimeSpan.FromHours(1));
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        bob.Say("one");
        await ann.WaitForAsync("bob one #1");

        await first.Hall.PostAsync(static hall => hall.End());
        await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        await bob.WaitForAsync("ann left RoomRemoved");
        await bob.WaitForAsync("back #1 recovered False");
    }

    [Fact]
    public async Task A_room_that_a_node_creates_again_while_the_log_has_its_claim_has_an_owner()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync();
        HallNode second = await space.StartAsync();
        await second.JoinAsync("bob");
        Session session = second.Server.Sessions.FindUser("bob")!;
        var settings = new RoomSettings { Name = $"{space.Hall} again", IsClustered = true };
        int claims = first.Switch.CountOf(OwnerKind);

        await second.Switch.HoldAsync(space.Readers);
        Hall former = second.Server.Rooms.Create<Hall>(settings);
        await Eventually.TrueAsync(() => first.Switch.CountOf(OwnerKind) > claims);
        await former.PostAsync(static hall => hall.End());
        await Eventually.TrueAsync(() => second.Server.Rooms.Count == 1);
        Hall next = second.Server.Rooms.Create<Hall>(settings);
        await next.PostAsync(static _ => { }); // it has begun
        second.Switch.Hear(); // the log has the claim of the former room, and that the node gives it up

        JoinResult<Guest> joined = await next.JoinAsync(session, new Enter("bob")).AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(EnterResult.Entered, joined.Result);
    }

    [Fact]
    public async Task A_node_that_has_missed_records_still_waits_until_the_log_has_the_end_of_its_room()
    {
        await using HallSpace space = await CreateAsync();
        HallNode first = await space.StartAsync(TimeSpan.FromHours(1));
        HallNode second = await space.StartAsync(TimeSpan.FromHours(1));
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        int probes = first.Switch.CountOf(ProbeKind);
        first.Switch.Misses = true;
        await second.Switch.FloodAsync(second.Hall.Id, ProbeKind, records: 1, bodyBytes: 0);
        await Eventually.TrueAsync(() => first.Switch.CountOf(ProbeKind) > probes);
        first.Switch.Misses = false;
        ann.Say("one"); // the next record that the first node reads
        await bob.WaitForAsync("ann one #1");
        int releases = second.Switch.CountOf(ReleasedKind);

        await first.Switch.HoldAsync(space.Readers);
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

    private protected abstract Task<HallSpace> CreateAsync();

    /// <summary>Creates the hall on a node, whose first question the directory answers before this returns.</summary>
    /// <returns>What the later questions wait for.</returns>
    private static async Task<TaskCompletionSource> CreateAndAskOnceAsync(HallNode node, HallSpace space)
    {
        var mayAsk = new TaskCompletionSource();
        var mayAskAgain = new TaskCompletionSource();
        int questions = node.Switch.Questions;
        int answers = node.Switch.Answers;
        node.Switch.MayAcquire = mayAsk.Task;
        node.Server.Rooms.Create<Hall>(new RoomSettings { Name = space.Hall, IsClustered = true });
        await Eventually.TrueAsync(() => node.Switch.Questions > questions);
        node.Switch.MayAcquire = mayAskAgain.Task;
        mayAsk.SetResult();
        await Eventually.TrueAsync(() => node.Switch.Answers > answers);
        return mayAskAgain;
    }
}
