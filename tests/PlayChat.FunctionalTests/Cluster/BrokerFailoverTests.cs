using PlayChat.Cluster.Log;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Nodes whose log is in three brokers, of which one dies.</summary>
[Trait("Tier", "Full")]
public sealed class BrokerFailoverTests
{
    private const int Shards = 2;

    [Fact]
    public async Task The_death_of_the_broker_that_leads_a_stream_loses_and_doubles_nothing_and_no_client_loses_its_connection()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartWithBrokersAsync(3, nodes: 3, $"--Cluster:Shards={Shards}");
        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 6, rooms: 2);
        await load.WaitForAsync(100);
        RabbitMqServer leader = await FindLeaderAsync(cluster, load.Talkers[0].RoomId);

        await leader.KillAsync();

        await Task.WhenAll(load.Talkers.Select(static talker => ClusterLoad.WaitForAsync(talker, 20)));
        await load.StopAsync();
        load.Verify();
        await load.VerifyStoredAsync(cluster);
        Assert.All(load.Talkers, static talker => Assert.Empty(talker.Breaks));
        Assert.All(load.Talkers, static talker => Assert.Equal(0, talker.Timeouts)); // every request was answered
    }

    private static async Task<RabbitMqServer> FindLeaderAsync(ProcessCluster cluster, long roomId)
    {
        string stream = FormattableString.Invariant($"playchat.rooms.{RoomShard.Of(roomId, Shards)}");
        foreach (RabbitMqServer broker in cluster.Brokers)
        {
            if (await broker.IsLeaderOfAsync(stream))
            {
                return broker;
            }
        }

        throw new InvalidOperationException($"No broker leads the stream {stream}.");
    }
}
