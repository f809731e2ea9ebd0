using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.State.Tests;

/// <summary>Servers that share a room share its state.</summary>
public sealed class ClusterTests
{
    [Fact]
    public async Task Members_of_all_nodes_follow_the_state_and_another_node_continues_it()
    {
        var directory = new LocalDirectoryStore();
        var log = new LocalLog(shardCount: 1);
        await using var first = new ClusterNode(1, directory, log);
        await using var second = new ClusterNode(2, directory, log);
        await first.StartAsync();
        ClusterNode.Client ann = await first.JoinAsync();
        await ann.SeesAsync(3); // the first node owns the room
        await second.StartAsync();
        ClusterNode.Client bob = await second.JoinAsync();
        await bob.SeesAsync(6);

        await first.StopAsync();
        uint last = bob.Ticks[^1];
        await bob.SeesAsync(last + 5);

        uint[] seen = bob.Ticks;
        Assert.Equal(seen.Order(), seen);
    }
}
