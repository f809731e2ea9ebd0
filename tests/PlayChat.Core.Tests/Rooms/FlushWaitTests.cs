using System.Diagnostics;
using System.Net;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Transport;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;
using PlayChat.Transport.Linux;

namespace PlayChat.Core.Tests.Rooms;

public sealed class FlushWaitTests
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(40);

    [Fact]
    public async Task Rooms_that_flushed_at_different_times_wait_each_for_its_own()
    {
        await using var harness = new StubRoomHarness(rooms: static o => o.FlushInterval = s_interval);
        TestRoom other = harness.Rooms.Create("other", static context => new TestRoom(context));
        await harness.FlushedAsync();
        harness.Time.Advance(s_interval / 4);
        await other.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
        await IdleAsync(harness.Room);
        await IdleAsync(other);

        Task later = other.DrainAsync(CancellationToken.None);
        Task sooner = harness.FlushedAsync();
        harness.Time.Advance(s_interval / 2);
        Assert.NotNull(harness.Room.Turn.Scheduler.WaitsUntil);
        harness.Time.Advance(s_interval / 4);
        await sooner;
        Assert.NotNull(other.Turn.Scheduler.WaitsUntil);
        harness.Time.Advance(s_interval / 4);
        await later.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_room_that_a_timer_has_woken_waits_anew_from_its_flush_then()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(
            static server => server.Options.Rooms.FlushInterval = s_interval);
        await harness.Room.RequestAsync(static room => room.After(s_interval / 2, static () => { })); // flushes at once
        await IdleAsync(harness.Room);
        Task woken = harness.Server.Rooms.DrainAsync();
        harness.Time.Advance(s_interval / 2);
        await woken.WaitAsync(TestTimeouts.Hang);
        await IdleAsync(harness.Room);

        Task waits = harness.Server.Rooms.DrainAsync();
        harness.Time.Advance(s_interval / 2); // what it waited for at first
        Assert.NotNull(harness.Room.Turn.Scheduler.WaitsUntil);
        harness.Time.Advance(s_interval / 2);
        await waits.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task When_the_server_has_stopped_a_room_waits_no_longer()
    {
        await using var harness = new StubRoomHarness(rooms: static o => o.FlushInterval = s_interval);
        await harness.FlushedAsync();
        await IdleAsync(harness.Room);
        Task waits = harness.FlushedAsync();
        Assert.NotNull(harness.Room.Turn.Scheduler.WaitsUntil);

        harness.RoomServices.Dispose();

        await waits;
        await harness.FlushedAsync(); // and the clock has not moved
    }

    [Fact]
    public async Task On_an_event_loop_a_room_waits_and_flushes_there()
    {
        using LinuxTransport transport = NativeTransport.Create(loops: 1);
        List<(ILocalWorkQueue? Loop, long At)> turns = [];
        var second = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        PlayChatServer server = new(static options => options.ListenTcp("127.0.0.1:0"));
        server.Options.Rooms.FlushInterval = s_interval;
        TestRoom? room = null;
        await using PlayChatServer running = server
            .UseTransport(transport)
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnStarting(s => room = s.Rooms.Create("room", static context => new TestRoom(context)))
            .OnFrame((connection, frame) =>
            {
                room!.Post((TestRoom _) =>
                {
                    turns.Add((LocalWork.Current, TimeProvider.System.GetTimestamp()));
                    if (turns.Count == 2)
                    {
                        second.SetResult();
                    }
                });
                connection.Send(in frame);
            });
        await running.StartAsync();
        using TransportConnection client = await SocketTransport.Instance.ConnectAsync(running.EndPoints[0], new TransportOptions());

        for (int i = 0; i < 2; i++)
        {
            await client.SendAsync(new byte[] { 0, 0, 0, 1, 42 });
            Assert.Equal([0, 0, 0, 1, 42], await client.ReceiveAsync(5));
        }

        await second.Task.WaitAsync(TestTimeouts.Hang);
        Assert.All(turns, turn => Assert.Same(transport.Loops[0], turn.Loop));
        Assert.True(Stopwatch.GetElapsedTime(turns[0].At, turns[1].At) >= s_interval);
    }

    [Fact]
    public async Task Woken_from_loops_pool_and_timers_at_once_a_room_loses_no_wait()
    {
        const int Posts = 500;
        using LinuxTransport transport = NativeTransport.Create();
        await using var harness = new StubRoomHarness(
            rooms: static o => o.FlushInterval = TimeSpan.FromMicroseconds(200), time: TimeProvider.System);
        TickRoom room = harness.Rooms.Create("ticks", static context => new TickRoom(context));
        await using TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        using TransportConnection client = await transport.ConnectAsync(listener.EndPoint, new TransportOptions());
        using TransportConnection server = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        Poster[] onLoops = [new Poster(room, Posts), new Poster(room, Posts)];

        Task[] waiting = [StartAsync(server, onLoops[0]), StartAsync(client, onLoops[1])];
        await client.SendAsync(new byte[1]);
        await server.SendAsync(new byte[1]);
        await Task.WhenAll(waiting).WaitAsync(TestTimeouts.Hang);
        for (int i = 0; i < Posts; i++)
        {
            await room.RequestAsync(static inTurn => inTurn.Ticks.Count).AsTask().WaitAsync(TestTimeouts.Hang);
        }

        await Task.WhenAll(onLoops.Select(static poster => poster.Ran.Task)).WaitAsync(TestTimeouts.Hang);
    }

    private static async Task StartAsync(TransportConnection link, Poster poster)
    {
        await link.WaitForDataAsync().ConfigureAwait(false);
        LocalWork.Queue(poster);
    }

    /// <summary>
    /// Waits until a room's turn is over: what is posted then has it wait before the post returns, and not while the test moves the
    /// clock.
    /// </summary>
    internal static Task IdleAsync(Room room) => Eventually.TrueAsync(() => room.Turn.Scheduler.IsIdle);

    /// <summary>Posts again and again from the loop that it is queued on, some jobs with a timer.</summary>
    private sealed class Poster(TickRoom room, int posts) : IThreadPoolWorkItem
    {
        private readonly Random _random = new(posts);
        private int _posted;
        private int _ran;

        internal TaskCompletionSource Ran { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Execute()
        {
            bool isTaken = room.Post((TickRoom inTurn) =>
            {
                if (_ran % 3 == 0 && _ran < posts / 2)
                {
                    inTurn.After(TimeSpan.FromMicroseconds(100), static () => { });
                }

                if (++_ran == posts)
                {
                    Ran.SetResult();
                }
            });
            if (!isTaken || LocalWork.Current is not { } loop)
            {
                Ran.TrySetException(new InvalidOperationException(isTaken ? "It runs on no loop." : "The room has refused a job."));
            }
            else if (++_posted < posts)
            {
                loop.EnqueueAt(this, TimeProvider.System.GetTimestamp() + _random.Next(400_000));
            }
        }
    }
}
