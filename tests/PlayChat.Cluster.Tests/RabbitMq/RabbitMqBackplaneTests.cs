using PlayChat.Cluster.Log;
using PlayChat.Cluster.RabbitMq;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>On the shared broker, which they kill and start.</summary>
[Collection(RabbitMqCollection.Name)]
public sealed class RabbitMqBackplaneTests(RabbitMqFixture fixture)
{
    private readonly string _prefix = $"test-{Guid.NewGuid():N}.";

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Three_nodes_that_create_the_stream_at_once_read_the_records_of_all_in_one_order()
    {
        RabbitMqServer server = fixture.GetServer();
        RoomBackplane[] nodes = [Open(server, 1), Open(server, 2), Open(server, 3)];
        ShardRecorder[] readers = await nodes.ReadAsync(1);

        await Task.WhenAll(nodes.Select(node => node.PublishAsync(1, 500)));

        await readers.AssertCompleteAsync(nodes: 3, each: 500);
        await nodes.DisposeAllAsync();
    }

    [Fact]
    public async Task A_subscription_continues_behind_a_position()
    {
        RabbitMqServer server = fixture.GetServer();
        await using RabbitMqBackplane node = Open(server, 1);
        var all = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, all, Stop);
        for (int token = 1; token <= 10; token++)
        {
            await node.PublishAsync(0, 1, (ulong)token);
            await all.WaitAsync(token); // so that each is a batch of its own
        }

        await using RabbitMqBackplane other = Open(server, 2);
        var rest = new ShardRecorder();
        await other.SubscribeAsync(0, SubscribeFrom.After(all.Records[4].Position), rest, Stop);
        var earliest = new ShardRecorder();
        await other.SubscribeAsync(0, SubscribeFrom.Earliest, earliest, Stop);

        Assert.Equal(all.Records.Skip(5), rest.Records);
        Assert.Empty(rest.Gaps);
        Assert.Equal(all.Records, earliest.Records);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_position_that_retention_has_deleted_is_told_as_a_gap_and_the_epoch_stays()
    {
        RabbitMqServer server = fixture.GetServer();
        LogPosition first;
        await using (RabbitMqBackplane node = Open(server, 1, isSmall: true))
        {
            var feed = new ShardRecorder();
            await node.SubscribeAsync(0, SubscribeFrom.Tail, feed, Stop);
            await node.PublishAsync(0, 1);
            await feed.WaitAsync(1);
            first = feed.Records[0].Position;
            await node.PublishAsync(0, 500, 2, new byte[32 << 10]); // 16 MB into a stream of 4 MB
            await feed.WaitAsync(501);
        }

        await using RabbitMqBackplane later = Open(server, 1, incarnation: 2, isSmall: true);
        var rest = new ShardRecorder();
        await later.SubscribeAsync(0, SubscribeFrom.After(first), rest, Stop);

        Assert.Equal([GapReason.Trimmed], rest.Reasons);
        Assert.InRange(rest.Records.Length, 1, 499);
        Assert.Equal(501ul, rest.Records[^1].Token);
        Assert.All(rest.Records, record => Assert.Equal(first.Epoch, record.Position.Epoch));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_stream_that_is_deleted_is_made_anew_with_a_higher_epoch()
    {
        RabbitMqServer server = fixture.GetServer();
        await using RabbitMqBackplane node = Open(server, 1);
        var feed = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, feed, Stop);
        await node.PublishAsync(0, 1);
        await feed.WaitAsync(1);

        await server.DeleteAsync($"{_prefix}0");
        await Eventually.TrueAsync(() => feed.Gaps.Length > 0);
        await node.PublishAsync(0, 1, 2);
        await feed.WaitAsync(2);

        Assert.Equal([GapReason.NewEpoch], feed.Reasons);
        Assert.Equal(2ul, feed.Records[1].Token);
        Assert.True(feed.Records[1].Position.Epoch > feed.Records[0].Position.Epoch);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_batch_that_arrives_twice_is_handled_once()
    {
        RabbitMqServer server = fixture.GetServer();
        await using RabbitMqBackplane node = Open(server, 1);
        var feed = new ShardRecorder();
        await node.SubscribeAsync(0, SubscribeFrom.Tail, feed, Stop);
        byte[][] batches = Enumerable.Range(1, 2).Select(static number => RecordBatch.Write(
            new BatchHeader { Origin = new RecordOrigin(9, 1), Number = number },
            LogLoad.Record((ulong)number))).ToArray();

        foreach (int batch in (int[])[0, 0, 1, 0, 1])
        {
            await server.SendAsync($"{_prefix}0", batches[batch]);
        }

        await node.PublishAsync(0, 1, 3);
        await feed.WaitAsync(3);

        Assert.Equal([1, 2, 3], feed.Records.Select(static record => (int)record.Token));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Closed_connections_under_load_lose_and_double_nothing()
    {
        RabbitMqServer server = fixture.GetServer();
        RoomBackplane[] nodes = [Open(server, 1), Open(server, 2)];
        ShardRecorder[] readers = await nodes.ReadAsync(0);

        int each = 0;
        for (int time = 1; time <= 3; time++)
        {
            Task close = server.CloseConnectionsAsync();
            int before = each;
            while (!close.IsCompleted || each == before)
            {
                await Task.WhenAll(nodes.Select(node => node.PublishAsync(0, 50, (ulong)each + 1)));
                each += 50;
                await readers[0].WaitAsync(2 * each); // the load follows what the log takes
            }

            await close;
        }

        await readers.AssertCompleteAsync(nodes: 2, each);
        await nodes.DisposeAllAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_killed_broker_under_load_loses_and_doubles_nothing_and_is_told_as_degraded()
    {
        RabbitMqServer server = fixture.GetServer();
        RoomBackplane[] nodes = [Open(server, 1), Open(server, 2)];
        ShardRecorder[] readers = await nodes.ReadAsync(0);
        Task degraded = nodes[0].WaitForAsync(BackplaneState.Degraded);

        Task load = Task.WhenAll(nodes.Select(node => node.PublishAsync(0, 5000)));
        await readers[0].WaitAsync(1000);
        await server.KillAsync();
        await degraded;
        Assert.Equal(PublishResult.Unavailable, nodes[0].Publish(0, LogLoad.Record(1)));
        await server.StartAsync();
        await load;

        await readers.AssertCompleteAsync(nodes: 2, each: 5000);
        await nodes.DisposeAllAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_stream_with_other_properties_is_refused_with_the_reason_in_the_log()
    {
        RabbitMqServer server = fixture.GetServer();
        await using RabbitMqBackplane first = Open(server, 1);
        await first.WaitForAsync(BackplaneState.Up);
        RabbitMqBackplaneOptions other = Options(server);
        other.Retention = TimeSpan.FromHours(1);
        var log = new RecordingLogger();

        await using var second = new RabbitMqBackplane(other, new RecordOrigin(2, 1), log);

        await Eventually.TrueAsync(
            () => log.Entries.Any(static entry => entry.Text.Contains("inequivalent arg 'x-max-age'", StringComparison.Ordinal)));
        Assert.Equal(BackplaneState.Down, second.State);
    }

    private RabbitMqBackplaneOptions Options(RabbitMqServer server) => new()
    {
        Endpoints = [server.Endpoint],
        StreamPrefix = _prefix,
        ShardCount = 2,
        Limits = new BackplaneOptions { PendingTimeout = TimeSpan.FromSeconds(1) },
    };

    private RabbitMqBackplane Open(RabbitMqServer server, int nodeId, long incarnation = 1, bool isSmall = false)
    {
        RabbitMqBackplaneOptions options = Options(server);
        if (isSmall)
        {
            options.MaxStreamBytes = 4_000_000;
            options.SegmentBytes = 1_000_000;
        }

        return new RabbitMqBackplane(options, new RecordOrigin(nodeId, incarnation));
    }
}
