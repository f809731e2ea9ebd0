using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Nodes of the last release and of this build in one cluster, while clients talk.</summary>
[Trait("Tier", "Full")]
public sealed class RollingUpgradeTests
{
    private const int Nodes = 2;

    /// <summary>The environment variable that names the server of the last release: its assembly or executable.</summary>
    private const string LastReleaseVariable = "PLAYCHAT_TEST_LAST_RELEASE";

    [Theory]
    [InlineData(ClusterLog.Postgres)]
    [InlineData(ClusterLog.RabbitMq)]
    public async Task Nodes_are_upgraded_and_go_back_and_each_client_moves_once_each_time_and_loses_nothing(ClusterLog log)
    {
        string? last = Environment.GetEnvironmentVariable(LastReleaseVariable);
        Assert.SkipWhen(last is null, $"{LastReleaseVariable} names no server of the last release, as .ci/full builds it.");
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(log, 0);
        for (int i = 0; i < Nodes; i++)
        {
            await AddAsync(last);
        }

        await using ClusterLoad load = await ClusterLoad.StartAsync(cluster.Ports, clients: 9, rooms: 3);
        await ReplaceAsync(ProgramFile.Server);
        await ReplaceAsync(last);
        await load.WaitForAsync(100);
        await load.StopAsync();

        load.Verify();
        await load.VerifyStoredAsync(cluster);
        Assert.All(load.Talkers, static talker => Assert.Equal(2, talker.Breaks.Count));
        Assert.Equal(3 * Nodes, cluster.Nodes.Count);
        Assert.All(cluster.Nodes, static node => Assert.Empty(node.Program.ErrorLines));

        Task AddAsync(string server) => cluster.AddBuildAsync(server, "--Sessions:ReturnWithin=00:00:01");

        // A node of the other version begins before one ends, and takes its clients.
        async Task ReplaceAsync(string server)
        {
            int first = cluster.Nodes.Count - Nodes;
            for (int i = first; i < first + Nodes; i++)
            {
                await load.WaitForAsync(100);
                await AddAsync(server);
                Assert.Equal(0, await cluster.Nodes[i].StopAsync());
            }
        }
    }
}
