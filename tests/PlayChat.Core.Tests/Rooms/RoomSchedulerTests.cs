using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomScheduler"/> without a room around it.</summary>
public sealed class RoomSchedulerTests
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(20);

    [Fact]
    public async Task Posts_before_a_turn_share_it_and_a_post_behind_it_has_another()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions);
        Assert.True(scheduler.IsIdle);

        scheduler.Schedule();
        scheduler.Schedule();
        Assert.Equal(1, work.Count);
        Assert.False(scheduler.IsIdle);
        work.RunAll();
        Assert.True(scheduler.IsIdle);
        scheduler.Schedule();
        work.RunAll();

        Assert.Equal(2, turn.Runs);
    }

    [Fact]
    public async Task Work_that_is_posted_while_the_turn_runs_is_not_left_behind()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions);
        turn.Running = () =>
        {
            if (turn.Runs == 1)
            {
                turn.HasWork = true;
                scheduler.Schedule(); // finds the turn running, and does nothing
                Assert.Equal(0, work.Count);
            }
        };

        scheduler.Schedule();
        work.RunAll();

        Assert.Equal(2, turn.Runs);
        Assert.True(scheduler.IsIdle);
    }

    [Fact]
    public async Task A_flush_in_slices_is_one_turn()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions);
        turn.IsSmall = false;
        turn.Slices = 3;

        scheduler.Schedule();
        int items = 0;
        for (; work.Count > 0; items++)
        {
            Assert.False(scheduler.IsIdle);
            work.RunNext();
        }

        Assert.Equal((3, 1, 1), (items, turn.Runs, turn.Flushes));
    }

    [Fact]
    public async Task A_turn_that_was_cut_short_continues_at_once_though_the_flush_interval_has_not_passed()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions, s_interval);
        turn.Slices = 1;
        turn.Running = () => turn.IsCutShort = turn.Runs < 3;

        scheduler.Schedule();
        work.RunAll();

        Assert.Equal((3, 3), (turn.Runs, turn.Flushes));
    }

    [Fact]
    public async Task A_turn_waits_until_the_flush_interval_has_passed_since_the_last_flush()
    {
        await using var sessions = new StubSessions();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions, s_interval);
        turn.Slices = 1;
        using (var work = new ManualWorkQueue())
        {
            scheduler.Schedule(); // the first one waits for nothing
            work.RunAll();
            scheduler.Schedule();
            Assert.Equal(0, work.Count);
        }

        long? until = scheduler.WaitsUntil;
        sessions.Time.Advance(s_interval - TimeSpan.FromTicks(1));
        Assert.Equal(1, turn.Runs);
        sessions.Time.Advance(TimeSpan.FromTicks(1));
        await Eventually.TrueAsync(() => scheduler.IsIdle);

        Assert.Equal(s_interval.Ticks, until);
        Assert.Equal(2, turn.Runs);
        Assert.Null(scheduler.WaitsUntil);
    }

    [Fact]
    public async Task A_timer_ends_the_wait_and_only_one_caller_gets_the_turn()
    {
        await using var sessions = new StubSessions();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions, s_interval);
        turn.Slices = 1;
        using (var work = new ManualWorkQueue())
        {
            scheduler.Schedule();
            work.RunAll();
            scheduler.Schedule();
        }

        Assert.NotNull(scheduler.WaitsUntil);
        scheduler.ScheduleNow();
        Assert.False(scheduler.TryEndWait());
        await Eventually.TrueAsync(() => scheduler.IsIdle);

        Assert.Equal(2, turn.Runs); // and the clock has not moved
        sessions.Time.Advance(s_interval); // the wait that is still queued finds nothing to do
        Assert.Equal(2, turn.Runs);
        Assert.True(scheduler.IsIdle);
    }

    [Fact]
    public async Task A_timer_that_comes_due_while_the_turn_runs_has_a_turn_at_once()
    {
        await using var sessions = new StubSessions();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions, s_interval);
        turn.Slices = 1;
        turn.Running = () => turn.IsTimerDue = turn.Runs == 1;
        using (var work = new ManualWorkQueue())
        {
            scheduler.Schedule();
            work.RunAll();
        }

        await Eventually.TrueAsync(() => scheduler.IsIdle && turn.Runs == 2); // and the clock has not moved
    }

    [Fact]
    public async Task A_turn_that_has_to_wait_for_its_members_looks_again_every_millisecond()
    {
        await using var sessions = new StubSessions();
        (RoomScheduler scheduler, StubTurn turn) = New(sessions);
        turn.Holds = 2;
        using (var work = new ManualWorkQueue())
        {
            scheduler.Schedule();
            work.RunAll();
        }

        Assert.Equal(0, turn.Runs);
        sessions.Time.Advance(TimeSpan.FromMilliseconds(1));
        await sessions.Time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, turn.Runs);
        Assert.False(scheduler.IsIdle);
        sessions.Time.Advance(TimeSpan.FromMilliseconds(1));
        await Eventually.TrueAsync(() => scheduler.IsIdle);

        Assert.Equal(1, turn.Runs);
    }

    private static (RoomScheduler Scheduler, StubTurn Turn) New(StubSessions sessions, TimeSpan flushInterval = default)
    {
        var turn = new StubTurn();
        return (new RoomScheduler(turn, new FlushLane(), sessions.NewRoomServices(rooms => rooms.FlushInterval = flushInterval)), turn);
    }
}
