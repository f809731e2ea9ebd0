using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class MemberRoomTests
{
    [Fact]
    public async Task The_hooks_are_called_in_their_order()
    {
        await using var harness = new RoomHarness();
        MemberRoom room = Create(harness);
        Session[] sessions = [.. Enumerable.Range(0, 3).Select(_ => harness.NewSession())];

        foreach (Session session in sessions)
        {
            Assert.True((await room.JoinAsync(session)).IsEntered);
        }

        Assert.True(await room.LeaveAsync(sessions[0]));
        Assert.False(await room.LeaveAsync(sessions[0]));
        harness.Sessions.Close(sessions[1]);
        await InTurnAsync(room, room => Assert.True(room.Leave(sessions[2])));
        await InTurnAsync(room, static room => room.Remove());
        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(
            ["create", "joining", "enter", "joining", "enter", "joining", "enter", "leave Left", "leave SessionEnded", "leave Expelled", "empty", "dispose"],
            room.Hooks);
        Assert.Equal(["entered", "entered", "entered"], harness.Received(sessions[0]));
        Assert.Equal(["entered", "left", "left"], harness.Received(sessions[2]));
    }

    [Fact]
    public async Task A_room_is_created_in_a_turn_of_its_own_before_anybody_comes()
    {
        await using var harness = new RoomHarness();

        MemberRoom room = Create(harness);

        await Eventually.TrueAsync(() => room.Hooks.Count == 1);
        Assert.Equal(["create"], room.Hooks);
    }

    [Fact]
    public async Task A_member_is_found_by_its_session_and_the_room_by_the_session()
    {
        await using var harness = new RoomHarness();
        MemberRoom room = Create(harness);
        MemberRoom second = Create(harness);
        Session session = harness.NewSession();
        Session other = harness.NewSession();
        var argument = new object();
        await room.JoinAsync(other);

        JoinResult<TestMember> joined = await room.JoinAsync(session, argument: argument);

        Assert.Equal((EnterResult.Entered, null), (joined.Result, joined.Reason));
        Assert.Same(argument, joined.Member!.Argument);
        Assert.Same(room, session.FindRoom<MemberRoom>());
        Assert.Null(session.FindRoom<TestRoom>());
        await second.JoinAsync(session);
        Assert.Same(second, session.FindRoom<MemberRoom>());
        await room.LeaveAsync(other); // its place is the other's now
        await InTurnAsync(room, r => Assert.Equal((joined.Member, joined.Member), (r.Find(session), r.Members[0])));
        await second.LeaveAsync(session);
        await room.LeaveAsync(session);
        Assert.Null(session.FindRoom<Room>());
    }

    [Fact]
    public async Task Every_refusal_says_why()
    {
        await using var harness = new RoomHarness(rooms: o => o.MaxMembers = 1);
        MemberRoom room = Create(harness);
        MemberRoom strict = harness.Rooms.Create("strict", static context => new MemberRoom(context) { Refusal = "You are too young." });
        Session first = harness.NewSession();
        Session ended = harness.NewSession();
        harness.Sessions.Close(ended);

        JoinResult<TestMember> lost = await room.JoinAsync(ended);
        JoinResult<TestMember> entered = await room.JoinAsync(first);
        JoinResult<TestMember> again = await room.JoinAsync(first);
        JoinResult<TestMember> full = await room.JoinAsync(harness.NewSession());
        JoinResult<TestMember> refused = await strict.JoinAsync(harness.NewSession());
        await InTurnAsync(room, static room => room.Remove());
        JoinResult<TestMember> removed = await room.JoinAsync(harness.NewSession());

        Assert.Equal(
            [EnterResult.SessionEnded, EnterResult.AlreadyMember, EnterResult.Full, EnterResult.Refused, EnterResult.Removed],
            [lost.Result, again.Result, full.Result, refused.Result, removed.Result]);
        Assert.All([lost, again, full, refused, removed], static result => Assert.False(string.IsNullOrEmpty(result.Reason)));
        Assert.Equal("You are too young.", refused.Reason);
        Assert.Same(entered.Member, again.Member);
    }

    [Fact]
    public async Task Of_1500_who_join_at_once_1000_get_the_seats_and_500_hear_that_it_is_full()
    {
        await using var harness = new RoomHarness(rooms: o => (o.MaxMembers, o.QueueItems) = (1000, 64));
        MemberRoom room = Create(harness);
        Session[] sessions = [.. Enumerable.Range(0, 1500).Select(_ => harness.NewSession())];

        JoinResult<TestMember>[] results = await Task.WhenAll(sessions.Select(session => Task.Run(async () => await room.JoinAsync(session)))).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1000, room.MemberCount);
        Assert.Equal(1000, results.Count(static result => result.IsEntered));
        Assert.Equal(1000, results.Select(static result => result.Member).OfType<TestMember>().Distinct().Count());
        Assert.Equal(500, results.Count(static result => result is { Result: EnterResult.Full, Reason.Length: > 0 }));
    }

    [Theory]
    [InlineData("joining")]
    [InlineData("enter")]
    public async Task A_fault_while_joining_goes_to_the_one_who_joins_and_leaves_no_member(string hook)
    {
        await using var harness = new RoomHarness();
        MemberRoom room = Create(harness);
        Session session = harness.NewSession();
        await InTurnAsync(room, room => room.Faulty = hook);

        InvalidOperationException fault = await Assert.ThrowsAsync<InvalidOperationException>(async () => await room.JoinAsync(session));

        Assert.Equal($"A fault in {hook}.", fault.Message);
        Assert.Equal(0, room.MemberCount);
        Assert.Null(session.FindRoom<MemberRoom>());
        await InTurnAsync(room, static room => room.Faulty = null);
        Assert.True((await room.JoinAsync(session)).IsEntered);
        Assert.Equal(0, harness.Logger.Count("HookFault"));
    }

    [Fact]
    public async Task Faults_of_the_other_hooks_are_logged_and_the_room_goes_on_to_its_end()
    {
        await using var harness = new RoomHarness();
        MemberRoom room = harness.Rooms.Create("faulty", static context => new MemberRoom(context) { Faulty = "create" });
        Session session = harness.NewSession();
        Session last = harness.NewSession();

        await room.JoinAsync(session);
        await room.JoinAsync(last);
        await InTurnAsync(room, static room => room.Faulty = "leave");
        Assert.True(await room.LeaveAsync(session));
        harness.Sessions.Close(last);
        await Eventually.TrueAsync(() => room.MemberCount == 0);
        await InTurnAsync(room, static room =>
        {
            room.Faulty = "dispose";
            room.Remove();
        });
        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);

        await Eventually.TrueAsync(() => harness.Logger.Count("HookFault") == 4);
        Assert.Equal(4, harness.Metrics.Read(Counter.HandlerFaults));
        Assert.Equal(["create", "joining", "enter", "joining", "enter", "leave Left", "leave SessionEnded", "empty", "dispose"], room.Hooks);
    }

    [Fact]
    public async Task A_removed_room_runs_what_was_queued_and_then_lets_its_members_go()
    {
        await using var harness = new RoomHarness();
        MemberRoom room = Create(harness);
        Session[] sessions = [.. Enumerable.Range(0, 3).Select(_ => harness.NewSession())];
        foreach (Session session in sessions)
        {
            await room.JoinAsync(session);
        }

        using var hold = new ManualResetEventSlim();
        room.Post((MemberRoom _) => hold.Wait(TestTimeouts.Hang));
        room.Post(static (MemberRoom room) => room.Remove());
        ValueTask<JoinResult<TestMember>> late = room.JoinAsync(harness.NewSession());
        room.Post(static (MemberRoom room) => room.Broadcast("last"));
        hold.Set();
        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(EnterResult.Removed, (await late).Result);
        await Eventually.TrueAsync(() => harness.Received(sessions[2])[^1] == "last");
        Assert.Equal(["leave RoomRemoved", "leave RoomRemoved", "leave RoomRemoved", "empty", "dispose"], room.Hooks[^5..]);
        Assert.All(sessions, static session => Assert.Null(session.FindRoom<MemberRoom>()));
        Assert.Equal(0, room.MemberCount);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Many_who_leave_at_once_are_told_in_several_turns_and_nobody_who_reads_is_a_slow_consumer(bool removed)
    {
        await using var harness = new RoomHarness(rooms: static o => o.MaxItemsPerTurn = 16, connections: static o => o.MaxOutboundBytes = 4096);
        MemberRoom room = Create(harness);
        Session[] sessions = [.. Enumerable.Range(0, 900).Select(_ => harness.NewSession())]; // of their farewells a queue takes 682
        foreach (Session session in sessions)
        {
            Assert.True((await room.JoinAsync(session)).IsEntered);
        }

        long before = harness.LinkOf(sessions[0]).Sends;
        if (removed)
        {
            room.Post(static (MemberRoom r) => r.Remove());
        }
        else
        {
            using var hold = new ManualResetEventSlim();
            using var holding = new ManualResetEventSlim();
            room.Post((MemberRoom r) =>
            {
                holding.Set();
                hold.Wait(TestTimeouts.Hang);
            });
            Assert.True(holding.Wait(TestTimeouts.Hang));
            Array.ForEach(sessions[1..], harness.Sessions.Close);
            hold.Set();
            await Eventually.TrueAsync(() => room.MemberCount == 1);
            await InTurnAsync(room, static r => r.Remove());
        }

        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);

        Assert.True(sessions[0].Connection.IsOpen);
        Assert.True(harness.LinkOf(sessions[0]).Sends - before >= 50);
        Assert.Equal(900, room.Hooks.Count(static hook => hook.StartsWith("leave", StringComparison.Ordinal)));
        Assert.Equal(["empty", "dispose"], room.Hooks[^2..]);
    }

    [Fact]
    public async Task Who_waits_for_a_place_in_the_queue_of_a_room_that_is_removed_hears_it()
    {
        await using var harness = new RoomHarness(rooms: o => o.QueueItems = 16);
        MemberRoom room = Create(harness);
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        room.Post((MemberRoom r) =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
            r.Remove();
        });
        Assert.True(holding.Wait(TestTimeouts.Hang));
        while (room.Post(static (MemberRoom _) => { }))
        {
            // Until it is full.
        }

        ValueTask<JoinResult<TestMember>> joining = room.JoinAsync(harness.NewSession());
        ValueTask<bool> leaving = room.LeaveAsync(harness.NewSession());
        hold.Set();

        Assert.Equal(EnterResult.Removed, (await joining.AsTask().WaitAsync(TestTimeouts.Hang)).Result);
        Assert.False(await leaving.AsTask().WaitAsync(TestTimeouts.Hang));
        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task Joins_against_ends_and_the_removal_leave_nobody_behind()
    {
        await using var harness = new RoomHarness();
        for (int i = 0; i < 50; i++)
        {
            MemberRoom room = Create(harness);
            Session[] sessions = [.. Enumerable.Range(0, 8).Select(_ => harness.NewSession())];

            Task<JoinResult<TestMember>[]> joining = Task.WhenAll(sessions.Select(session => Task.Run(async () => await room.JoinAsync(session))));
            Task ending = Task.Run(() => harness.Sessions.Close(sessions[0]));
            Task removing = Task.Run(() => room.Post(static (MemberRoom r) => r.Remove()));
            await Task.WhenAll(joining, ending, removing, room.Disposed.Task).WaitAsync(TestTimeouts.Hang);

            Assert.Equal(0, room.MemberCount);
            Assert.Equal("dispose", room.Hooks[^1]);
            int entered = (await joining).Count(static result => result.IsEntered);
            Assert.Equal(entered, room.Hooks.Count(static hook => hook == "enter"));
            Assert.Equal(entered, room.Hooks.Count(static hook => hook.StartsWith("leave", StringComparison.Ordinal)));
            Assert.All(sessions, static session => Assert.Null(session.FindRoom<MemberRoom>()));
        }
    }

    [Theory]
    [InlineData("refused")]
    [InlineData("joining")]
    [InlineData("enter")]
    [InlineData("password")]
    [InlineData("ended")]
    [InlineData("sent away")]
    public async Task A_room_that_goes_when_it_is_empty_goes_when_the_first_one_is_not_let_in(string why)
    {
        await using var harness = new RoomHarness();
        MemberRoom room = harness.Rooms.Create(
            new RoomSettings { Name = "passing", RemoveWhenEmpty = true, Password = "right" },
            context => new MemberRoom(context) { Refusal = why == "refused" ? "You are too young." : null, Faulty = why, SendsAway = why == "sent away" });
        Session session = harness.NewSession();
        if (why == "ended")
        {
            harness.Sessions.Close(session);
        }

        Task<JoinResult<TestMember>> joining = room.JoinAsync(session, why == "password" ? "wrong" : "right").AsTask();
        if (why is "joining" or "enter")
        {
            await Assert.ThrowsAsync<InvalidOperationException>(() => joining.WaitAsync(TestTimeouts.Hang));
        }
        else
        {
            JoinResult<TestMember> result = await joining.WaitAsync(TestTimeouts.Hang);
            Assert.False(result.IsEntered);
            Assert.Null(result.Member);
            Assert.False(string.IsNullOrEmpty(result.Reason));
        }

        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(["empty", "dispose"], room.Hooks[^2..]);
        Assert.Null(harness.Rooms.Find(room.Id));
    }

    [Fact]
    public async Task A_room_that_goes_when_it_is_empty_goes_when_the_first_one_gives_up()
    {
        await using var harness = new RoomHarness(rooms: static o => o.QueueItems = 16);
        MemberRoom room = harness.Rooms.Create(new RoomSettings { Name = "passing", RemoveWhenEmpty = true }, static context => new MemberRoom(context));
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        room.Post((MemberRoom _) =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
        });
        Assert.True(holding.Wait(TestTimeouts.Hang));
        while (room.Post(static (MemberRoom _) => { }))
        {
            // Until it is full.
        }

        using var giveUp = new CancellationTokenSource();
        Task joining = room.JoinAsync(harness.NewSession(), cancellationToken: giveUp.Token).AsTask();
        await giveUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => joining.WaitAsync(TestTimeouts.Hang));
        hold.Set();

        await room.Disposed.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(["create", "empty", "dispose"], room.Hooks);
    }

    [Fact]
    public async Task Who_ends_the_rooms_waits_for_those_that_were_removed_before_as_often_as_he_asks()
    {
        await using var harness = new RoomHarness();
        MemberRoom room = Create(harness);
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        room.Disposing = () =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
        };
        room.Post(static (MemberRoom r) => r.Remove());
        Assert.True(holding.Wait(TestTimeouts.Hang));

        Task[] ending = [harness.Rooms.EndAsync(CancellationToken.None), harness.Rooms.EndAsync(CancellationToken.None), room.EndAsync(CancellationToken.None)];
        Assert.All(ending, static task => Assert.False(task.IsCompleted));
        hold.Set();
        await Task.WhenAll(ending).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(["create", "dispose"], room.Hooks);
        Assert.Equal(0, harness.Rooms.Count);
        await harness.Rooms.EndAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_stopping_server_ends_its_rooms_after_its_sessions()
    {
        MemberRoom? room = null;
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnStarting(started => room = started.Rooms.Create("members", static context => new MemberRoom(context)))
            .OnConnected(session => _ = room!.JoinAsync(session).AsTask())
            .OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();
        await Eventually.TrueAsync(() => room!.MemberCount == 1);

        Task stopping = harness.Server.StopAsync();
        await client.ReceiveToEndAsync();
        client.Shutdown();
        await stopping.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(["create", "joining", "enter", "leave SessionEnded", "empty", "dispose"], room!.Hooks);
        Assert.Equal(0, harness.Server.Rooms.Count);
    }

    private static MemberRoom Create(RoomHarness harness) => harness.Rooms.Create("members", static context => new MemberRoom(context));

    private static async Task InTurnAsync(MemberRoom room, Action<MemberRoom> job)
    {
        Assert.True(room.Post(job));
        await room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
    }
}
