using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>The members of a room that several servers share: joins, leaves, and lost sessions.</summary>
public abstract class MemberContract(Func<Task<BackplaneSpace>> createSpace) : HallContract(createSpace)
{
    [Fact]
    public async Task A_join_is_decided_by_the_owner()
    {
        HallNode first = await StartAsync(capacity: 2, password: "please");
        HallNode second = await StartAsync(capacity: 2, password: "please");
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
    public async Task A_member_that_leaves_and_joins_again_within_a_round_trip_is_a_member()
    {
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        Session session = second.Server.Sessions.FindUser("bob")!;

        await second.Switch.HoldAsync(); // both are in the log before the answer to any is read
        bool hasLeft = await second.Hall.LeaveAsync(session);
        Task<JoinResult<Guest>> joining = second.Hall.JoinAsync(session, new Enter("bob")).AsTask();
        await ann.WaitForAsync("bob left Left");
        await ann.WaitForAsync(static text => text == "bob is here", from: 3);
        second.Switch.Hear();
        JoinStatus joined = (await joining.WaitAsync(TestTimeouts.Hang)).Status;
        bob.Say("again");
        await bob.WaitForAsync("bob again #1");
        await ann.WaitForAsync("bob again #1");

        Assert.Equal((true, JoinStatus.Joined), (hasLeft, joined));
        Assert.Equal(["welcome ann ann", "bob is here", "bob left Left", "bob is here", "bob again #1"], ann.Heard);
        Assert.Equal(["welcome bob bob", "welcome bob bob", "bob again #1"], bob.Heard);
        Assert.Equal("2", (await bob.AskAsync())[2]);
        Assert.Equal(1, second.Hall.MemberCount);
    }

    [Fact]
    public async Task Each_node_takes_over_its_sessions_that_the_owner_hands_over_and_they_may_join_again()
    {
        (HallNode first, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        (HallNode third, _) = await StartAsync("dan");
        Assert.True(await third.Hall.LeaveAsync(third.Server.Sessions.FindUser("dan")!));
        await ann.WaitForAsync("dan left Left"); // the third node reads the log now; it has no sessions, but the transfer names it
        HallClient cid = await second.JoinAsync("cid");

        await ann.AskAsync("hand over too much");
        await ann.AskAsync("hand over");
        await Eventually.TrueAsync(() => Hall.Placed.GetValueOrDefault(HallName) == 1);
        await ann.WaitForAsync("ann has handed over 1");
        await bob.WaitForAsync("ann has handed over 2");
        await cid.WaitForAsync("ann has handed over 2");

        Assert.Equal((0, 0, 0), (first.Hall.MemberCount, second.Hall.MemberCount, third.Hall.MemberCount));
        Assert.Equal("ok", await bob.EnterAsync("bob"));
        Assert.Equal("1", (await bob.AskAsync())[2]);
    }

    [Fact]
    public async Task A_member_that_has_left_before_its_node_learns_of_the_transfer_is_not_taken_over()
    {
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        HallClient cid = await second.JoinAsync("cid");

        await second.Switch.HoldAsync();
        await ann.AskAsync("hand over");
        Assert.True(await second.Hall.LeaveAsync(second.Server.Sessions.FindUser("bob")!));
        second.Switch.Hear();
        await cid.WaitForAsync("ann has handed over 1");

        Assert.Equal("ok", await bob.EnterAsync("bob"));
        Assert.DoesNotContain("ann has handed over 1", bob.Heard, StringComparer.Ordinal);
    }

    [Fact]
    public async Task A_join_that_times_out_while_its_answer_is_on_its_way_makes_no_member_and_the_next_one_does()
    {
        HallNode first = await StartAsync();
        HallNode second = await StartAsync(answers: TimeSpan.FromMilliseconds(100));
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.ConnectAsync();
        HallClient cid = await second.ConnectAsync();
        await Eventually.GetAsync(() => bob.EnterAsync("bob"), static result => result == "ok"); // then the node knows the owner

        await second.Switch.HoldAsync();
        string late = await cid.EnterAsync("cid");
        await ann.WaitForAsync("cid is here");
        await ann.WaitForAsync("cid left SessionEnded");
        string[] members = await ann.AskAsync();
        second.Switch.Hear();
        await Eventually.GetAsync(() => cid.EnterAsync("cid"), static result => result == "ok");

        Assert.Equal("Unavailable: The room has no owner in the cluster at the moment.", late);
        Assert.Equal("2", members[2]);
        Assert.Equal("3", (await cid.AskAsync())[2]);
        Assert.Equal(2, second.Hall.MemberCount);
    }

    [Fact]
    public async Task A_join_that_was_given_up_does_not_end_the_next_one_of_its_session()
    {
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        Session session = second.Server.Sessions.FindUser("bob")!;
        await second.Hall.LeaveAsync(session);
        await ann.WaitForAsync("bob left Left");
        using var stop = new CancellationTokenSource();

        await second.Switch.HoldAsync(); // all that follows is in the log before the answer to the first join is read
        Task former = second.Hall.JoinAsync(session, new Enter("bob"), cancellationToken: stop.Token).AsTask();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => former);
        Task<JoinResult<Guest>> next = second.Hall.JoinAsync(session, new Enter("bob")).AsTask();
        second.Switch.Hear();

        Assert.Equal(JoinStatus.Joined, (await next.WaitAsync(TestTimeouts.Hang)).Status);
        Assert.Equal("2", (await bob.AskAsync())[2]);
    }

    [Fact]
    public async Task A_session_whose_join_is_given_up_while_its_answer_arrives_is_no_member()
    {
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        await (await second.ConnectAsync()).EnterAsync("nobody");
        Session session = second.Server.Sessions.FindUser("nobody")!;
        using var stop = new CancellationTokenSource();
        using var gate = new ManualResetEventSlim();

        await bob.AskAsync(); // what the owner has sent before is in the log
        await second.Switch.HoldAsync();
        int read = second.Switch.CountOf(OutputKind);
        Task join = second.Hall.JoinAsync(session, new Enter("cid"), cancellationToken: stop.Token).AsTask();
        await ann.WaitForAsync("cid is here");
        Assert.True(second.Hall.Post(_ => gate.Wait()));
        second.Switch.Hear();
        await Eventually.TrueAsync(() => second.Switch.CountOf(OutputKind) > read); // the answer waits for the room's turn
        await stop.CancelAsync();
        gate.Set();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => join);
        await ann.WaitForAsync("cid left SessionEnded");
        Assert.Equal("2", (await bob.AskAsync())[2]);
        Assert.Equal(1, second.Hall.MemberCount);
    }

    [Fact]
    public async Task A_member_leaves_when_its_session_ends_and_is_closed_when_the_room_says_so()
    {
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
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
    public async Task A_member_that_resumes_returns_to_a_room_of_another_node()
    {
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
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
    public async Task Members_of_a_lost_node_leave_and_the_owner_stays()
    {
        (_, HallNode second, HallClient ann, _) = await StartTwoAsync();
        string owner = (await ann.AskAsync())[0];

        second.Switch.IsDead = true;

        await ann.WaitForAsync("bob left NodeLost");
        Assert.Equal(owner, (await ann.AskAsync())[0]);
    }

    [Fact]
    public async Task A_node_that_learns_from_the_directory_that_it_is_lost_closes_its_members_before_it_reads_that_they_left()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync();
        await first.Switch.DeafenAsync();
        await bob.WaitForAsync("ann left NodeLost"); // is in the log, behind the end of the node
        var isFenced = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var mayContinue = new ManualResetEventSlim(); // not disposed: the node's thread may begin to wait for it after the test
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
}
