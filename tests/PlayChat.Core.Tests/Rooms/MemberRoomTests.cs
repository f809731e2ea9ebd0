using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class MemberRoomTests
{
    [Fact]
    public async Task The_hooks_are_called_in_their_order()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        MemberRoom room = harness.Room;
        HarnessClient[] clients = await harness.ConnectAsync(3);

        foreach (HarnessClient client in clients)
        {
            Assert.True((await room.JoinAsync(client.Session)).IsJoined);
        }

        Assert.True(await room.LeaveAsync(clients[0].Session));
        Assert.False(await room.LeaveAsync(clients[0].Session));
        clients[1].Break();
        await harness.IdleAsync();
        await harness.InTurnAsync(room => Assert.True(room.Leave(clients[2].Session)));
        await harness.InTurnAsync(static room => room.Remove());

        Assert.Equal(
            [
                "create", "joining", "enter", "joining", "enter", "joining", "enter",
                "leave Left", "leave SessionEnded", "leave Expelled", "empty", "dispose",
            ],
            room.Hooks);
        Assert.Equal(["entered", "entered", "entered"], clients[0].Texts());
        Assert.Equal(["entered", "left", "left"], clients[2].Texts());
    }

    [Fact]
    public async Task A_room_is_created_in_a_turn_of_its_own_before_any_session_joins()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();

        await Eventually.TrueAsync(() => harness.Room.Hooks.Count == 1); // nothing is posted here: that would give it a turn as well

        Assert.Equal(["create"], harness.Room.Hooks);
    }

    [Fact]
    public async Task A_member_is_found_by_its_session_and_the_room_by_the_session()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        MemberRoom room = harness.Room;
        MemberRoom second = harness.Server.Rooms.Create("second", static context => new MemberRoom(context));
        Session session = (await harness.ConnectAsync()).Session;
        Session other = (await harness.ConnectAsync()).Session;
        var argument = new object();
        await room.JoinAsync(other);

        JoinResult<TestMember> joined = await room.JoinAsync(session, argument: argument);

        Assert.Equal((JoinStatus.Joined, null), (joined.Status, joined.Reason));
        Assert.Same(argument, joined.Member!.Argument);
        Assert.Same(room, session.FindRoom<MemberRoom>());
        Assert.Null(session.FindRoom<TestRoom>());
        await second.JoinAsync(session);
        Assert.Same(second, session.FindRoom<MemberRoom>());
        await room.LeaveAsync(other); // its place is the other's now
        await harness.InTurnAsync(r => Assert.Equal((joined.Member, joined.Member), (r.Find(session), r.Members[0])));
        await second.LeaveAsync(session);
        await room.LeaveAsync(session);
        Assert.Null(session.FindRoom<Room>());
    }

    [Fact]
    public async Task The_members_are_a_list_whose_enumeration_allocates_nothing_and_ends_with_a_change()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        HarnessClient[] clients = await harness.ConnectAsync(3);
        foreach (HarnessClient client in clients)
        {
            await harness.Room.JoinAsync(client.Session);
        }

        await harness.InTurnAsync(room =>
        {
            Assert.Equal(clients.Select(static client => client.Session), room.Members.Select(static member => member.Session));
            Assert.Same(clients[2].Session, room.Members[^1].Session);
            int seen = 0;
            Assert.Equal(0, AllocatedBytes.InSteadyState(() =>
            {
                foreach (TestMember member in room.Members)
                {
                    seen += member.Session.Id > 0 ? 1 : 0;
                }
            }));
            Assert.True(seen > 0);
            Assert.Throws<InvalidOperationException>(() =>
            {
                foreach (TestMember member in room.Members)
                {
                    room.Leave(member.Session);
                }
            });
            Assert.Equal([clients[2].Session, clients[1].Session], room.Members.Select(static member => member.Session));
        });
    }

    [Fact]
    public async Task The_rooms_of_a_session_are_listed_in_the_order_in_which_it_entered_them()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        MemberRoom second = harness.Server.Rooms.Create("second", static context => new MemberRoom(context));
        TestRoom other = harness.Server.Rooms.Create("other", static context => new TestRoom(context));
        HarnessClient client = await harness.ConnectAsync();
        Session session = client.Session;
        await second.JoinAsync(session);
        await harness.Room.JoinAsync(session);
        await harness.InTurnAsync(other, room => room.Join(session));

        Assert.Equal([second, harness.Room], session.FindRooms<MemberRoom>());
        Assert.Equal([second, harness.Room, other], session.FindRooms<Room>());
        Assert.Same(second, session.FindRoom<MemberRoom>(second.Id));
        Assert.Null(session.FindRoom<MemberRoom>(other.Id));
        await second.LeaveAsync(session);
        Assert.Null(session.FindRoom<Room>(second.Id));
        Assert.Equal([harness.Room, other], session.FindRooms<Room>());
        client.Break();
        await harness.IdleAsync();

        Assert.Empty(session.FindRooms<Room>());
    }

    [Fact]
    public async Task A_session_enters_no_more_rooms_than_it_may_however_many_it_joins_at_once()
    {
        await using RoomHarness<MemberRoom> harness =
            await MemberRoom.StartAsync(static server => server.Options.Rooms.MaxRoomsPerSession = 3);
        Session session = (await harness.ConnectAsync()).Session;
        MemberRoom[] rooms =
            [.. Enumerable.Range(0, 20).Select(_ => harness.Server.Rooms.Create("r", static context => new MemberRoom(context)))];

        JoinResult<TestMember>[] results =
            await Task.WhenAll(rooms.Select(room => Task.Run(async () => await room.JoinAsync(session))));

        Assert.Equal(3, results.Count(static result => result.IsJoined));
        Assert.Equal(17, results.Count(static result => result is { Status: JoinStatus.TooManyRooms, Reason.Length: > 0 }));
        IReadOnlyList<MemberRoom> entered = session.FindRooms<MemberRoom>();
        Assert.Equal(3, entered.Count);
        await entered[0].LeaveAsync(session);
        MemberRoom left = rooms.First(room => room.MemberCount == 0);
        Assert.True((await left.JoinAsync(session)).IsJoined);
    }

    [Fact]
    public async Task Every_refusal_says_why()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync(static server => server.Options.Rooms.MaxMembers = 1);
        MemberRoom room = harness.Room;
        MemberRoom strict = harness.Server.Rooms.Create(
            "strict", static context => new MemberRoom(context) { Refusal = "You are too young." });
        HarnessClient[] clients = await harness.ConnectAsync(3);
        (Session first, Session ended, Session second) = (clients[0].Session, clients[1].Session, clients[2].Session);
        clients[1].Break();
        await harness.IdleAsync();

        JoinResult<TestMember> lost = await room.JoinAsync(ended);
        JoinResult<TestMember> entered = await room.JoinAsync(first);
        JoinResult<TestMember> again = await room.JoinAsync(first);
        JoinResult<TestMember> full = await room.JoinAsync(second);
        JoinResult<TestMember> refused = await strict.JoinAsync(second);
        await harness.InTurnAsync(static room => room.Remove());
        JoinResult<TestMember> removed = await room.JoinAsync(second);

        Assert.Equal(
            [JoinStatus.SessionEnded, JoinStatus.AlreadyMember, JoinStatus.Full, JoinStatus.Refused, JoinStatus.Removed],
            [lost.Status, again.Status, full.Status, refused.Status, removed.Status]);
        Assert.All([lost, again, full, refused, removed], static result => Assert.False(string.IsNullOrEmpty(result.Reason)));
        Assert.Equal("You are too young.", refused.Reason);
        Assert.Same(entered.Member, again.Member);
    }

    [Fact]
    public async Task Of_1500_who_join_at_once_1000_get_the_seats_and_500_hear_that_it_is_full()
    {
        await using RoomHarness<MemberRoom> harness = await HarnessSteps.StartAsync(
            static context => new MemberRoom(context) { IsQuiet = true },
            static server => (server.Options.Rooms.MaxMembers, server.Options.Rooms.QueueItems) = (1000, 64));
        MemberRoom room = harness.Room;
        HarnessClient[] clients = await harness.ConnectAsync(1500);

        JoinResult<TestMember>[] results =
            await Task.WhenAll(clients.Select(client => Task.Run(async () => await room.JoinAsync(client.Session))))
                .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1000, room.MemberCount);
        Assert.Equal(1000, results.Count(static result => result.IsJoined));
        Assert.Equal(1000, results.Select(static result => result.Member).OfType<TestMember>().Distinct().Count());
        Assert.Equal(500, results.Count(static result => result is { Status: JoinStatus.Full, Reason.Length: > 0 }));
    }

    [Theory]
    [InlineData("joining")]
    [InlineData("enter")]
    public async Task A_fault_while_joining_goes_to_the_one_who_joins_and_leaves_no_member(string hook)
    {
        var logger = new RecordingLogger();
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync(server => server.UseLogging(logger));
        MemberRoom room = harness.Room;
        Session session = (await harness.ConnectAsync()).Session;
        await harness.InTurnAsync(room => room.Faulty = hook);

        InvalidOperationException fault = await Assert.ThrowsAsync<InvalidOperationException>(async () => await room.JoinAsync(session));

        Assert.Equal($"A fault in {hook}.", fault.Message);
        Assert.Equal(0, room.MemberCount);
        Assert.Null(session.FindRoom<MemberRoom>());
        await harness.InTurnAsync(static room => room.Faulty = null);
        Assert.True((await room.JoinAsync(session)).IsJoined);
        Assert.Equal(0, logger.Count("HookFault"));
    }

    [Fact]
    public async Task Faults_of_the_other_hooks_are_logged_and_the_room_goes_on_to_its_end()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<MemberRoom> harness = await HarnessSteps.StartAsync(
            static context => new MemberRoom(context) { Faulty = "create" }, server => server.UseLogging(logger));
        MemberRoom room = harness.Room;
        HarnessClient[] clients = await harness.ConnectAsync(2);

        await room.JoinAsync(clients[0].Session);
        await room.JoinAsync(clients[1].Session);
        await harness.InTurnAsync(static room => room.Faulty = "leave");
        Assert.True(await room.LeaveAsync(clients[0].Session));
        clients[1].Break();
        await harness.IdleAsync();
        await harness.InTurnAsync(static room =>
        {
            room.Faulty = "dispose";
            room.Remove();
        });

        Assert.Equal(4, logger.Count("HookFault"));
        Assert.Equal(4, harness.Figures().HandlerFaults);
        Assert.Equal(
            ["create", "joining", "enter", "joining", "enter", "leave Left", "leave SessionEnded", "empty", "dispose"], room.Hooks);
    }

    [Fact]
    public async Task A_removed_room_runs_what_was_queued_and_then_lets_its_members_go()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        MemberRoom room = harness.Room;
        HarnessClient[] clients = await harness.ConnectAsync(4);
        foreach (HarnessClient client in clients[..3])
        {
            await room.JoinAsync(client.Session);
        }

        ValueTask<JoinResult<TestMember>> late;
        using (await HeldRoom.HoldAsync(room))
        {
            room.Post(static (MemberRoom room) => room.Remove());
            late = room.JoinAsync(clients[3].Session);
            room.Post(static (MemberRoom room) => room.Broadcast("last"));
        }

        await harness.IdleAsync();

        Assert.Equal(JoinStatus.Removed, (await late).Status);
        Assert.Equal(["entered", "last"], clients[2].Texts());
        Assert.Equal(["leave RoomRemoved", "leave RoomRemoved", "leave RoomRemoved", "empty", "dispose"], room.Hooks[^5..]);
        Assert.All(clients, static client => Assert.Null(client.Session.FindRoom<MemberRoom>()));
        Assert.Equal(0, room.MemberCount);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Many_leaves_at_once_take_several_turns_and_no_member_that_reads_is_a_slow_consumer(bool removed)
    {
        await using var harness = new StubRoomHarness(
            rooms: static o => o.MaxItemsPerTurn = 16, connections: static o => o.MaxOutboundBytes = 4096);
        MemberRoom room = harness.Rooms.Create(
            "members", static context => new MemberRoom(context) { IsQuiet = true, Farewell = new string('x', 28) });
        Session[] sessions = [.. Enumerable.Range(0, 200).Select(_ => harness.NewSession())]; // of their farewells a queue takes 136
        foreach (Session session in sessions)
        {
            Assert.True((await room.JoinAsync(session)).IsJoined);
        }

        long before = harness.LinkOf(sessions[0]).Sends;
        if (removed)
        {
            room.Post(static (MemberRoom r) => r.Remove());
        }
        else
        {
            using (await HeldRoom.HoldAsync(room))
            {
                Array.ForEach(sessions[1..], session => harness.Sessions.Close(session));
            }

            await Eventually.TrueAsync(() => room.MemberCount == 1);
            room.Post(static (MemberRoom r) => r.Remove());
        }

        await harness.Rooms.DrainAsync().WaitAsync(TestTimeouts.Hang);

        Assert.True(sessions[0].Connection.IsOpen);
        Assert.True(harness.LinkOf(sessions[0]).Sends - before >= 200 / 16);
        Assert.Equal(200, room.Hooks.Count(static hook => hook.StartsWith("leave", StringComparison.Ordinal)));
        Assert.Equal(["empty", "dispose"], room.Hooks[^2..]);
    }

    [Fact]
    public async Task Who_waits_for_a_place_in_the_queue_of_a_room_that_is_removed_hears_it()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync(static server => server.Options.Rooms.QueueItems = 16);
        MemberRoom room = harness.Room;
        Session session = (await harness.ConnectAsync()).Session;
        using HeldRoom held = await HeldRoom.HoldAsync(room, static r => r.Remove());
        while (room.Post(static (MemberRoom _) => { }))
        {
            // Until it is full.
        }

        ValueTask<JoinResult<TestMember>> joining = room.JoinAsync(session);
        ValueTask<bool> leaving = room.LeaveAsync(session);
        held.Release();

        Assert.Equal(JoinStatus.Removed, (await joining.AsTask().WaitAsync(TestTimeouts.Hang)).Status);
        Assert.False(await leaving.AsTask().WaitAsync(TestTimeouts.Hang));
        await harness.IdleAsync();
        Assert.Equal("dispose", room.Hooks[^1]);
    }

    [Fact]
    public async Task Joins_against_ends_and_the_removal_leave_no_member_behind()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        for (int i = 0; i < 50; i++)
        {
            MemberRoom room = harness.Server.Rooms.Create("members", static context => new MemberRoom(context));
            HarnessClient[] clients = await harness.ConnectAsync(8);

            Task<JoinResult<TestMember>[]> joining = Task.WhenAll(
                clients.Select(client => Task.Run(async () => await room.JoinAsync(client.Session))));
            Task ending = Task.Run(clients[0].Break);
            Task removing = Task.Run(() => room.Post(static (MemberRoom r) => r.Remove()));
            await Task.WhenAll(joining, ending, removing).WaitAsync(TestTimeouts.Hang);
            await harness.IdleAsync();

            Assert.Equal(0, room.MemberCount);
            Assert.Equal("dispose", room.Hooks[^1]);
            int entered = (await joining).Count(static result => result.IsJoined);
            Assert.Equal(entered, room.Hooks.Count(static hook => hook == "enter"));
            Assert.Equal(entered, room.Hooks.Count(static hook => hook.StartsWith("leave", StringComparison.Ordinal)));
            Assert.All(clients, static client => Assert.Null(client.Session.FindRoom<MemberRoom>()));
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
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        MemberRoom room = harness.Server.Rooms.Create(
            new RoomSettings { Name = "passing", RemoveWhenEmpty = true, Password = "right" },
            context => new MemberRoom(context)
            {
                Refusal = why == "refused" ? "You are too young." : null,
                Faulty = why,
                SendsAway = why == "sent away",
            });
        HarnessClient client = await harness.ConnectAsync();
        if (why == "ended")
        {
            client.Break();
            await harness.IdleAsync();
        }

        Task<JoinResult<TestMember>> joining = room.JoinAsync(client.Session, why == "password" ? "wrong" : "right").AsTask();
        if (why is "joining" or "enter")
        {
            await Assert.ThrowsAsync<InvalidOperationException>(() => joining.WaitAsync(TestTimeouts.Hang));
        }
        else
        {
            JoinResult<TestMember> result = await joining.WaitAsync(TestTimeouts.Hang);
            Assert.False(result.IsJoined);
            Assert.Null(result.Member);
            Assert.False(string.IsNullOrEmpty(result.Reason));
        }

        await harness.IdleAsync();
        Assert.Equal(["empty", "dispose"], room.Hooks[^2..]);
        Assert.Null(harness.Server.Rooms.Find(room.Id));
    }

    [Fact]
    public async Task A_room_that_goes_when_it_is_empty_goes_when_the_first_one_gives_up()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(static server => server.Options.Rooms.QueueItems = 16);
        Session session = (await harness.ConnectAsync()).Session;
        MemberRoom room = harness.Server.Rooms.Create(
            new RoomSettings { Name = "passing", RemoveWhenEmpty = true }, static context => new MemberRoom(context));
        using HeldRoom held = await HeldRoom.HoldAsync(room);
        while (room.Post(static (MemberRoom _) => { }))
        {
            // Until it is full.
        }

        using var giveUp = new CancellationTokenSource();
        Task joining = room.JoinAsync(session, cancellationToken: giveUp.Token).AsTask();
        await giveUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => joining.WaitAsync(TestTimeouts.Hang));
        held.Release();

        await harness.IdleAsync();
        Assert.Equal(["create", "empty", "dispose"], room.Hooks);
    }

    [Fact]
    public async Task Who_ends_the_rooms_waits_for_those_that_were_removed_before_as_often_as_he_asks()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        MemberRoom room = harness.Room;
        using var hold = new ManualResetEventSlim();
        var holding = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        room.Disposing = () =>
        {
            holding.SetResult();
            hold.Wait(TestTimeouts.Hang);
        };
        room.Post(static room => room.Remove());
        await holding.Task.WaitAsync(TestTimeouts.Hang);

        RoomRegistry rooms = harness.Server.Rooms;
        Task[] ending =
        [
            rooms.EndAsync(CancellationToken.None),
            rooms.EndAsync(CancellationToken.None),
            room.EndAsync(CancellationToken.None),
            rooms.DrainAsync(),
            rooms.DrainAsync(),
        ];
        Assert.All(ending, static task => Assert.False(task.IsCompleted));
        hold.Set();
        await Task.WhenAll(ending).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(["create", "dispose"], room.Hooks);
        Assert.Equal(0, rooms.Count);
        await rooms.EndAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
        await rooms.DrainAsync().WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_stopping_server_ends_its_rooms_after_its_sessions()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(["create", "joining", "enter", "leave SessionEnded", "empty", "dispose"], harness.Room.Hooks);
        Assert.Equal(0, harness.Server.Rooms.Count);
        Assert.Equal(CloseReason.PeerClosed, await client.Closed.WaitAsync(TestTimeouts.Hang));
    }
}
