using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>
/// <see cref="RoomTurn"/> with its own queue and scheduler, but without a room around it. The turns run on the test's thread.
/// </summary>
public sealed class RoomTurnTests
{
    [Fact]
    public async Task A_turn_runs_creation_ended_sessions_timers_items_and_the_end_in_this_order()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        var room = new StubHooks(sessions);
        RoomTurn turn = room.Turn;
        room.Post("job");
        turn.Queue.PostChanged(sessions.Open());
        turn.Timers.After(TimeSpan.Zero, () => room.Calls.Add("timer"));
        turn.Timers.RunLater(); // as if the clock had woken the room
        turn.RemoveIfEmpty();
        turn.Queue.Close();

        work.RunAll();

        Assert.Equal(["OnCreate", "OnSessionChanged", "timer", "job", "OnEmpty", "OnDispose", "OnEnded"], room.Calls);
        Assert.True(turn.Ended.IsCompletedSuccessfully);
        Assert.True(turn.Scheduler.IsIdle);
    }

    [Fact]
    public async Task A_turn_takes_MaxItemsPerTurn_and_leaves_the_rest_to_the_next()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        var room = new StubHooks(sessions, static rooms => rooms.MaxItemsPerTurn = 2);
        for (int i = 0; i < 5; i++)
        {
            room.Post($"{i}");
        }

        List<int> after = [];
        while (work.Count > 0)
        {
            work.RunNext();
            after.Add(room.Calls.Count - 1); // without OnCreate
        }

        Assert.Equal([2, 4, 5], after);
        Assert.Equal(["OnCreate", "0", "1", "2", "3", "4"], room.Calls);
        Assert.Equal(5, sessions.Metrics.Read(Counter.JobsExecuted));
    }

    [Fact]
    public async Task What_the_application_throws_is_counted_and_logged_and_the_turn_continues()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        var room = new StubHooks(sessions) { IsFaulty = true };
        room.Post("1");
        room.Post("2");
        room.Turn.Queue.PostChanged(sessions.Open());
        room.Turn.Queue.Close();

        work.RunAll();

        Assert.Equal(["OnCreate", "OnSessionChanged", "1", "2", "OnDispose", "OnEnded"], room.Calls);
        Assert.Equal(5, sessions.Metrics.Read(Counter.HandlerFaults));
        Assert.Equal(3, sessions.Logger.Count("JobFault"));
        Assert.Equal(2, sessions.Logger.Count("HookFault"));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task A_room_is_removed_when_empty_if_its_settings_say_so(bool hasMember, bool removeWhenEmpty)
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        var room = new StubHooks(sessions, settings: new RoomSettings { Name = "room", RemoveWhenEmpty = removeWhenEmpty });
        if (hasMember)
        {
            sessions.OpenMembers(room.Members, 1);
        }

        room.Post("job");
        room.Turn.RemoveIfEmpty();
        work.RunAll();
        room.Post("another"); // nothing has changed since: not asked again
        work.RunAll();

        string[] expected = (hasMember, removeWhenEmpty) switch
        {
            (true, _) => ["OnCreate", "job", "another"],
            (_, true) => ["OnCreate", "job", "OnEmpty", "Remove", "OnDispose", "OnEnded"],
            _ => ["OnCreate", "job", "OnEmpty", "another"],
        };
        Assert.Equal(expected, room.Calls.ToArray());
    }

    [Fact]
    public async Task The_members_of_a_removed_room_leave_over_as_many_turns_as_that_takes()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        var room = new StubHooks(sessions, static rooms => rooms.MaxItemsPerTurn = 2);
        sessions.OpenMembers(room.Members, 5);
        room.Post("job");
        room.Turn.Queue.Close();

        int turns = 0;
        for (; work.Count > 0; turns++)
        {
            work.RunNext();
        }

        Assert.Equal(["OnCreate", "job", .. Enumerable.Repeat("TakeOut", 5), "OnDispose", "OnEnded"], room.Calls);
        Assert.InRange(turns, 3, 4);
        Assert.Equal(0, room.Members.Count);
    }

    [Fact]
    public async Task A_waiter_completes_when_what_was_queued_before_it_is_flushed()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        var room = new StubHooks(sessions);
        Session[] members = sessions.OpenMembers(room.Members, 1);
        var waiter = new TaskCompletionSource();
        room.Post("1", () => room.Outbox.Broadcast("x"u8, default, default));
        room.Post("2", () => room.Turn.CompleteWhenFlushed(waiter));
        Assert.False(waiter.Task.IsCompleted);

        work.RunAll();

        Assert.True(waiter.Task.IsCompletedSuccessfully);
        Assert.Equal(["x"], sessions.Received(members[0]));
    }

    /// <summary>Notes what the turn calls.</summary>
    private sealed class StubHooks : IRoomHooks
    {
        internal StubHooks(StubSessions sessions, Action<RoomOptions>? rooms = null, RoomSettings? settings = null)
        {
            RoomServices services = sessions.NewRoomServices(rooms);
            var context = new RoomContext(1, settings ?? new RoomSettings { Name = "room" }, services, new RoomRegistry(services));
            Members = new RoomMembership(new NoRoom(), capacity: 100);
            Outbox = new RoomOutbox(Members, services);
            Turn = new RoomTurn(this, Outbox, Members, context);
        }

        internal List<string> Calls { get; } = [];

        internal RoomMembership Members { get; }

        internal RoomOutbox Outbox { get; }

        internal RoomTurn Turn { get; }

        internal bool IsFaulty { get; init; }

        public void OnCreate() => Note(nameof(OnCreate));

        public void OnTick(in RoomTick tick) => Note(nameof(OnTick));

        public void OnEmpty() => Note(nameof(OnEmpty));

        public void OnDispose() => Note(nameof(OnDispose));

        public void OnTurnEnd() => Note(nameof(OnTurnEnd));

        public void Run(in RoomItem item)
        {
            ((Action?)item.Second)?.Invoke();
            Note((string)item.First!);
        }

        public void OnSessionChanged(Session session) => Note(nameof(OnSessionChanged));

        public void TakeOut(Session member)
        {
            Members.RemoveAt(Members.PlaceOf(member));
            Note(nameof(TakeOut));
        }

        public void Remove()
        {
            Calls.Add(nameof(Remove));
            Turn.Queue.Close();
        }

        public void OnEnded() => Calls.Add(nameof(OnEnded));

        internal void Post(string name, Action? job = null) => Turn.Queue.TryPost(new RoomItem(null, null, name, job, null, default, 0));

        private void Note(string call)
        {
            Calls.Add(call);
            if (IsFaulty)
            {
                throw new InvalidOperationException("The application's fault.");
            }
        }
    }
}
