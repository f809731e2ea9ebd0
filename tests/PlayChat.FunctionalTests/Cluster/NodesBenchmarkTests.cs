using System.Text.Json;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>The benchmark's <c>chat --nodes</c>: nodes that run already.</summary>
[Trait("Tier", "Full")]
public sealed class NodesBenchmarkTests
{
    [Fact]
    public async Task The_benchmark_spreads_rooms_over_nodes_and_checks_every_delivery()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2);

        JsonElement report = await RunAsync(cluster, "--clients 12 --rooms 3 --rps 5 --warmup 0 --duration 2 --max-lag 30s");

        Assert.Equal(2, report.GetProperty("nodes").GetInt32());
        foreach (ServerProcess node in cluster.Nodes)
        {
            // Six players on each.
            await node.WaitForFiguresAsync(static figures => ServerProcess.Figure(figures, "total", "frames_received") >= 6);
        }
    }

    /// <summary>Explicit: needs a machine that does nothing else, and a release build.</summary>
    [Theory(Explicit = true)]
    [InlineData(ClusterLog.RabbitMq)]
    [InlineData(ClusterLog.Postgres)]
    public async Task Three_nodes_carry_20000_messages_a_second_in_one_order(ClusterLog log)
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(log, 3);
        await RunAsync(cluster, "--clients 300 --rooms 30 --rps 67 --warmup 0 --duration 10 --max-lag 10s"); // compiles the hot paths

        JsonElement report = await RunAsync(cluster, "--clients 300 --rooms 30 --rps 67 --warmup 10 --duration 20");

        JsonElement latency = report.GetProperty("latency_us");
        string rates = $"{report.GetProperty("app_in_per_s")} messages/s, {report.GetProperty("deliveries_per_s")} deliveries/s";
        TestContext.Current.TestOutputHelper?.WriteLine($"{rates}, latency in us: {latency}");
        Assert.InRange(latency.GetProperty("p99").GetDouble(), 0, 25_000);
    }

    /// <summary>Runs the load. It succeeds when each member received every message once, in the order of all other members.</summary>
    private static async Task<JsonElement> RunAsync(ProcessCluster cluster, string load)
    {
        using var folder = new TemporaryDirectory();
        string nodes = string.Join(',', cluster.Ports.Select(static port => $"127.0.0.1:{port}"));
        string[] arguments = ["chat", "--nodes", nodes, "--json", "report.json", .. load.Split(' ')];

        await using ProgramProcess benchmark = ProgramProcess.Start(ProgramFile.Find("PlayChat.Benchmark"), folder.Path, arguments);

        int exitCode = await benchmark.WaitForExitAsync();
        string[] told = [benchmark.Describe(), .. cluster.Nodes.Select(static node => node.Program.Describe())];
        Assert.True(exitCode == 0, string.Join(Environment.NewLine, told));
        JsonElement report = await ReadAsync(folder);
        Assert.True(report.GetProperty("deliveries").GetInt64() > 0);
        return report;
    }

    private static async Task<JsonElement> ReadAsync(TemporaryDirectory folder)
    {
        await using FileStream file = File.OpenRead(folder.Combine("report.json"));
        using JsonDocument report = await JsonDocument.ParseAsync(file, cancellationToken: TestContext.Current.CancellationToken);
        return report.RootElement.Clone();
    }
}
