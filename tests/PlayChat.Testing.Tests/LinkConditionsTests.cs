using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Testing.Tests;

public sealed class LinkConditionsTests
{
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    private readonly ManualTimeProvider _time = new();
    private readonly InMemoryTransport _transport;

    public LinkConditionsTests() => _transport = new InMemoryTransport(_time);

    [Fact]
    public async Task What_is_sent_arrives_when_the_latency_has_passed_and_not_before()
    {
        (TransportConnection client, TransportConnection server) = Connect(new LinkConditions { Latency = TimeSpan.FromMilliseconds(40) });
        Task<byte[]> receiving = server.ReceiveAsync(3);
        Assert.True(await client.SendAsync(new byte[] { 1, 2, 3 }));

        _time.Advance(TimeSpan.FromMilliseconds(40) - s_instant);
        Assert.Equal(0, await ArrivedAsync(server));
        Assert.False(receiving.IsCompleted);
        _time.Advance(s_instant);

        Assert.Equal([1, 2, 3], await receiving);
    }

    [Fact]
    public async Task Latency_is_each_way_and_each_send_has_its_own()
    {
        (TransportConnection client, TransportConnection server) = Connect(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });

        await client.SendAsync(new byte[] { 1 });
        _time.Advance(TimeSpan.FromMilliseconds(4));
        await client.SendAsync(new byte[] { 2 });
        _time.Advance(TimeSpan.FromMilliseconds(6));
        Assert.Equal([1], await ReadAllAsync(server));
        await server.SendAsync(new byte[] { 3 });
        _time.Advance(TimeSpan.FromMilliseconds(4));
        Assert.Equal([2], await ReadAllAsync(server));
        Assert.Empty(await ReadAllAsync(client));
        _time.Advance(TimeSpan.FromMilliseconds(6));

        Assert.Equal([3], await ReadAllAsync(client));
    }

    [Fact]
    public async Task Jitter_keeps_within_its_bounds_and_the_order_and_repeats_with_its_seed()
    {
        var conditions = new LinkConditions { Latency = TimeSpan.FromMilliseconds(20), Jitter = TimeSpan.FromMilliseconds(10), Seed = 42 };

        List<TimeSpan> first = await ArrivalsAsync(conditions);
        List<TimeSpan> again = await ArrivalsAsync(conditions);
        List<TimeSpan> other = await ArrivalsAsync(conditions with { Seed = 43 });

        Assert.All(first, static (after, i) => Assert.InRange(after, TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(30)));
        Assert.True(first.Distinct().Count() > 10);
        Assert.Equal(first, again);
        Assert.NotEqual(first, other);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public async Task A_receive_gives_no_more_than_it_may(int maxBytes)
    {
        (TransportConnection client, TransportConnection server) = Connect(new LinkConditions { MaxReceiveBytes = maxBytes });
        byte[] sent = [.. Enumerable.Range(0, 100).Select(static i => (byte)i)];

        await client.SendAsync(sent);
        client.Shutdown();
        List<byte> received = [];
        byte[] buffer = new byte[1000];
        while (await server.ReceiveAsync(buffer.AsMemory()) is var bytes and > 0)
        {
            Assert.InRange(bytes, 1, maxBytes);
            received.AddRange(buffer[..bytes]);
        }

        Assert.Equal(sent, received);
    }

    [Fact]
    public async Task An_end_arrives_behind_what_was_sent()
    {
        (TransportConnection client, TransportConnection server) = Connect(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });

        await client.SendAsync(new byte[] { 1 });
        client.Shutdown();
        Task<byte[]> receiving = server.ReceiveToEndAsync();
        _time.Advance(TimeSpan.FromMilliseconds(10));

        Assert.Equal([1], await receiving);
        Assert.Equal(CloseReason.PeerClosed, server.EndReason);
    }

    [Fact]
    public async Task A_reset_arrives_when_the_latency_has_passed()
    {
        (TransportConnection client, TransportConnection server) = Connect(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });
        Task<byte[]> receiving = server.ReceiveToEndAsync();

        client.Abort();
        Assert.Equal(CloseReason.LocalClose, client.EndReason);
        Assert.Equal(CloseReason.None, server.EndReason);
        _time.Advance(TimeSpan.FromMilliseconds(10));

        Assert.Empty(await receiving);
        Assert.Equal(CloseReason.PeerReset, server.EndReason);
    }

    [Fact]
    public async Task A_break_loses_what_is_under_way_and_both_ends_see_it_at_once()
    {
        (TransportConnection client, TransportConnection server) = Connect(new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) });
        Task<byte[]> clientReceiving = client.ReceiveToEndAsync();
        Task<byte[]> serverReceiving = server.ReceiveToEndAsync();
        await client.SendAsync(new byte[] { 1 });

        Assert.True(_transport.Break(client.LocalEndPoint!));
        Assert.False(_transport.Break(client.LocalEndPoint!));

        Assert.Empty(await clientReceiving);
        Assert.Empty(await serverReceiving);
        Assert.Equal((CloseReason.PeerReset, CloseReason.PeerReset), (client.EndReason, server.EndReason));
        Assert.False(await server.SendAsync(new byte[] { 2 }));
    }

    [Fact]
    public async Task What_is_under_way_counts_for_the_bound_of_a_link()
    {
        var transport =
            new InMemoryTransport(_time) { LinkBytes = 100, Conditions = new LinkConditions { Latency = TimeSpan.FromMilliseconds(10) } };
        (TransportConnection client, TransportConnection server) = transport.CreateLink();

        Assert.True(await client.SendAsync(new byte[100]));
        Task<bool> sending = client.SendAsync(new byte[1]).AsTask();
        Assert.False(sending.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(10));
        await server.ReceiveAsync(101);

        Assert.True(await sending.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_transport_is_idle_when_every_end_waits()
    {
        (TransportConnection client, TransportConnection server) = Connect(LinkConditions.Perfect);
        Task idle = _transport.IdleAsync(TestContext.Current.CancellationToken);
        Assert.False(idle.IsCompleted);

        Task<byte[]> receiving = server.ReceiveToEndAsync();
        Assert.False(idle.IsCompleted);
        _ = client.ReceiveToEndAsync();
        await idle.WaitAsync(TestTimeouts.Hang);
        client.Dispose();
        await receiving;
        // the server's end has seen it, and does nothing yet
        Assert.False(_transport.IdleAsync(TestContext.Current.CancellationToken).IsCompleted);
        server.Dispose();

        Assert.True(_transport.IdleAsync(TestContext.Current.CancellationToken).IsCompleted);
    }

    [Fact]
    public void Conditions_that_cannot_be_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(static () => new LinkConditions { Latency = -s_instant });
        Assert.Throws<ArgumentOutOfRangeException>(static () => new LinkConditions { Jitter = TimeSpan.FromDays(1) });
        Assert.Throws<ArgumentOutOfRangeException>(static () => new LinkConditions { MaxReceiveBytes = 0 });
    }

    private (TransportConnection Client, TransportConnection Server) Connect(LinkConditions conditions)
    {
        _transport.Conditions = conditions;
        return _transport.CreateLink();
    }

    /// <summary>How long each of twenty sends took, one each 3 ms, as a receiver that looks each tenth of a millisecond sees it.</summary>
    private static async Task<List<TimeSpan>> ArrivalsAsync(LinkConditions conditions)
    {
        var time = new ManualTimeProvider();
        (TransportConnection client, TransportConnection server) = new InMemoryTransport(time) { Conditions = conditions }.CreateLink();
        List<TimeSpan> sent = [];
        List<TimeSpan> arrivals = [];
        for (int step = 0; arrivals.Count < 20; step++)
        {
            if (step % 30 == 0 && sent.Count < 20)
            {
                await client.SendAsync(new[] { (byte)sent.Count });
                sent.Add(Now(time));
            }

            time.Advance(TimeSpan.FromMilliseconds(0.1));
            foreach (byte number in await ReadAllAsync(server))
            {
                Assert.Equal(arrivals.Count, number);
                arrivals.Add(Now(time) - sent[number]);
            }
        }

        return arrivals;
    }

    private static TimeSpan Now(ManualTimeProvider time) => time.GetElapsedTime(0);

    private static async Task<int> ArrivedAsync(TransportConnection link)
    {
        await Task.Yield();
        return link.WaitForDataAsync().IsCompleted ? 1 : 0;
    }

    /// <summary>What has arrived by now.</summary>
    private static async Task<byte[]> ReadAllAsync(TransportConnection link)
    {
        List<byte> all = [];
        byte[] buffer = new byte[100];
        while (link.WaitForDataAsync().IsCompletedSuccessfully)
        {
            int bytes = await link.ReceiveAsync(buffer.AsMemory());
            all.AddRange(buffer[..bytes]);
        }

        return [.. all];
    }
}
