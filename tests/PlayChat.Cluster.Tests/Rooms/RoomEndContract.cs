using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>How a shared room ends, on all nodes or on one, and is created again.</summary>
public abstract class RoomEndContract(Func<Task<BackplaneSpace>> createSpace) : HallContract(createSpace)
{
    [Fact]
    public async Task A_removed_room_ends_on_all_nodes()
    {
        (_, _, _, HallClient bob) = await StartTwoAsync();

        bob.Connection.SendPacket(new Ask("remove"));

        await EndedAsync();
        Assert.True(bob.Connection.IsOpen);
    }

    [Theory]
    [InlineData(false)] // when it learns the owner, the directory names the one that has ended the room
    [InlineData(true)] // or has the room free again
    public async Task A_removed_room_ends_on_a_node_that_has_not_learned_its_owner(bool isFree)
    {
        (HallNode first, _, HallClient ann, _) = await StartTwoAsync();
        (HallNode third, _) = await StartAsync("cid");
        await third.RemoveHallAsync();
        TaskCompletionSource mayAsk = third.Switch.HoldQuestions();
        TaskCompletionSource mayRelease = first.Switch.HoldReleases();
        int releases = third.Switch.CountOf(ReleasedKind);
        third.CreateHall();
        Task<JoinResult<Guest>> entered = third.Hall.JoinAsync(third.Server.Sessions.FindUser("cid")!, new Enter("cid")).AsTask();
        await third.Hall.RequestAsync(static _ => true); // the join waits, and the node tells the hall what it reads from here on

        ann.Connection.SendPacket(new Ask("remove"));
        await Eventually.TrueAsync(() => third.Switch.CountOf(ReleasedKind) > releases);
        if (isFree)
        {
            mayRelease.SetResult();
            await first.StopAsync(); // the directory knows that the room has ended
        }

        mayAsk.SetResult();

        JoinResult<Guest> result = await entered.WaitAsync(TestTimeouts.Hang);
        Assert.Equal((JoinStatus.Removed, "The room was removed."), (result.Status, result.Reason));
        await EndedAsync();
        mayRelease.TrySetResult();
    }

    [Fact]
    public async Task A_room_that_is_removed_when_it_is_empty_stays_while_any_node_has_a_member()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync(removeWhenEmpty: true);

        ann.Connection.Close();
        await bob.WaitForAsync("ann left SessionEnded");
        await bob.AskAsync(); // the owner's node has handled what stands before the answer
        int kept = first.Server.Rooms.Count;
        bob.Connection.Close();

        await EndedAsync();
        Assert.Equal(1, kept);
    }

    [Fact]
    public async Task A_room_whose_only_join_has_failed_before_it_had_an_owner_ends()
    {
        HallNode only = await StartAsync(answers: TimeSpan.FromMilliseconds(200));
        await only.RemoveHallAsync();
        TaskCompletionSource mayAsk = only.Switch.HoldQuestions();
        only.CreateHall(removeWhenEmpty: true);
        string entered = await (await only.ConnectAsync()).EnterAsync("ann");

        mayAsk.SetResult();

        Assert.StartsWith("Unavailable", entered, StringComparison.Ordinal);
        await EndedAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_room_that_the_only_node_removes_and_creates_again_at_once_begins_anew(bool isByRoom)
    {
        (HallNode only, HallClient ann) = await StartAsync("ann");
        string former = (await ann.AskAsync())[0];
        ann.Say("one");
        await ann.WaitForAsync("ann one #1");

        if (isByRoom)
        {
            ann.Connection.SendPacket(new Ask("remove"));
            await EndedAsync();
            only.CreateHall();
        }
        else
        {
            await only.Hall.RequestAsync(hall =>
            {
                hall.End();
                only.CreateHall();
                return true;
            });
        }

        Assert.Equal("ok", await ann.EnterAsync("ann"));
        ann.Say("two");
        await ann.WaitForAsync("ann two #1");
        Assert.NotEqual(former, (await ann.AskAsync())[0], StringComparer.Ordinal);
        Assert.Equal((1, 1), (only.Server.Rooms.Count, only.Hall.MemberCount));
    }

    [Fact]
    public async Task A_room_that_has_ended_and_is_created_again_begins_anew()
    {
        (HallNode first, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        ann.Say("one");
        await bob.WaitForAsync("ann one #1");
        TaskCompletionSource mayRelease = first.Switch.HoldReleases();

        ann.Connection.SendPacket(new Ask("remove"));
        await EndedAsync();
        first.CreateHall();
        second.CreateHall();
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
        (HallNode first, HallNode second, HallClient ann, _) = await StartTwoAsync();
        (HallNode third, _) = await StartAsync("dan");
        await StartAsync("eve"); // so that the third is not alone in the end
        TaskCompletionSource maySecondAcquire = second.Switch.HoldQuestions();

        ann.Connection.SendPacket(new Ask("remove"));
        await EndedAsync();
        await first.StopAsync(); // the directory knows that the room has ended
        maySecondAcquire.SetResult(); // a node that had the state until then must not ask for it
        await second.StopAsync();
        TaskCompletionSource mayAskAgain = await CreateAndAskOnceAsync(third);

        HallClient cid = await third.JoinAsync("cid"); // after the first answer of the directory
        mayAskAgain.SetResult();
        Assert.True(cid.Connection.IsOpen);
    }

    [Fact]
    public async Task A_node_that_removes_the_room_for_itself_leaves_it_to_the_others()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync(Rarely);
        ann.Say("one");
        await bob.WaitForAsync("ann one #1");

        await first.Hall.PostAsync(static hall => hall.End());

        await bob.WaitForAsync("ann left RoomRemoved");
        await bob.WaitForAsync("back #1 recovered False");
        bob.Say("two");
        await bob.WaitForAsync("bob two #2");
        Assert.True(ann.Connection.IsOpen);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(15_000)] // the new owner's snapshot then needs several records
    public async Task A_member_whose_node_has_removed_the_room_while_it_had_no_owner_leaves(int nameLength)
    {
        (HallNode first, HallNode second, _, HallClient bob) = await StartTwoAsync();
        string[] names = [new('c', nameLength), new('d', nameLength)];
        (HallNode third, HallClient cid) = await StartAsync(names[0]);
        await third.JoinAsync(names[1]);
        await bob.WaitForAsync($"{names[1]} is here"); // its node could continue the room
        TaskCompletionSource mayAsk = second.Switch.HoldQuestions();
        int records = second.Switch.CountOf(IgnoredKind);

        await third.Switch.HoldAsync();
        await first.StopAsync();
        await third.RemoveHallAsync();
        await third.Switch.FloodAsync(second.Hall.Id, IgnoredKind, records: 1, bodyBytes: 0);
        await Eventually.TrueAsync(() => second.Switch.CountOf(IgnoredKind) > records); // it has read the leaves, and is not the owner
        mayAsk.SetResult();
        third.Switch.Hear();

        await bob.WaitForAsync("ann left NodeLost");
        await Task.WhenAll(names.Select(name => bob.WaitForAsync($"{name} left RoomRemoved")));
        Assert.Equal("1", (await bob.AskAsync())[2]);
        Assert.True(cid.Connection.IsOpen);
    }

    [Fact]
    public async Task A_session_whose_node_removes_the_room_while_it_joins_is_no_member()
    {
        (_, HallNode second, HallClient ann, _) = await StartTwoAsync(Rarely);
        Session session = second.Server.Sessions.FindUser("bob")!;
        await second.Hall.LeaveAsync(session);
        await ann.WaitForAsync("bob left Left");

        await second.Switch.HoldAsync();
        Task<JoinResult<Guest>> joining = second.Hall.JoinAsync(session, new Enter("cid")).AsTask();
        await ann.WaitForAsync("cid is here");
        await second.RemoveHallAsync();
        second.Switch.Hear();

        Assert.Equal(JoinStatus.Removed, (await joining.WaitAsync(TestTimeouts.Hang)).Status);
        await ann.WaitForAsync("cid left RoomRemoved");
        Assert.Equal("1", (await ann.AskAsync())[2]);
    }

    [Fact]
    public async Task A_node_that_has_read_the_end_of_a_room_does_not_continue_it_after_another_node_has_given_it_up()
    {
        (HallNode first, HallNode second, HallClient ann, _) = await StartTwoAsync();
        (HallNode third, HallClient cid) = await StartAsync("cid");
        TaskCompletionSource mayAsk = third.Switch.HoldQuestions();
        int releases = third.Switch.CountOf(ReleasedKind);
        await MissAsync(third, first);

        ann.Connection.SendPacket(new Ask("remove")); // the next record that the third node reads: it has forgotten the owner
        await Eventually.TrueAsync(() => second.Server.Rooms.Count == 0);
        int made = 0;
        second.Server.Rooms.Create(
            new RoomSettings { Name = HallName, IsClustered = true },
            context => ++made == 1 ? new Hall(context) : throw new InvalidOperationException("The test lets it fail."));
        await Eventually.TrueAsync(() => third.Switch.CountOf(ReleasedKind) > releases + 1);
        mayAsk.SetResult();

        await Eventually.TrueAsync(() => third.Server.Rooms.Count == 0);
        Assert.True(cid.Connection.IsOpen);
    }

    [Fact]
    public async Task A_node_that_stops_just_after_it_has_removed_a_room_hands_it_over()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync(Rarely);
        bob.Say("one");
        await ann.WaitForAsync("bob one #1");

        await first.Hall.PostAsync(static hall => hall.End());
        await first.StopAsync();

        await bob.WaitForAsync("ann left RoomRemoved");
        await bob.WaitForAsync("back #1 recovered False");
    }

    [Fact]
    public async Task A_room_that_a_node_removes_and_creates_again_continues_where_its_state_is()
    {
        (HallNode first, _, _, HallClient bob) = await StartTwoAsync();
        bob.Say("one");
        await bob.WaitForAsync("bob one #1");
        TaskCompletionSource mayRelease = first.Switch.HoldReleases();

        await first.RemoveHallAsync();
        first.CreateHall();
        HallClient cid = await first.ConnectAsync();
        Task<string> entered = cid.EnterAsync("cid");
        int renewals = first.Switch.Renewals;
        await Eventually.TrueAsync(() => first.Switch.Renewals > renewals + 1); // it has looked for an owner several times
        mayRelease.SetResult();

        Assert.Equal("ok", await entered);
        await bob.WaitForAsync("back #1 recovered False");
        Assert.Equal((await bob.AskAsync())[0], (await cid.AskAsync())[0]);
        Assert.Equal("ok", await (await (await StartAsync()).ConnectAsync()).EnterAsync("dan"));
        bob.Say("two");
        await cid.WaitForAsync("bob two #2");
    }

    [Fact]
    public async Task A_room_that_a_node_creates_again_while_the_log_has_its_claim_has_an_owner()
    {
        (HallNode first, HallNode second, _, _) = await StartTwoAsync();
        Session session = second.Server.Sessions.FindUser("bob")!;
        var settings = new RoomSettings { Name = $"{HallName} again", IsClustered = true };
        int claims = first.Switch.CountOf(OwnerKind);

        await second.Switch.HoldAsync();
        Hall former = second.Server.Rooms.Create<Hall>(settings);
        await Eventually.TrueAsync(() => first.Switch.CountOf(OwnerKind) > claims);
        await former.PostAsync(static hall => hall.End());
        await Eventually.TrueAsync(() => second.Server.Rooms.Count == 1);
        Hall next = second.Server.Rooms.Create<Hall>(settings);
        await next.PostAsync(static _ => { }); // it has begun
        second.Switch.Hear(); // the log has the claim of the former room, and that the node gives it up

        JoinResult<Guest> joined = await next.JoinAsync(session, new Enter("bob")).AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(JoinStatus.Joined, joined.Status);
    }
}
