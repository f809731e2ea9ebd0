using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Many players log in at the same moment.</summary>
[Trait("Tier", "Full")]
public sealed class LoginBurstTests
{
    // What run-a-cluster.md says of a node, and of what PostgreSQL keeps for superusers.
    private const int ConnectionsOfNode = 23;
    private const int ReservedConnections = 3;
    private const int Players = 300;

    [Theory]
    [InlineData(ClusterLog.Postgres, 2)]
    [InlineData(ClusterLog.RabbitMq, 1)]
    public async Task Logins_wait_for_a_connection_to_a_database_that_accepts_only_those_of_the_nodes(ClusterLog log, int nodes)
    {
        int maxConnections = (nodes * ConnectionsOfNode) + ReservedConnections;
        await using ProcessCluster cluster = await ProcessCluster.StartWithDatabaseAsync(log, nodes, maxConnections, []);
        ChatClient[] clients = await Task.WhenAll(Enumerable.Range(0, Players).Select(player =>
            ChatClient.ConnectAsync("127.0.0.1", cluster.Ports[player % nodes]).WaitAsync(TestTimeouts.Hang)));
        try
        {
            await Task.WhenAll(clients.Select(static (client, player) => client.LoginAsync($"Player {player}")))
                .WaitAsync(TestTimeouts.Hang);
        }
        finally
        {
            await Task.WhenAll(clients.Select(static client => client.DisposeAsync().AsTask()));
        }
    }
}
