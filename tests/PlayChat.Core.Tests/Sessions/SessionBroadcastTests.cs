using System.Buffers.Binary;
using System.Collections.Concurrent;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>What is done with all sessions of a server at once.</summary>
[Collection(nameof(RunsAlone))]
public sealed class SessionBroadcastTests
{
    private const int FrameBytes = 8; // a length, and a number as the body

    [Fact]
    public async Task Sessions_that_are_there_get_every_broadcast_once_and_in_order_while_10_000_others_come_and_go()
    {
        const int Staying = 100;
        const int Threads = 4;
        const int PassingEach = 2_500;
        const int Broadcasts = 500;
        await using ServerHarness harness = await new ServerHarness().StartAsync(static server => server.OnFrame(static (_, _) => { }));
        var staying = new TransportConnection[Staying];
        for (int i = 0; i < Staying; i++)
        {
            staying[i] = await harness.ConnectAsync();
        }

        Task[] passing = [.. Enumerable.Range(0, Threads).Select(_ => Task.Run(async () =>
        {
            for (int i = 0; i < PassingEach; i++)
            {
                TransportConnection client =
                    await harness.Transport.ConnectAsync(harness.Server.EndPoints[0], harness.Server.Options.Transport);
                if (i % 2 == 0)
                {
                    client.Shutdown();
                    await client.ReceiveToEndAsync();
                }

                client.Abort();
                client.Dispose();
            }
        }))];
        Task allPassed = Task.WhenAll(passing);
        int sent = 0;
        byte[] body = new byte[sizeof(int)];
        while (sent < Broadcasts || !allPassed.IsCompleted)
        {
            if (sent < Broadcasts)
            {
                BinaryPrimitives.WriteInt32BigEndian(body, sent++);
                Assert.True(harness.Server.Sessions.Broadcast(body) >= Staying);
            }

            Assert.True(harness.Server.Sessions.All.Count() >= Staying);
            await Task.Yield();
        }

        await allPassed.WaitAsync(TestTimeouts.Hang);
        int[] expected = [.. Enumerable.Range(0, Broadcasts)];
        foreach (TransportConnection client in staying)
        {
            Assert.Equal(expected, Numbers(await client.ReceiveAsync(Broadcasts * FrameBytes)));
        }

        await Eventually.TrueAsync(() => harness.Server.Metrics.Read(Counter.SessionsOpened) == Staying + (Threads * PassingEach));
        await Eventually.TrueAsync(() => harness.Server.Sessions.Count == Staying);
        Assert.Equal(Staying, harness.Server.Sessions.All.Distinct().Count());
    }

    [Fact]
    public async Task Broadcasts_of_several_threads_each_arrive_in_the_order_of_their_thread()
    {
        const int Threads = 4;
        const int Each = 500;
        await using ServerHarness harness = await new ServerHarness().StartAsync(static server => server.OnFrame(static (_, _) => { }));
        TransportConnection client = await harness.ConnectAsync();

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(() =>
        {
            byte[] body = new byte[sizeof(int)];
            for (int i = 0; i < Each; i++)
            {
                BinaryPrimitives.WriteInt32BigEndian(body, (thread * Each) + i);
                harness.Server.Sessions.Broadcast(body);
            }
        })));

        int[] received = Numbers(await client.ReceiveAsync(Threads * Each * FrameBytes));
        foreach (IGrouping<int, int> ofThread in received.GroupBy(static number => number / Each))
        {
            Assert.Equal(Enumerable.Range(ofThread.Key * Each, Each), ofThread);
        }
    }

    [Fact]
    public async Task A_broadcast_allocates_nothing_for_a_session()
    {
        long one = await AllocatedAsync(sessions: 1);
        long hundred = await AllocatedAsync(sessions: 100);

        Assert.Equal(one, hundred);
    }

    [Fact]
    public async Task A_filter_chooses_the_sessions_and_the_number_of_those_that_took_the_frame_is_returned()
    {
        await using ServerHarness harness = await new ServerHarness().StartAsync();
        TransportConnection ann = await harness.ConnectAsync();
        Session annSession = Assert.Single(harness.Server.Sessions.All);
        harness.Server.Sessions.Bind(annSession, new SessionUser(1, "ann"));
        TransportConnection bob = await harness.ConnectAsync();

        int toUsers = harness.Server.Sessions.Broadcast(new byte[] { 1 }, filter: static session => session.User is not null);
        int toAll = harness.Server.Sessions.Broadcast(new byte[] { 2 });

        Assert.Equal((1, 2), (toUsers, toAll));
        byte[] both = [.. ServerHarness.Frame(1), .. ServerHarness.Frame(2)];
        Assert.Equal(both, await ann.ReceiveAsync(both.Length));
        Assert.Equal(ServerHarness.Frame(2), await bob.ReceiveAsync(5));
        Assert.Equal(3, harness.Server.Metrics.Read(Counter.Deliveries));
    }

    [Fact]
    public async Task A_filter_that_throws_leaves_no_memory_behind()
    {
        var pool = new CountingPool();
        await using (ServerHarness harness =
            await new ServerHarness().StartAsync(server => server.UsePool(pool).OnFrame(static (_, _) => { })))
        {
            await harness.ConnectAsync();

            Assert.Throws<InvalidOperationException>(() => harness.Server.Sessions.Broadcast(
                new byte[] { 1 }, filter: static _ => throw new InvalidOperationException("The filter's own fault.")));
        }

        await pool.VerifyAsync();
    }

    [Fact]
    public async Task The_slow_consumer_policy_acts_on_a_session_that_does_not_read_and_on_no_other()
    {
        await using ServerHarness harness =
            await new ServerHarness(static o => o.Connections.MaxOutboundBytes = 4096).StartAsync();
        TransportConnection slow = await harness.ConnectAsync();
        Session slowSession = Assert.Single(harness.Server.Sessions.All);
        TransportConnection reader = await harness.ConnectAsync();
        byte[] body = new byte[1000];

        int sent;
        do
        {
            sent = harness.Server.Sessions.Broadcast(body);
            Assert.Equal(1004, (await reader.ReceiveAsync(1004)).Length);
        }
        while (sent == 2);

        Assert.Equal(1, sent);
        Assert.Equal(CloseReason.SlowConsumer, await slowSession.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Server.Metrics.Read(Counter.SlowConsumers));
        await slow.ReceiveToEndAsync();
        Assert.Equal(CloseReason.PeerReset, slow.EndReason);
    }

    [Fact]
    public async Task A_frame_that_may_be_lost_is_dropped_for_a_session_that_is_behind()
    {
        await using ServerHarness harness =
            await new ServerHarness(static o => o.Connections.MaxOutboundBytes = 64 * 1024).StartAsync();
        await harness.ConnectAsync();
        byte[] body = new byte[1000];

        int sent;
        do
        {
            sent = harness.Server.Sessions.Broadcast(body, delivery: Delivery.DropIfBehind);
        }
        while (sent > 0);

        Assert.True(Assert.Single(harness.Server.Sessions.All).Connection.IsOpen);
        Assert.Equal(1, harness.Server.Metrics.Read(Counter.FramesSkipped));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_message_is_sent_as_its_packet_and_outgoing_filters_see_it_once(bool stops)
    {
        var filter = new OnceFilter { Stops = stops };
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .UseFraming(FrameFormat.Packet())
            .UsePackets(new PacketSet().Add(new NumberPacket(7)))
            .OnPackets(router => router.AddFilter(filter)));
        TransportConnection one = await harness.ConnectAsync();
        TransportConnection other = await harness.ConnectAsync();

        int sent = harness.Server.Sessions.BroadcastPacket(42L);
        harness.Server.Sessions.CloseAll(CloseReason.ServerShutdown); // of which no notice is sent

        Assert.Equal(stops ? 0 : 2, sent);
        Assert.Equal([(7, 2)], filter.Seen);
        byte[] received = await one.ReceiveToEndAsync();
        Assert.Equal(received, await other.ReceiveToEndAsync());
        byte[] body = stops ? [] : [0, 0, 0, 0, 0, 0, 0, 42];
        Assert.Equal(body, received.TakeLast(8));
    }

    [Fact]
    public async Task CloseAll_tells_and_closes_those_that_the_filter_chooses_and_OnDisconnected_sees_the_reason()
    {
        var ends = new ConcurrentBag<CloseReason>();
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnClosing(static (connection, reason) => connection.Send([(byte)reason]))
            .OnDisconnected((_, reason) => ends.Add(reason))
            .OnFrame(static (_, _) => { }));
        TransportConnection[] clients = new TransportConnection[20];
        for (int i = 0; i < clients.Length; i++)
        {
            clients[i] = await harness.ConnectAsync();
        }

        long spared = harness.Server.Sessions.All.Max(static session => session.Id);
        int closed = harness.Server.Sessions.CloseAll(CloseReason.TakenOver, session => session.Id != spared);

        Assert.Equal(19, closed);
        Assert.Equal(0, harness.Server.Sessions.CloseAll(CloseReason.TakenOver, session => session.Id != spared)); // they are closing
        foreach (TransportConnection client in clients[..19])
        {
            Assert.Equal(ServerHarness.Frame(CloseReason.TakenOver), await client.ReceiveToEndAsync());
            client.Shutdown();
        }

        await Eventually.TrueAsync(() => ends.Count == 19);
        Assert.All(ends, static reason => Assert.Equal(CloseReason.TakenOver, reason));
        Assert.Equal(spared, Assert.Single(harness.Server.Sessions.All).Id);
        Assert.Throws<ArgumentOutOfRangeException>(() => harness.Server.Sessions.CloseAll(CloseReason.None));
    }

    private static int[] Numbers(byte[] frames) =>
        [.. frames.Chunk(FrameBytes).Select(static frame => BinaryPrimitives.ReadInt32BigEndian(frame.AsSpan(4)))];

    /// <summary>What a thousand broadcasts of each kind allocate.</summary>
    private static async Task<long> AllocatedAsync(int sessions)
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using var connections = new ConnectionSet(harness.Options, TimeProvider.System, Timeout.InfiniteTimeSpan, inspect: null);
        var registry = new SessionRegistry(harness.Metrics, connections.Find)
        {
            Audience = new SessionAudience(connections, harness.Services),
        };
        var links = new StubLink[sessions];
        for (int i = 0; i < sessions; i++)
        {
            links[i] = new StubLink();
            var connection = new Connection(links[i], harness.Services);
            Assert.Equal(CloseReason.None, connections.TryAdd(connection));
            registry.Open(connection);
        }

        harness.Packets.Add(new NumberPacket(7));
        byte[] body = new byte[64];
        long allocated = AllocatedBytes.InSteadyState(() =>
        {
            registry.Broadcast(body, filter: static session => session.User is null);
            registry.Broadcast(body, delivery: Delivery.LatestOnly(1));
            registry.BroadcastPacket(42L);
        });

        Assert.All(links, static link => Assert.True(link.Sends > 0));
        return allocated;
    }

    private sealed class OnceFilter : PacketFilter
    {
        internal bool Stops { get; init; }

        internal List<(int Id, int Recipients)> Seen { get; } = [];

        protected internal override bool OnSend(OutgoingPacket packet)
        {
            Seen.Add((packet.Type.Id, packet.Recipients));
            return !Stops && packet.Next();
        }
    }
}
