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
        await using var harness = new StubRoomHarness(time: TimeProvider.System);
        var check = new OrderCheck(Posters);
        object[] numbers = [.. Enumerable.Range(0, JobsEach).Select(static i => (object)i)];

        await Task.WhenAll(Enumerable.Range(0, Posters).Select(poster => Task.Run(async () =>
        {
            Poster self = new(check, poster);
            foreach (object number in numbers)
            {
                Assert.True(await harness.Room.PostAsync(
                    static (TestRoom _, Tuple<Poster, object> post) => post.Item1.Check.Run(post.Item1.Number, (int)post.Item2),
                    Tuple.Create(self, number)));
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
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(static server => server.Options.Rooms.QueueItems = 16);
        using HeldRoom held = await HeldRoom.HoldAsync(harness.Room);

        int taken = Enumerable.Range(0, 20).Count(_ => harness.Room.Post(static _ => { }));
        long refused = harness.Figures().JobsRefused;
        ValueTask<bool> waiting = harness.Room.PostAsync(static (_, _) => { }, (object?)null);
        using var cancellation = new CancellationTokenSource();
        bool ran = false;
        ValueTask<bool> cancelled = harness.Room.PostAsync((_, _) => ran = true, (object?)null, cancellation.Token);
        await cancellation.CancelAsync();

        Assert.Equal(16, taken);
        Assert.Equal(4, refused);
        Assert.False(waiting.IsCompleted);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.AsTask().WaitAsync(TestTimeouts.Hang));
        held.Release();
        Assert.True(await waiting.AsTask().WaitAsync(TestTimeouts.Hang));
        await harness.IdleAsync();
        Assert.False(ran);
    }

    [Fact]
    public async Task A_loud_room_gives_its_thread_away_after_MaxItemsPerTurn()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(
            static server => (server.Options.Rooms.MaxItemsPerTurn, server.Options.Rooms.QueueItems) = (10, 4096));
        await harness.EnterAsync(1);
        long before = harness.Figures().Sends;
        using (await HeldRoom.HoldAsync(harness.Room))
        {
            for (int i = 0; i < 100; i++)
            {
                Assert.True(harness.Room.Post(static room => room.Broadcast("x")));
            }
        }

        await harness.IdleAsync();

        // One send a turn: 102 jobs with the one that held it and the one that waits for the flush.
        Assert.InRange(harness.Figures().Sends - before, 10, 12);
    }

    [Fact]
    public async Task A_frame_beyond_QueueBytes_is_refused_and_an_awaited_one_waits_for_the_turn()
    {
        TestRoom room = null!;
        List<bool> taken = [];
        var waiting = new TaskCompletionSource<Task<bool>>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using RoomHarness<TestRoom> harness = await RoomHarness.StartAsync(
            context => room = new TestRoom(context), configure: server =>
        {
            server.Options.Rooms.QueueBytes = 4096;
            server.OnFrame((connection, frame) =>
            {
                if (taken.Count < 2)
                {
                    taken.Add(room.PostFrame(Session.Of(connection), in frame));
                    return;
                }

                waiting.SetResult(room.PostFrameAsync(Session.Of(connection), in frame).AsTask());
            });
        });
        HarnessClient member = (await harness.EnterAsync(1))[0];
        using (await HeldRoom.HoldAsync(room))
        {
            member.Send(new byte[4000]);
            member.Send(new byte[99]);
            member.Send(new byte[100]);
            Task<bool> posting = await waiting.Task.WaitAsync(TestTimeouts.Hang);
            Assert.False(posting.IsCompleted);
        }

        await harness.IdleAsync();

        Assert.Equal([true, false], taken);
        Assert.True(await (await waiting.Task).WaitAsync(TestTimeouts.Hang));
        await harness.IdleAsync();
        Assert.Equal([4000, 100], member.Frames.Select(static frame => frame.Body.Length));
    }

    [Fact]
    public async Task A_frame_larger_than_QueueBytes_is_taken_by_an_empty_queue()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(static server => server.Options.Rooms.QueueBytes = 4096);
        HarnessClient member = (await harness.EnterAsync(1))[0];

        member.Send(new byte[5000]);
        await harness.IdleAsync();

        Assert.Equal(5000, Assert.Single(member.Frames).Body.Length);
    }

    [Fact]
    public async Task A_job_needs_no_argument()
    {
        List<string> ran = [];
        await using RoomHarness<TestRoom> harness = await HarnessSteps.StartAsync(static context => new TestRoom(context));

        Assert.True(harness.Room.Post(_ => ran.Add("post")));
        Assert.True(await harness.Room.PostAsync(_ => ran.Add("post async")));
        await harness.IdleAsync();

        Assert.Equal(["post", "post async"], ran);
    }

    [Fact]
    public async Task A_sender_that_goes_while_its_frame_waits_leaves_nothing_behind()
    {
        TestRoom room = null!;
        var waiting = new TaskCompletionSource<Task<bool>>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using RoomHarness<TestRoom> harness = await RoomHarness.StartAsync(
            context => room = new TestRoom(context), configure: server =>
        {
            server.Options.Rooms.QueueBytes = 4096;
            server.OnFrameAsync((connection, frame, _) =>
            {
                Task<bool> posting = room.PostFrameAsync(Session.Of(connection), in frame).AsTask();
                if (!posting.IsCompleted)
                {
                    waiting.SetResult(posting);
                }

                return new ValueTask(posting);
            });
        });
        HarnessClient[] members = await harness.EnterAsync(2);
        using (await HeldRoom.HoldAsync(room))
        {
            members[0].Send(new byte[4000]);
            members[0].Send(new byte[100]);
            Task<bool> posting = await waiting.Task.WaitAsync(TestTimeouts.Hang);

            members[0].Session.Connection.Abort();

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => posting.WaitAsync(TestTimeouts.Hang));
        }

        await harness.IdleAsync();
        members[1].Send(new byte[4096]);
        await harness.IdleAsync();

        Assert.Equal([4000, 4096], members[1].Frames.Select(static frame => frame.Body.Length));
    }

    [Fact]
    public async Task A_turn_ends_before_its_broadcasts_overflow_its_members()
    {
        await using var harness = new StubRoomHarness(rooms: o => o.QueueItems = 4096, connections: o => o.MaxOutboundBytes = 256 * 1024);
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
        await using var harness = new StubRoomHarness();
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

    private sealed class SliceProbe(StubRoomHarness harness, Session[] members, TestRoom other, int round)
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
