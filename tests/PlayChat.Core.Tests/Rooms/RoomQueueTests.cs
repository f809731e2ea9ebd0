using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomQueueTests
{
    [Fact]
    public async Task A_million_jobs_run_one_at_a_time_and_in_each_posters_order()
    {
        const int Posters = 4;
        const int JobsEach = 250_000;
        await using var harness = new RoomHarness(time: TimeProvider.System);
        var check = new OrderCheck(Posters);
        object[] numbers = [.. Enumerable.Range(0, JobsEach).Select(static i => (object)i)];

        await Task.WhenAll(Enumerable.Range(0, Posters).Select(poster => Task.Run(async () =>
        {
            Poster self = new(check, poster);
            foreach (object number in numbers)
            {
                Assert.True(await harness.Room.PostAsync(static (TestRoom _, Poster p, object n) => p.Check.Run(p.Number, (int)n), self, number));
            }
        }))).WaitAsync(TestTimeouts.Hang);
        await harness.FlushedAsync();

        Assert.Equal(0, check.Faults);
        Assert.All(check.Next, next => Assert.Equal(JobsEach, next));
        Assert.Equal((Posters * JobsEach) + 1, harness.Metrics.Read(Counter.JobsExecuted));
    }

    [Fact]
    public async Task Post_refuses_at_QueueItems_and_PostAsync_waits()
    {
        await using var harness = new RoomHarness(rooms: o => o.QueueItems = 16);
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
        });
        Assert.True(holding.Wait(TestTimeouts.Hang));

        int taken = Enumerable.Range(0, 20).Count(_ => harness.Room.Post(static (TestRoom _) => { }));
        long refused = harness.Metrics.Read(Counter.JobsRefused);
        ValueTask<bool> waiting = harness.Room.PostAsync(static (TestRoom _, object? _, object? _) => { }, null, null);
        using var cancellation = new CancellationTokenSource();
        ValueTask<bool> cancelled = harness.Room.PostAsync(
            static (TestRoom _, object? _, object? _) => Assert.Fail("It was cancelled."), null, null, cancellation.Token);
        await cancellation.CancelAsync();

        Assert.Equal(16, taken);
        Assert.Equal(4, refused);
        Assert.False(waiting.IsCompleted);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.AsTask().WaitAsync(TestTimeouts.Hang));
        hold.Set();
        Assert.True(await waiting.AsTask().WaitAsync(TestTimeouts.Hang));
        await harness.FlushedAsync();
        Assert.Equal(0, harness.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_loud_room_gives_its_thread_away_after_MaxItemsPerTurn()
    {
        await using var harness = new RoomHarness(rooms: o => (o.MaxItemsPerTurn, o.QueueItems) = (10, 4096));
        Session[] members = await harness.EnterAsync(1);
        using var hold = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) => hold.Wait(TestTimeouts.Hang));
        for (int i = 0; i < 100; i++)
        {
            harness.Room.Post(static (TestRoom room) => room.Broadcast("x"));
        }

        hold.Set();
        await harness.FlushedAsync();

        // One send a turn: 102 jobs with the one that held it and the one that waits for the flush.
        Assert.InRange(harness.LinkOf(members[0]).Sends, 10, 12);
    }

    [Fact]
    public async Task A_turn_ends_before_its_broadcasts_overflow_its_members()
    {
        await using var harness = new RoomHarness(rooms: o => o.QueueItems = 4096, connections: o => o.MaxOutboundBytes = 256 * 1024);
        Session[] members = await harness.EnterAsync(1);
        using var hold = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) => hold.Wait(TestTimeouts.Hang));
        string text = new('x', 4000);
        for (int i = 0; i < 200; i++) // 800 KB, less than one turn's worth of jobs
        {
            harness.Room.Post((TestRoom room) => room.Broadcast(text));
        }

        hold.Set();
        await harness.FlushedAsync();

        Assert.True(members[0].Connection.IsOpen); // it reads as fast as it is sent
        Assert.Equal(200, harness.Received(members[0]).Length);
    }

    [Fact]
    public async Task A_large_rooms_flush_lets_another_rooms_turn_run_in_between()
    {
        await using var harness = new RoomHarness();
        Session[] members = await harness.EnterAsync(1000);
        TestRoom other = harness.Rooms.Create("other", static context => new TestRoom(context));
        SliceProbe probe;
        int rounds = 0;
        do
        {
            rounds++;
            probe = new SliceProbe(harness, members, other, rounds);
            await harness.InTurnAsync(room =>
            {
                room.Broadcast("big");
                probe.Post(); // its turn is queued before the first slice is flushed
            });
            await probe.Ran.WaitAsync(TestTimeouts.Hang);
        }
        while (probe.ServedWhenItRan == members.Length && rounds < 100); // the system may have stopped its thread just then

        Assert.InRange(probe.ServedWhenItRan, 0, 999);
        Assert.All(members, member => Assert.Equal(rounds, harness.LinkOf(member).Sends));
    }

    private sealed record Poster(OrderCheck Check, int Number);

    private sealed class OrderCheck(int posters)
    {
        private int _running;

        internal int[] Next { get; } = new int[posters];

        internal int Faults { get; private set; }

        internal void Run(int poster, int number)
        {
            if (Interlocked.Exchange(ref _running, 1) != 0 || Next[poster]++ != number)
            {
                Faults++;
            }

            Volatile.Write(ref _running, 0);
        }
    }

    private sealed class SliceProbe(RoomHarness harness, Session[] members, TestRoom other, int round)
    {
        private readonly TaskCompletionSource _ran = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Ran => _ran.Task;

        internal int ServedWhenItRan { get; private set; }

        internal void Post() => other.Post((TestRoom _) =>
        {
            ServedWhenItRan = members.Count(member => harness.LinkOf(member).Sends >= round);
            _ran.SetResult();
        });
    }
}
