using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>Which nodes a client can be sent to.</summary>
public sealed class OtherNodesTests
{
    [Theory]
    [InlineData("node1:7777", "node2:7777", true)]
    [InlineData("127.0.0.1:7777", "127.0.0.1:7778", true)] // all on one machine
    [InlineData("localhost:7777", "[::1]:7778", true)]
    [InlineData("node1:7777", "127.0.0.1:7777", false)] // a client would meet its own machine
    [InlineData("10.0.0.1:7777", "localhost:7777", false)]
    [InlineData("0.0.0.0:7777", "127.0.0.1:7777", false)]
    [InlineData("node1:7777", "0.0.0.0:7777", false)]
    [InlineData("node1:7777", "10.0.0.2:0", false)]
    public void Clients_are_sent_where_they_can_connect(string own, string other, bool isNamed)
    {
        var others = new OtherNodes();
        var self = new RecordOrigin(1, 11);

        others.Set([new NodeInfo(self, own, IsDraining: false), new NodeInfo(new RecordOrigin(2, 12), other, IsDraining: false)], self);

        Assert.Equal(isNamed ? other : null, others.Next());
    }

    [Theory]
    [InlineData("1", "1", "1", "node2 node3")]
    [InlineData("1", "1", "2", "node3 node3")] // the second node is replaced as well
    [InlineData("2", "2", "1", "node3 node3")] // and so on the way back
    [InlineData("1", "2", "2", "node2 node3")]
    public void While_an_upgrade_runs_clients_are_sent_to_nodes_of_the_other_version(string own, string second, string third, string turns)
    {
        var others = new OtherNodes();
        var self = new RecordOrigin(1, 11);

        others.Set(
            [
                new NodeInfo(self, "node1", Version: own),
                new NodeInfo(new RecordOrigin(2, 12), "node2", Version: second),
                new NodeInfo(new RecordOrigin(3, 13), "node3", Version: third),
            ],
            self);

        string?[] sent = [others.Next(), others.Next()];
        Assert.Equal(turns.Split(' ').Order(StringComparer.Ordinal), sent.Order(StringComparer.Ordinal));
        Assert.Equal("node2", others.Redirect(new RecordOrigin(2, 12))); // where its room is
    }
}
