using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomTimerTests
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task A_room_ticks_once_a_period()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        await InTurnAsync(room, static room => room.StartTick(20));

        for (int i = 0; i < 10; i++)
        {
            await AdvanceAsync(harness, room, s_period);
        }

        Assert.Equal(Enumerable.Range(1, 10).Select(static i => (long)i), room.Ticks.Select(static tick => tick.Number));
        Assert.All(room.Ticks, tick => Assert.Equal((s_period, 0), (tick.Elapsed, tick.Missed)));
        Assert.Equal(10, harness.Metrics.Read(Counter.RoomTicks));
    }

    [Fact]
    public async Task Ticks_that_could_not_run_are_counted_and_not_made_up_for()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        await InTurnAsync(room, static room => room.StartTick(20));
        await AdvanceAsync(harness, room, s_period);
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        room.Post((TickRoom _) =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
        });
        Assert.True(holding.Wait(TestTimeouts.Hang));

        harness.Time.Advance(s_period * 4);
        hold.Set();
        await Eventually.TrueAsync(() => harness.Metrics.Read(Counter.RoomTicks) == 2);
        await FlushedAsync(room);
        await AdvanceAsync(harness, room, s_period);

        Assert.Equal([(1L, 0L, 1), (5L, 3L, 4), (6L, 0L, 1)], room.Ticks.Select(tick => (tick.Number, tick.Missed, (int)(tick.Elapsed / s_period))));
        Assert.InRange(room.Ticks[1].Drift, TimeSpan.Zero, s_period);
        Assert.Equal(3, harness.Metrics.Read(Counter.RoomTicksMissed));
        KpiSnapshot figures = harness.Metrics.Snapshot();
        Assert.Equal([("room ticks", 3), ("ticks missed", 3)], figures.Extras.Take(2).Select(static extra => (extra.Name, (int)extra.Value)));
        Assert.InRange(figures.Extras[2].Value, 1, 50_000);
    }

    [Fact]
    public async Task A_full_queue_holds_no_tick_up()
    {
        await using var harness = new RoomHarness(rooms: static o => o.QueueItems = 16);
        TickRoom room = Create(harness);
        await InTurnAsync(room, static room => room.StartTick(20));
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        room.Post((TickRoom _) =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
        });
        Assert.True(holding.Wait(TestTimeouts.Hang));
        while (room.Post(static (TickRoom _) => { }))
        {
            // Until it is full.
        }

        harness.Time.Advance(s_period);
        hold.Set();
        await Eventually.TrueAsync(() => harness.Metrics.Read(Counter.RoomTicks) == 1);
        await FlushedAsync(room);

        Assert.Single(room.Ticks);
    }

    [Fact]
    public async Task A_room_that_waits_for_its_flush_interval_ticks_in_time_and_flushes_with_the_tick()
    {
        await using var harness = new RoomHarness(rooms: static o => o.FlushInterval = s_period * 4);
        TickRoom room = Create(harness);
        room.Post(static (TickRoom r) => r.StartTick(20));
        await Eventually.TrueAsync(() => harness.Time.PendingTimers == 1);
        List<Task> flushed = [];

        for (int i = 0; i < 10; i++)
        {
            room.Post(static (TickRoom _) => { });
            flushed.Add(FlushedAsync(room));
            harness.Time.Advance(s_period);
            await Task.WhenAll(flushed).WaitAsync(TestTimeouts.Hang); // the next tick is set
        }

        Assert.Equal(Enumerable.Range(1, 10).Select(static i => (long)i), room.Ticks.Select(static tick => tick.Number));
    }

    [Fact]
    public async Task A_broadcast_to_nobody_or_that_failed_leaves_no_memory_behind_a_tick()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        Session session = harness.NewSession();
        long before = harness.Pool.InUse;
        int ran = 0;
        room.Post((TickRoom r) => // whose own turn flushes
        {
            r.Every(s_period, () =>
            {
                Interlocked.Increment(ref ran);
                r.BroadcastTo([], new byte[10]);
            });
            r.Every(s_period, () => r.BroadcastBadlyTo(session));
        });
        await FlushedAsync(room);

        harness.Time.Advance(s_period);
        await Eventually.TrueAsync(() => Volatile.Read(ref ran) == 1 && harness.Logger.Count("HookFault") == 1);

        await Eventually.TrueAsync(() => harness.Pool.InUse == before);
    }

    [Fact]
    public async Task Rooms_tick_at_their_own_places_in_the_period()
    {
        await using var harness = new RoomHarness();
        TickRoom[] rooms = [.. Enumerable.Range(0, 100).Select(_ => Create(harness))];
        foreach (TickRoom room in rooms)
        {
            await InTurnAsync(room, static room => room.StartTick(20));
        }

        int[] ticked = new int[50];
        for (int i = 0; i < 50; i++)
        {
            long before = harness.Metrics.Read(Counter.RoomTicks);
            harness.Time.Advance(TimeSpan.FromMilliseconds(1));
            await Task.WhenAll(rooms.Select(FlushedAsync));
            ticked[i] = (int)(harness.Metrics.Read(Counter.RoomTicks) - before);
        }

        Assert.Equal(100, ticked.Sum());
        Assert.All(ticked, static count => Assert.InRange(count, 0, 5));
    }

    [Fact]
    public async Task A_fault_in_a_tick_or_a_timer_is_logged_and_they_go_on()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        int ran = 0;
        await InTurnAsync(room, r =>
        {
            r.Ticking = static _ => throw new InvalidOperationException("A tick's fault.");
            r.StartTick(20);
            r.Every(s_period, () =>
            {
                ran++;
                throw new InvalidOperationException("A timer's fault.");
            });
        });

        await AdvanceAsync(harness, room, s_period);
        await AdvanceAsync(harness, room, s_period);

        Assert.Equal((2, 2), (room.Ticks.Count, ran));
        Assert.Equal(4, harness.Logger.Count("HookFault"));
    }

    [Fact]
    public async Task A_tick_stops_and_starts_again_with_another_rate()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        await InTurnAsync(room, static r =>
        {
            r.Ticking = static room => room.StopTick();
            r.StartTick(20);
        });
        await AdvanceAsync(harness, room, s_period);
        await AdvanceAsync(harness, room, s_period);
        Assert.Single(room.Ticks);
        Assert.Equal(0, harness.Time.PendingTimers);

        await InTurnAsync(room, static r =>
        {
            r.Ticking = null;
            r.StartTick(20);
            r.StartTick(10);
        });
        await AdvanceAsync(harness, room, s_period * 2);
        await AdvanceAsync(harness, room, s_period * 2);

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
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        List<string> ran = [];
        await InTurnAsync(room, r =>
        {
            r.After(TimeSpan.FromSeconds(3), () => ran.Add("late"));
            r.After(TimeSpan.FromSeconds(1), () => ran.Add("first"));
            r.After(TimeSpan.FromSeconds(1), () => ran.Add("second"));
            r.After(TimeSpan.FromDays(100), () => ran.Add("far"));
        });

        await AdvanceAsync(harness, room, TimeSpan.FromMilliseconds(999));
        Assert.Empty(ran);
        await AdvanceAsync(harness, room, TimeSpan.FromMilliseconds(1));
        Assert.Equal(["first", "second"], ran);
        await AdvanceAsync(harness, room, TimeSpan.FromSeconds(2));
        Assert.Equal(["first", "second", "late"], ran);
        await AdvanceAsync(harness, room, TimeSpan.FromDays(100));
        Assert.Equal("far", ran[^1]);
        Assert.Equal(0, harness.Time.PendingTimers);
    }

    [Fact]
    public async Task A_timer_that_is_set_for_now_runs_in_the_next_turn_and_holds_nobody_up()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        int ran = 0;
        void Again()
        {
            if (++ran < 5)
            {
                room.After(TimeSpan.Zero, Again);
            }
        }

        await InTurnAsync(room, _ => Again());
        for (int i = 1; i < 5; i++)
        {
            Assert.Equal(i, ran);
            await AdvanceAsync(harness, room, TimeSpan.Zero);
        }

        Assert.Equal(5, ran);
    }

    [Fact]
    public async Task A_timer_can_be_cancelled_before_it_is_due_by_another_of_its_turn_and_by_itself()
    {
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        List<string> ran = [];
        RoomTimer[] timers = [];
        await InTurnAsync(room, r => timers =
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

        await InTurnAsync(room, _ => timers[0].Cancel());
        Assert.Equal([false, true, true, true], timers.Select(static timer => timer.IsActive));
        await AdvanceAsync(harness, room, s_period);
        await AdvanceAsync(harness, room, s_period);
        await AdvanceAsync(harness, room, s_period * 2);

        Assert.Equal(["one", "every"], ran);
        Assert.All(timers, static timer => Assert.False(timer.IsActive));
        Assert.Equal(0, harness.Time.PendingTimers);
    }

    [Fact]
    public async Task More_timers_than_one_turn_takes_are_all_run()
    {
        await using var harness = new RoomHarness(rooms: static o => o.MaxItemsPerTurn = 10);
        TickRoom room = Create(harness);
        int ran = 0;
        await InTurnAsync(room, r =>
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
        await using var harness = new RoomHarness();
        TickRoom room = Create(harness);
        int ran = 0;
        await InTurnAsync(room, r =>
        {
            r.StartTick(20);
            r.Every(s_period, () => ran++);
        });
        Assert.Equal(1, harness.Time.PendingTimers);

        RoomTimer late = await room.RequestAsync(r =>
        {
            r.Remove();
            return r.After(s_period, () => ran++);
        });
        await Eventually.TrueAsync(() => harness.Time.PendingTimers == 0);
        harness.Time.Advance(s_period * 10);

        Assert.Equal(0, ran);
        Assert.Empty(room.Ticks);
        Assert.False(late.IsActive);
    }

    [Fact]
    public async Task A_stopped_server_leaves_no_timer_behind()
    {
        TickRoom? room = null;
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnStarting(started => room = started.Rooms.Create("ticking", static context => new TickRoom(context)))
            .OnFrame(static (_, _) => { }));
        int before = harness.Time.PendingTimers;
        await InTurnAsync(room!, static r => r.StartTick(20));
        Assert.Equal(before + 1, harness.Time.PendingTimers);

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, harness.Time.PendingTimers);
    }

    [Fact]
    public async Task By_the_system_s_clock_rooms_tick_by_themselves()
    {
        await using var harness = new RoomHarness(time: TimeProvider.System);
        TickRoom[] rooms = [.. Enumerable.Range(0, 10).Select(_ => Create(harness))];
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

    private static TickRoom Create(RoomHarness harness) => harness.Rooms.Create("ticking", static context => new TickRoom(context));

    private static Task FlushedAsync(Room room) => room.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);

    private static async Task InTurnAsync(TickRoom room, Action<TickRoom> job)
    {
        Assert.True(room.Post(job));
        await FlushedAsync(room);
    }

    private static async Task AdvanceAsync(RoomHarness harness, TickRoom room, TimeSpan time)
    {
        harness.Time.Advance(time);
        await FlushedAsync(room);
    }
}
