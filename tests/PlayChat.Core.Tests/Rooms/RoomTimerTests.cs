using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomTimerTests
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task A_room_ticks_once_a_period()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        await harness.InTurnAsync(static room => room.StartTick(20));

        for (int i = 0; i < 10; i++)
        {
            await harness.AdvanceAsync(s_period);
        }

        Assert.Equal(Enumerable.Range(1, 10).Select(static i => (long)i), room.Ticks.Select(static tick => tick.Number));
        Assert.All(room.Ticks, tick => Assert.Equal((s_period, 0), (tick.Elapsed, tick.Missed)));
        Assert.Equal(10, Extra(harness.Figures(), "room ticks"));
    }

    [Fact]
    public async Task Ticks_that_could_not_run_are_counted_and_not_made_up_for()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        await harness.InTurnAsync(static room => room.StartTick(20));
        await harness.AdvanceAsync(s_period);
        using (await HeldRoom.HoldAsync(room))
        {
            harness.Time.Advance(s_period * 4);
        }

        await harness.IdleAsync();
        await harness.AdvanceAsync(s_period);

        Assert.Equal(
            [(1L, 0L, 1), (5L, 3L, 4), (6L, 0L, 1)], room.Ticks.Select(tick => (tick.Number, tick.Missed, (int)(tick.Elapsed / s_period))));
        Assert.InRange(room.Ticks[1].Drift, TimeSpan.Zero, s_period);
        KpiSnapshot figures = harness.Figures();
        Assert.Equal(
            [("room ticks", 3), ("ticks missed", 3)], figures.Extras.Take(2).Select(static extra => (extra.Name, (int)extra.Value)));
        Assert.InRange(figures.Extras[2].Value, 1, 50_000);
    }

    [Fact]
    public async Task A_full_queue_holds_no_tick_up()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(static server => server.Options.Rooms.QueueItems = 16);
        TickRoom room = harness.Room;
        await harness.InTurnAsync(static room => room.StartTick(20));
        using (await HeldRoom.HoldAsync(room))
        {
            while (room.Post(static (TickRoom _) => { }))
            {
                // Until it is full.
            }

            harness.Time.Advance(s_period);
        }

        await harness.IdleAsync();

        Assert.Single(room.Ticks);
    }

    [Fact]
    public async Task A_room_that_waits_for_its_flush_interval_ticks_in_time_and_flushes_with_the_tick()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(
            static server => server.Options.Rooms.FlushInterval = s_period * 4);
        TickRoom room = harness.Room;
        int before = harness.Time.PendingTimers;
        room.Post(static (TickRoom r) => r.StartTick(20));
        await harness.Time.WaitForTimersAsync(before + 1).WaitAsync(TestTimeouts.Hang);
        List<Task> flushed = [];

        for (int i = 0; i < 10; i++)
        {
            room.Post(static (TickRoom _) => { });
            flushed.Add(harness.Server.Rooms.DrainAsync());
            harness.Time.Advance(s_period);
            await Task.WhenAll(flushed).WaitAsync(TestTimeouts.Hang); // the next tick is set
        }

        Assert.Equal(Enumerable.Range(1, 10).Select(static i => (long)i), room.Ticks.Select(static tick => tick.Number));
    }

    [Fact]
    public async Task A_broadcast_to_no_session_or_that_failed_leaves_no_memory_behind_a_tick()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(server => server.UseLogging(logger));
        HarnessClient client = await harness.ConnectAsync();
        int ran = 0;
        await harness.InTurnAsync(room =>
        {
            room.Every(s_period, () =>
            {
                ran++;
                room.BroadcastTo([], new byte[10]);
            });
            room.Every(s_period, () => room.BroadcastBadlyTo(client.Session));
        });
        long before = harness.Figures().PoolInUse;

        await harness.AdvanceAsync(s_period);

        Assert.Equal((1, 1), (ran, logger.Count("HookFault")));
        Assert.Equal(before, harness.Figures().PoolInUse);
    }

    [Fact]
    public async Task Rooms_tick_at_their_own_places_in_the_period()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom[] rooms =
        [
            harness.Room,
            .. Enumerable.Range(1, 99).Select(_ => harness.Server.Rooms.Create("ticking", static context => new TickRoom(context))),
        ];
        Array.ForEach(rooms, static room => Assert.True(room.Post(static inTurn => inTurn.StartTick(20))));
        await harness.IdleAsync();

        int[] ticked = new int[50];
        for (int i = 0; i < 50; i++)
        {
            int before = rooms.Sum(static room => room.Ticks.Count);
            await harness.AdvanceAsync(TimeSpan.FromMilliseconds(1));
            ticked[i] = rooms.Sum(static room => room.Ticks.Count) - before;
        }

        Assert.Equal(100, ticked.Sum());
        Assert.All(ticked, static count => Assert.InRange(count, 0, 5));
    }

    [Fact]
    public async Task A_fault_in_a_tick_or_a_timer_is_logged_and_they_go_on()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(server => server.UseLogging(logger));
        TickRoom room = harness.Room;
        int ran = 0;
        await harness.InTurnAsync(r =>
        {
            r.Ticking = static _ => throw new InvalidOperationException("A tick's fault.");
            r.StartTick(20);
            r.Every(s_period, () =>
            {
                ran++;
                throw new InvalidOperationException("A timer's fault.");
            });
        });

        await harness.AdvanceAsync(s_period);
        await harness.AdvanceAsync(s_period);

        Assert.Equal((2, 2), (room.Ticks.Count, ran));
        Assert.Equal(4, logger.Count("HookFault"));
    }

    [Fact]
    public async Task A_tick_stops_and_starts_again_with_another_rate()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        int before = harness.Time.PendingTimers;
        await harness.InTurnAsync(static r =>
        {
            r.Ticking = static room => room.StopTick();
            r.StartTick(20);
        });
        await harness.AdvanceAsync(s_period);
        await harness.AdvanceAsync(s_period);
        Assert.Single(room.Ticks);
        Assert.Equal(before, harness.Time.PendingTimers);

        await harness.InTurnAsync(static r =>
        {
            r.Ticking = null;
            r.StartTick(20);
            r.StartTick(10);
        });
        await harness.AdvanceAsync(s_period * 2);
        await harness.AdvanceAsync(s_period * 2);

        Assert.Equal([1L, 1L, 2L], room.Ticks.Select(static tick => tick.Number));
        Assert.Equal(s_period * 2, room.Ticks[^1].Elapsed);
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await room.RequestAsync(static r =>
        {
            r.StartTick(0);
            return true;
        }));
    }

    [Fact]
    public async Task Timers_run_when_they_are_due_in_the_order_of_their_times()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        int before = harness.Time.PendingTimers;
        List<string> ran = [];
        await harness.InTurnAsync(r =>
        {
            r.After(TimeSpan.FromSeconds(3), () => ran.Add("late"));
            r.After(TimeSpan.FromSeconds(1), () => ran.Add("first"));
            r.After(TimeSpan.FromSeconds(1), () => ran.Add("second"));
        });

        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(999));
        Assert.Empty(ran);
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["first", "second"], ran);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(2));
        Assert.Equal(["first", "second", "late"], ran);
        Assert.Equal(before, harness.Time.PendingTimers);
    }

    // Longer than timers of the system can be set for.
    [Fact]
    public async Task A_timer_may_be_set_for_months()
    {
        await using var harness = new StubRoomHarness(); // a server's clock does something each minute
        TickRoom room = harness.Rooms.Create("ticking", static context => new TickRoom(context));
        int ran = 0;
        room.Post(static (TickRoom r, Action job) => r.After(TimeSpan.FromDays(100), job), () => ran++);
        await room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

        harness.Time.Advance(TimeSpan.FromDays(100) - TimeSpan.FromTicks(1));
        await room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, ran);
        harness.Time.Advance(TimeSpan.FromTicks(1));
        await room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

        Assert.Equal((1, 0), (ran, harness.Time.PendingTimers));
    }

    [Fact]
    public async Task A_timer_that_is_set_for_now_runs_in_the_next_turn_and_delays_no_other()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        int ran = 0;
        bool isRunning = false;
        void Again()
        {
            Assert.False(isRunning);
            isRunning = true;
            if (++ran < 5)
            {
                room.After(TimeSpan.Zero, Again);
            }

            isRunning = false;
        }

        await harness.InTurnAsync(_ => Again());
        Assert.Equal(1, ran);
        for (int i = 1; i < 5; i++)
        {
            harness.Time.Advance(TimeSpan.Zero); // the room may be fast enough to set the next one meanwhile, which then runs as well
            await harness.IdleAsync();
        }

        Assert.Equal(5, ran);
    }

    [Fact]
    public async Task A_timer_can_be_cancelled_before_it_is_due_by_another_of_its_turn_and_by_itself()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        int before = harness.Time.PendingTimers;
        List<string> ran = [];
        RoomTimer[] timers = [];
        await harness.InTurnAsync(r => timers =
        [
            r.After(s_period, () => ran.Add("cancelled before")),
            r.After(s_period * 2, () =>
            {
                ran.Add("one");
                timers[2].Cancel();
            }),
            r.After(s_period * 2, () => ran.Add("cancelled by another")),
            r.Every(s_period * 2, () =>
            {
                ran.Add("every");
                timers[3].Cancel();
            }),
        ]);

        await harness.InTurnAsync(_ => timers[0].Cancel());
        Assert.Equal([false, true, true, true], timers.Select(static timer => timer.IsActive));
        await harness.AdvanceAsync(s_period);
        await harness.AdvanceAsync(s_period);
        await harness.AdvanceAsync(s_period * 2);

        Assert.Equal(["one", "every"], ran);
        Assert.All(timers, static timer => Assert.False(timer.IsActive));
        Assert.Equal(before, harness.Time.PendingTimers);
    }

    [Fact]
    public async Task More_timers_than_one_turn_takes_are_all_run()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(static server => server.Options.Rooms.MaxItemsPerTurn = 10);
        int ran = 0;
        await harness.InTurnAsync(r =>
        {
            for (int i = 0; i < 95; i++)
            {
                r.After(s_period, () => Interlocked.Increment(ref ran));
            }
        });

        harness.Time.Advance(s_period);

        await Eventually.TrueAsync(() => Volatile.Read(ref ran) == 95);
    }

    [Fact]
    public async Task A_removed_room_leaves_no_timer_behind()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        TickRoom room = harness.Room;
        int before = harness.Time.PendingTimers;
        int ran = 0;
        await harness.InTurnAsync(r =>
        {
            r.StartTick(20);
            r.Every(s_period, () => ran++);
        });
        Assert.Equal(before + 1, harness.Time.PendingTimers);

        RoomTimer late = await room.RequestAsync(r =>
        {
            r.Remove();
            return r.After(s_period, () => Interlocked.Increment(ref ran));
        });
        await harness.IdleAsync();
        Assert.Equal(before, harness.Time.PendingTimers);
        await harness.AdvanceAsync(s_period * 10);

        Assert.Equal(0, ran);
        Assert.Empty(room.Ticks);
        Assert.False(late.IsActive);
    }

    [Fact]
    public async Task A_stopped_server_leaves_no_timer_behind()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        int before = harness.Time.PendingTimers;
        await harness.InTurnAsync(static room => room.StartTick(20));
        Assert.Equal(before + 1, harness.Time.PendingTimers);

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, harness.Time.PendingTimers); // the clients' own
    }

    [Fact]
    public async Task By_the_system_s_clock_rooms_tick_by_themselves()
    {
        await using var harness = new StubRoomHarness(time: TimeProvider.System);
        TickRoom[] rooms = [.. Enumerable.Range(0, 10).Select(
            _ => harness.Rooms.Create("ticking", static context => new TickRoom(context)))];
        foreach (TickRoom room in rooms)
        {
            room.Post(static (TickRoom r) => r.StartTick(200));
        }

        await Eventually.TrueAsync(() => harness.Metrics.Read(Counter.RoomTicks) > 200);
        foreach (TickRoom room in rooms)
        {
            await room.EndAsync(CancellationToken.None);
            Assert.NotEmpty(room.Ticks);
            Assert.Equal(room.Ticks.Sum(static tick => tick.Missed + 1), room.Ticks[^1].Number);
        }
    }

    private static double Extra(KpiSnapshot figures, string name) => figures.Extras.Single(extra => extra.Name == name).Value;
}
