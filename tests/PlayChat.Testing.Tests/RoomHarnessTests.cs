using System.Buffers;
using System.Text;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;

namespace PlayChat.Testing.Tests;

public sealed class RoomHarnessTests
{
    [Fact]
    public async Task What_one_client_sends_all_members_have_received_when_the_server_is_idle()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(static context => new EchoRoom(context));
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        HarnessClient outside = await harness.ConnectAsync();

        Say(ann, "a");
        await harness.IdleAsync();
        Say(bob, "b");
        await harness.IdleAsync();
        Say(ann, "c");
        await harness.IdleAsync();

        Assert.Equal(["a", "b", "c"], Heard(ann));
        Assert.Equal(["b", "c"], Heard(bob));
        Assert.Empty(outside.Frames);
        ann.Forget();
        Assert.Empty(ann.Frames);
    }

    [Fact]
    public async Task A_handler_finds_the_room_by_the_name_that_the_harness_gives_it()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(
            static context => new EchoRoom(context),
            new PacketSet().Add(new WordPacket(1)),
            static server => server.OnPackets(static router => router.MapPacket<string>(
                static (context, word) => context.Reply($"{word} {context.Rooms.Get<EchoRoom>("hall").Id}"))),
            settings: new RoomSettings { Name = "hall" });
        HarnessClient client = await harness.ConnectAsync();

        client.SendPacket("id");
        await harness.IdleAsync();

        Assert.Equal("hall", harness.Room.Name);
        Assert.Equal([$"id {harness.Room.Id}"], client.Received<string>());
    }

    [Fact]
    public async Task An_answer_takes_exactly_the_latency_of_both_ways()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(static context => new EchoRoom(context));
        HarnessClient near = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });
        HarnessClient far = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(70) });

        Say(near, "near");
        Say(far, "far");
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(20) - TimeSpan.FromTicks(1));
        Assert.Empty(near.Frames);
        await harness.AdvanceAsync(TimeSpan.FromTicks(1));
        Assert.Equal(["near"], Heard(near));
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(60)); // at 70 ms the room has the other, at 80 near has it
        Assert.Equal(["near", "far"], Heard(near));
        Assert.Empty(far.Frames);
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(60));

        Assert.Equal(["far"], Heard(far));
        Assert.Equal(TimeSpan.FromMilliseconds(140), harness.Time.GetElapsedTime(0));
    }

    [Fact]
    public async Task Frames_arrive_whole_wherever_reads_cut_them()
    {
        for (int maxBytes = 1; maxBytes <= 30; maxBytes++)
        {
            await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(static context => new EchoRoom(context));
            HarnessClient client = await harness.ConnectAsync(new LinkConditions { MaxReceiveBytes = maxBytes });

            Say(client, "");
            Say(client, "x");
            Say(client, "a frame of several bytes");
            await harness.IdleAsync();

            Assert.Equal(["", "x", "a frame of several bytes"], Heard(client));
        }
    }

    [Fact]
    public async Task A_broken_link_is_seen_by_both_ends_and_by_the_room()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(static context => new EchoRoom(context));
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        Say(ann, "a");
        Say(bob, "b");
        await harness.IdleAsync();

        Assert.True(ann.Break());
        await harness.IdleAsync();

        Assert.Equal(CloseReason.PeerReset, await ann.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerReset, await ann.Session.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.True(bob.Connection.IsOpen);
        Assert.Equal([CloseReason.PeerReset], harness.Room.Lost);
        Assert.False(ann.Break());
    }

    [Fact]
    public async Task A_close_tells_the_other_end_after_the_latency()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(static context => new EchoRoom(context));
        HarnessClient client = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });

        client.Connection.Close();
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(20));

        Assert.Equal(CloseReason.LocalClose, await client.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerClosed, await client.Session.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_client_that_the_server_refuses_is_an_exception()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(
            static context => new EchoRoom(context), configure: static server =>
                server.OnFrame(static (_, _) => { }).Options.Connections.MaxConnections = 1);
        await harness.ConnectAsync();

        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => harness.ConnectAsync());

        Assert.Contains(nameof(CloseReason.PeerClosed), e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_server_s_deadlines_are_on_the_harness_s_clock()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(
            static context => new EchoRoom(context), configure: static server =>
                server.OnFrame(static (_, _) => { }).Options.Sessions.IdleTimeout = TimeSpan.FromSeconds(30));
        HarnessClient client = await harness.ConnectAsync();

        await harness.AdvanceAsync(TimeSpan.FromSeconds(29));
        Assert.True(client.Session.Connection.IsOpen);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(3));

        Assert.Equal(CloseReason.IdleTimeout, client.Session.Connection.CloseReason);
    }

    [Fact]
    public async Task A_harness_gives_back_every_buffer_with_traffic_under_way()
    {
        CountingPool pool;
        await using (RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(static context => new EchoRoom(context)))
        {
            pool = harness.Pool;
            HarnessClient[] clients = new HarnessClient[20];
            for (int i = 0; i < clients.Length; i++)
            {
                clients[i] = await harness.ConnectAsync();
            }

            foreach (HarnessClient client in clients)
            {
                for (int i = 0; i < 50; i++)
                {
                    client.Send(new byte[1000]);
                }
            }
        }

        Assert.True(pool.Rents > 0);
        Assert.Equal(0, pool.InUse);
    }

    [Fact]
    public async Task A_handler_that_waits_for_the_clock_ends_with_the_harness()
    {
        var handling = new TaskCompletionSource();
        TimeProvider? time = null;
        RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(
            static context => new EchoRoom(context),
            configure: server => server.OnFrameAsync((_, _, _) => WaitAsync()));
        time = harness.Time;
        HarnessClient client = await harness.ConnectAsync();
        Say(client, "wait");
        await handling.Task.WaitAsync(TestTimeouts.Hang);

        await harness.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.True(harness.Time.GetElapsedTime(0) >= TimeSpan.FromSeconds(5));

        async ValueTask WaitAsync()
        {
            var due = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await using ITimer timer = time!.CreateTimer(_ => due.SetResult(), null, TimeSpan.FromSeconds(5), Timeout.InfiniteTimeSpan);
            handling.SetResult();
            await due.Task;
        }
    }

    [Fact]
    public async Task A_client_asks_and_sends_by_the_harness_s_packets_and_keeps_what_it_received()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1)).Add(new BytesPacket(2));
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(
            static context => new EchoRoom(context),
            packets,
            static server => server.OnPackets(static router =>
            {
                router.MapPacket<string>(static (context, word) => context.Reply(word + "!"));
                router.MapPacket<ReadOnlySequence<byte>>(static (context, bytes) => context.Reply(bytes));
            }));
        HarnessClient client = await harness.ConnectAsync();

        Assert.Equal("a!", await client.Connection.RequestAsync<string>("a", TimeSpan.FromSeconds(1)));
        client.Connection.SendPacket(new ReadOnlySequence<byte>([1, 2, 3]));
        await harness.IdleAsync();
        client.Connection.SendPacket(new ReadOnlySequence<byte>([4, 5, 6]));
        await harness.IdleAsync();

        Assert.Equal([[1, 2, 3], [4, 5, 6]], client.Received<ReadOnlySequence<byte>>().Select(static bytes => bytes.ToArray()));
    }

    [Fact]
    public async Task Handlers_alone_need_no_room_and_a_client_awaits_their_answers()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1));
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(
            packets,
            static router => router.MapPacket<string>(static (context, word) => context.Reply(word + "!")),
            static server => server.Options.Connections.MaxConnections = 1);
        HarnessClient client = await harness.ConnectAsync();

        Assert.Equal("a!", await client.RequestAsync<string>("a"));

        Assert.Empty(client.Frames);
        await Assert.ThrowsAsync<InvalidOperationException>(() => harness.ConnectAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => client.RequestAsync<int>("a"));
    }

    [Fact]
    public async Task A_server_that_creates_its_rooms_itself_is_started_whole()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1));
        await using RoomHarness<Room> harness = await RoomHarness.StartServerAsync(packets, static server => server.OnPackets(
            static router => router.MapPacket<string>(static (context, word) =>
                context.Reply(context.Rooms.Create(word, static room => new EchoRoom(room)).Name))));
        HarnessClient client = await harness.ConnectAsync();

        Assert.Equal("table", await client.RequestAsync<string>("table"));

        Assert.NotNull(harness.Server.Rooms.Find<EchoRoom>("table"));
    }

    [Fact]
    public async Task A_request_that_is_cancelled_says_so()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1));
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(packets, static router =>
            router.MapPacket<string>(static (_, _) => { }));
        HarnessClient client = await harness.ConnectAsync();
        using var cancelling = new CancellationTokenSource();

        Task<string> asking = client.RequestAsync<string>("a", cancelling.Token);
        await cancelling.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_map_that_cannot_be_or_frames_in_two_forms_are_thrown_by_the_start()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1));

        InvalidOperationException twice = await Assert.ThrowsAsync<InvalidOperationException>(() => RoomHarness.StartAsync(
            packets,
            static router =>
            {
                router.MapPacket<string>(static (_, _) => { });
                router.MapPacket<string>(static (_, _) => { });
            }));
        Assert.Contains("mapped twice", twice.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<InvalidOperationException>(() =>
            RoomHarness.StartAsync(packets, static router => router.MapPacket<int>(static (_, _) => { })));
        await Assert.ThrowsAsync<InvalidOperationException>(() =>
            RoomHarness.StartAsync(packets, static _ => { }, static server => server.OnFrame(static (_, _) => { })));
    }

    [Fact]
    public async Task Packets_that_nothing_handles_are_refused_with_what_to_pass()
    {
        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => RoomHarness.StartAsync(
            static context => new EchoRoom(context), new PacketSet().Add(new WordPacket(1))));

        Assert.Equal("configure", e.ParamName);
        Assert.Contains("server.OnPackets(router => router.MapPacketHandlers())", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_start_that_fails_throws_why()
    {
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => RoomHarness.StartAsync(
            static context => new EchoRoom(context),
            configure: static server =>
                server.OnFrame(static (_, _) => { }).OnStarting(static _ => throw new NotSupportedException("not today"))));

        Assert.Equal("not today", e.Message);
    }

    [Fact]
    public async Task A_request_takes_the_latency_of_both_ways()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1));
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(
            packets, static router => router.MapPacket<string>(static (context, word) => context.Reply(word + "!")));
        HarnessClient client = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });

        Task<string> asking = client.RequestAsync<string>("a");
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(20) - TimeSpan.FromTicks(1));
        Assert.False(asking.IsCompleted);
        await harness.AdvanceAsync(TimeSpan.FromTicks(1));

        Assert.True(asking.IsCompletedSuccessfully); // at once: who measures by the clock must not see it move on first
    }

    [Fact]
    public async Task A_client_answers_what_the_server_asks_it_after_its_handler()
    {
        PacketSet packets = new PacketSet().Add(new WordPacket(1));
        var answer = new TaskCompletionSource<string>();
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(
            packets,
            router => router.MapPacket<string>((context, word) =>
            {
                _ = Offload.Run((context.Connection, word), async asked =>
                    answer.SetResult(await asked.Connection.RequestAsync<string>(asked.word + "?", Timeout.InfiniteTimeSpan)));
            }));
        HarnessClient client = await harness.ConnectAsync();
        client.OnReceived = frame => client.SendPacket($"{frame.Message}!", frame.Header.RequestId);

        client.SendPacket("a");

        Assert.Equal("a?!", await answer.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(["a?"], client.Received<string>());
    }

    [Fact]
    public async Task A_room_that_was_removed_has_come_to_its_end_when_the_server_is_idle()
    {
        await using RoomHarness<EchoRoom> harness = await RoomHarness.StartAsync(
            static context => new EchoRoom(context), configure: static server =>
                server.OnFrame(static (_, _) => { }).Options.Rooms.MaxItemsPerTurn = 1);
        int ran = 0;
        harness.Room.Post((EchoRoom room) =>
        {
            for (int i = 0; i < 500; i++) // turns of their own
            {
                room.Post((EchoRoom _) => ran++);
            }

            room.End();
        });

        await harness.IdleAsync();

        Assert.Equal((500, true), (ran, harness.Room.IsOver));
    }

    private static void Say(HarnessClient client, string text) =>
        Assert.True(client.Send(Encoding.UTF8.GetBytes(text), new FrameHeader(7)));

    private static string[] Heard(HarnessClient client) =>
        [.. client.Frames.Select(static frame => Encoding.UTF8.GetString(frame.Body.Span))];
}
