using System.Diagnostics;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.RabbitMq;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>Three brokers, of which one dies. Explicit: forming the cluster takes about 20 seconds.</summary>
[Trait("Tier", "Full")]
public sealed class RabbitMqFailoverTests
{
    private const string Stream = "failover.0";
    private const int Nodes = 3;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact(Explicit = true)]
    public async Task The_death_of_the_broker_that_leads_a_stream_loses_and_doubles_nothing()
    {
        Assert.SkipUnless(RabbitMqServer.IsAvailable, RabbitMqServer.SkipReason);
        await using RabbitMqServer first = await RabbitMqServer.StartNewAsync();
        await using RabbitMqServer second = await first.StartJoinedAsync();
        await using RabbitMqServer third = await first.StartJoinedAsync();
        RabbitMqServer[] brokers = [first, second, third];
        var nodes = new RabbitMqBackplane[Nodes];
        var feeds = new ShardRecorder[Nodes];
        var silence = new Silence();
        for (int i = 0; i < Nodes; i++)
        {
            // Each prefers another broker.
            nodes[i] = new RabbitMqBackplane(
                new RabbitMqBackplaneOptions
                {
                    Endpoints = [.. brokers.Select((_, turn) => brokers[(i + turn) % brokers.Length].Endpoint)],
                    StreamPrefix = "failover.",
                    ShardCount = 1,
                },
                new RecordOrigin(i + 1, 1));
            feeds[i] = new ShardRecorder { Hook = i == 0 ? _ => silence.OnRecord() : null };
            await nodes[i].SubscribeAsync(0, SubscribeFrom.Tail, feeds[i], Stop);
        }

        using var stopping = CancellationTokenSource.CreateLinkedTokenSource(Stop);
        Task<int>[] talking = [.. nodes.Select(node => TalkAsync(node, stopping.Token))];
        await feeds[0].WaitAsync(1000);
        RabbitMqServer leader = await FindLeaderAsync(brokers);
        silence.BeginToMeasure();

        await leader.KillAsync();

        await Task.WhenAll(feeds.Select(static feed => feed.WaitAsync(feed.Records.Length + 3000)));
        await stopping.CancelAsync();
        int[] accepted = await Task.WhenAll(talking);
        await Task.WhenAll(feeds.Select(feed => feed.WaitAsync(accepted.Sum())));
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{accepted.Sum()} records; longest silence {silence.Longest.TotalMilliseconds:F0} ms, "
            + $"republished {nodes.Sum(static node => node.Meter.Republished)}, duplicates {nodes[0].Meter.Duplicates}.");
        Assert.InRange(silence.Longest, TimeSpan.Zero, TimeSpan.FromSeconds(1));
        Assert.All(feeds, static feed => Assert.Empty(feed.Gaps));
        Assert.All(feeds, feed => Assert.Equal(feeds[0].Records, feed.Records));
        for (int i = 0; i < Nodes; i++)
        {
            Assert.Equal(
                Enumerable.Range(1, accepted[i]).Select(static token => (ulong)token),
                feeds[0].Records.Where(record => record.NodeId == i + 1).Select(static record => record.Token));
            await nodes[i].DisposeAsync();
        }
    }

    private static async Task<RabbitMqServer> FindLeaderAsync(IEnumerable<RabbitMqServer> brokers)
    {
        foreach (RabbitMqServer broker in brokers)
        {
            if (await broker.IsLeaderOfAsync(Stream))
            {
                return broker;
            }
        }

        throw new InvalidOperationException("No broker leads the stream.");
    }

    /// <summary>Publishes a record each millisecond or so, and each again until it is accepted.</summary>
    /// <returns>How many were accepted.</returns>
    private static async Task<int> TalkAsync(RabbitMqBackplane node, CancellationToken stop)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        int accepted = 0;
        try
        {
            while (await timer.WaitForNextTickAsync(stop))
            {
                if (node.Publish(0, new RoomRecord { Kind = 1, Token = (ulong)accepted + 1 }) == PublishResult.Accepted)
                {
                    accepted++;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The test has seen enough.
        }

        return accepted;
    }

    /// <summary>The longest time between two records. Only the reader of the log calls <see cref="OnRecord"/>.</summary>
    private sealed class Silence
    {
        private long _last;
        private volatile bool _isMeasuring;

        public TimeSpan Longest { get; private set; }

        public void BeginToMeasure() => _isMeasuring = true;

        public void OnRecord()
        {
            long now = Stopwatch.GetTimestamp();
            if (_isMeasuring && _last != 0 && Stopwatch.GetElapsedTime(_last, now) is var silence && silence > Longest)
            {
                Longest = silence;
            }

            _last = now;
        }
    }
}
