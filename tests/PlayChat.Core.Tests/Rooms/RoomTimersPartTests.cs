using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomTimers"/> without a room around it: the test is the turn that runs what is due.</summary>
public sealed class RoomTimersPartTests
{
    private static readonly TimeSpan s_ms = TimeSpan.FromMilliseconds(1);

    [Fact]
    public async Task The_clock_wakes_the_room_when_the_first_timer_is_due()
    {
        await using var sessions = new StubSessions();
        (RoomTimers timers, _) = New(sessions);
        RoomTimer timer = timers.After(10 * s_ms, static () => { });
        timers.After(20 * s_ms, static () => { });
        timers.Arm();

        sessions.Time.Advance(9 * s_ms);
        Assert.False(timers.IsDue);
        sessions.Time.Advance(s_ms);

        Assert.True(timers.IsDue);
        timers.BeginRun();
        Assert.False(timers.IsDue);
        Assert.Same(timer, timers.FindDue());
        timers.Advance(timer);
        Assert.Null(timers.FindDue());
        Assert.False(timer.IsActive);
        timers.Arm();
        sessions.Time.Advance(10 * s_ms);
        Assert.True(timers.IsDue);
    }

    [Fact]
    public async Task A_timer_that_is_set_during_a_run_waits_for_a_later_one()
    {
        await using var sessions = new StubSessions();
        (RoomTimers timers, _) = New(sessions);

        timers.BeginRun();
        RoomTimer timer = timers.After(TimeSpan.Zero, static () => { });
        RoomTimer? inThisRun = timers.FindDue();
        timers.BeginRun();

        Assert.Null(inThisRun);
        Assert.Same(timer, timers.FindDue());
    }

    [Fact]
    public async Task The_rest_of_a_run_that_is_left_has_another_turn()
    {
        await using var sessions = new StubSessions();
        (RoomTimers timers, _) = New(sessions);
        timers.After(TimeSpan.Zero, static () => { });

        timers.BeginRun();
        Assert.NotNull(timers.FindDue());
        timers.RunLater();

        Assert.True(timers.IsDue);
        timers.BeginRun();
        Assert.NotNull(timers.FindDue());
    }

    [Fact]
    public async Task A_late_tick_counts_what_it_missed()
    {
        await using var sessions = new StubSessions();
        (RoomTimers timers, _) = New(sessions);
        timers.StartTick(hertz: 100);

        sessions.Time.Advance(45 * s_ms);
        timers.BeginRun();
        RoomTick late = timers.AdvanceTick(timers.FindDue()!);
        Assert.Null(timers.FindDue());
        sessions.Time.Advance(10 * s_ms);
        timers.BeginRun();
        RoomTick next = timers.AdvanceTick(timers.FindDue()!);

        Assert.InRange(late.Missed, 3, 4);
        Assert.Equal(late.Missed + 1, late.Number);
        Assert.Equal(10 * s_ms * (late.Missed + 1), late.Elapsed);
        Assert.InRange(late.Drift, TimeSpan.Zero, 10 * s_ms);
        Assert.Equal((late.Number + 1, 10 * s_ms, 0L, late.Drift), (next.Number, next.Elapsed, next.Missed, next.Drift));
        timers.StopTick();
        sessions.Time.Advance(100 * s_ms);
        timers.BeginRun();
        Assert.Null(timers.FindDue());
    }

    [Fact]
    public async Task After_the_end_of_the_room_no_timer_comes_due()
    {
        await using var sessions = new StubSessions();
        (RoomTimers timers, RoomServices services) = New(sessions);
        RoomTimer before = timers.Every(s_ms, static () => { });
        timers.Arm();

        timers.Close();
        RoomTimer after = timers.After(s_ms, static () => { });
        Assert.True(before.IsActive);
        timers.Clear();
        sessions.Time.Advance(10 * s_ms);

        Assert.False(before.IsActive || after.IsActive || timers.IsDue);
        var late = new RoomTimers(1, new TurnThread(1, "room"), Scheduler(services), services, isClosed: true);
        Assert.False(late.After(s_ms, static () => { }).IsActive);
    }

    private static (RoomTimers Timers, RoomServices Services) New(StubSessions sessions)
    {
        RoomServices services = sessions.NewRoomServices();
        return (new RoomTimers(7, new TurnThread(7, "room"), Scheduler(services), services, isClosed: false), services);
    }

    private static RoomScheduler Scheduler(RoomServices services) => new(new StubTurn(), new FlushLane(), services);
}
