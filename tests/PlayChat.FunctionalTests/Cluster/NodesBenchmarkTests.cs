using System.Text.Json;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>The benchmark's <c>--nodes</c>, as <c>tools/cluster-cost</c> uses it.</summary>
public sealed class NodesBenchmarkTests
{
    [Fact]
    public async Task The_benchmark_spreads_rooms_over_nodes_and_checks_every_delivery()
    {
        await using ProcessCluster cluster = await ProcessCluster.StartAsync(ClusterLog.Postgres, 2);
        using var folder = new TemporaryDirectory();
        string nodes = string.Join(',', cluster.Ports.Select(static port => $"127.0.0.1:{port}"));
        string load = $"chat --nodes {nodes} --clients 12 --rooms 3 --rps 5 --warmup 0 --duration 2 --max-lag 30s --json report.json";

        await using ProgramProcess benchmark = ProgramProcess.Start(ProgramFile.Find("PlayChat.Benchmark"), folder.Path, load.Split(' '));

        Assert.True(await benchmark.WaitForExitAsync() == 0, benchmark.Describe());
        await using FileStream file = File.OpenRead(folder.Combine("report.json"));
        using JsonDocument report = await JsonDocument.ParseAsync(file, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(2, report.RootElement.GetProperty("nodes").GetInt32());
        Assert.True(report.RootElement.GetProperty("deliveries").GetInt64() > 0);
        foreach (ServerProcess node in cluster.Nodes)
        {
            // Six players on each.
            await node.WaitForFiguresAsync(static figures => ServerProcess.Figure(figures, "total", "frames_received") >= 6);
        }
    }
}
