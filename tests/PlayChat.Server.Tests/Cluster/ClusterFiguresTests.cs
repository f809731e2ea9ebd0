using System.Globalization;
using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Log;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.Operations;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>What a node tells of its log and its place in the cluster.</summary>
public sealed class ClusterFiguresTests
{
    private static readonly string[] s_columns = ["log lag ms", "log unconfirmed", "log duplicates", "redirects", "lease age ms"];

    [Fact]
    public async Task Only_a_node_has_the_columns()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1);
        await using TestServer alone = await TestServer.StartAsync();

        Assert.Equal(string.Join(", ", s_columns), string.Join(", ", ColumnsOf(cluster[0])));
        Assert.Empty(ColumnsOf(alone));
    }

    [Fact]
    public async Task Duplicates_of_the_log_are_counted_and_a_fence_does_not_lose_the_count()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(
            1, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        var header = new BatchHeader { Origin = new RecordOrigin(NodeId: 9, Incarnation: 900), Number = 1, Epoch = 1 };
        byte[] batch = RecordBatch.Write(header, new RoomRecord { Kind = (byte)RoomEntryKind.Mark });
        cluster.Log.Append(shard: 0, batch);
        cluster.Log.Append(shard: 0, batch);
        await Eventually.TrueAsync(() => Column(cluster[0], "log duplicates") == 1);
        Assert.Equal(1, (await ScrapeAsync(cluster[0]))["playchat_cluster_batches_duplicate_total"]);

        await cluster.FenceAsync();
        cluster.Heal();
        await Eventually.TrueAsync(() => cluster[0].Get<ClusterNode>().Life is not null);

        Assert.InRange(Column(cluster[0], "log duplicates"), 1, 2); // the next life may read them once more
        Assert.Equal(0, Column(cluster[0], "log lag ms"));
    }

    [Fact]
    public async Task Requests_that_were_answered_REDIRECT_are_counted()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(
            2, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        await cluster[0].Get<ClusterNode>().StoppingAsync(CancellationToken.None); // from now on it sends new clients away

        foreach (string name in new[] { "Ann", "Bob" })
        {
            await using TestClient client = await cluster[0].ConnectAsync();
            SErrorNtf sent = await client.FailAsync(
                ChatPackets.CLoginReq, new CLoginReq { Name = name, ClientVersion = "test/1", FollowsRedirects = true });
            Assert.Equal(ErrorCode.Redirect, sent.Code);
        }

        Assert.Equal((2.0, 0.0), (Column(cluster[0], "redirects"), Column(cluster[1], "redirects")));
        Assert.Equal(2, (await ScrapeAsync(cluster[0]))["playchat_cluster_redirects_total"]);
        Assert.Equal(0, (await ScrapeAsync(cluster[1]))["playchat_cluster_redirects_total"]);
    }

    [Fact]
    public async Task A_node_that_does_not_read_back_what_it_writes_begins_anew()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1);
        ClusterNode node = cluster[0].Get<ClusterNode>();
        node.StartTimeout = TimeSpan.FromMilliseconds(300);
        await cluster.FenceAsync();
        cluster.DirectoryOf(0).IsAway = false;

        long first = await Eventually.GetAsync(FindIncarnationAsync, static incarnation => incarnation > 1);
        await Eventually.GetAsync(FindIncarnationAsync, incarnation => incarnation > first + 1); // two more attempts
        node.StartTimeout = TestTimeouts.Hang;
        cluster.Log.IsAvailable = true;
        await Eventually.TrueAsync(() => node.Life is not null);

        async Task<long> FindIncarnationAsync() =>
            (await cluster.DirectoryOf(0).GetNodesAsync()).SingleOrDefault()?.Origin.Incarnation ?? 0;
    }

    [Fact]
    public async Task Each_metric_of_a_node_is_there_once_and_again_after_a_fence()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(
            1, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");
        Dictionary<string, double> samples = await ScrapeAsync(cluster[0]);
        Assert.Equal(0, samples["playchat_cluster_log_lag_seconds"]);
        Assert.Equal(0, samples["playchat_cluster_batches_unconfirmed"]);
        Assert.Equal(0, samples["playchat_cluster_batches_duplicate_total"]);
        Assert.Equal(0, samples["playchat_cluster_redirects_total"]);
        Assert.Equal(0, samples["playchat_cluster_fenced"]);
        Assert.InRange(samples["playchat_cluster_lease_age_seconds"], 0, 30); // the lease

        await cluster.FenceAsync();
        samples = await ScrapeAsync(cluster[0]);
        Assert.Equal(1, samples["playchat_cluster_fenced"]);
        Assert.False(samples.ContainsKey("playchat_cluster_lease_age_seconds"));

        cluster.Heal();
        await Eventually.TrueAsync(() => cluster[0].Get<ClusterNode>().Life is not null);
        samples = await ScrapeAsync(cluster[0]);
        Assert.Equal((0.0, 0.0), (samples["playchat_cluster_fenced"], samples["playchat_cluster_log_lag_seconds"]));
    }

    private static IEnumerable<string> ColumnsOf(TestServer node) =>
        node.Figures.Extras.Select(static extra => extra.Name).Intersect(s_columns, StringComparer.Ordinal);

    private static double Column(TestServer node, string name) =>
        node.Figures.Extras.Single(extra => extra.Name == name).Value;

    private static async Task<Dictionary<string, double>> ScrapeAsync(TestServer node)
    {
        using HttpClient http = node.Http();
        string text = await http.GetStringAsync(OperationsServer.Path("/metrics")).WaitAsync(TestTimeouts.Hang);
        return text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Where(static line => !line.StartsWith('#'))
            .ToDictionary(
                static line => line[..line.LastIndexOf(' ')],
                static line => double.Parse(line[(line.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture),
                StringComparer.Ordinal);
    }
}
