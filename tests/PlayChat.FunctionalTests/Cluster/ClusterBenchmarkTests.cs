using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>The benchmark's <c>chat --cluster</c>: it starts everything that a cluster needs, and ends it.</summary>
[Trait("Tier", "Full")]
public sealed class ClusterBenchmarkTests
{
    private const string Load = "--clients 12 --rooms 3 --rps 10 --warmup 0.5 --duration 2 --interval 1 --max-lag 30s";

    [Fact]
    public async Task The_benchmark_starts_two_nodes_checks_every_delivery_and_leaves_nothing()
    {
        SkipWithoutPostgres();
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = Start(folder, $"--cluster 2 {Load}");

        int exitCode = await benchmark.WaitForExitAsync();

        Assert.True(exitCode == 0, benchmark.Describe());
        JsonElement report = BenchmarkRun.Read(folder.Combine("report.json"));
        BenchmarkRun.AssertDocumented(report);
        JsonElement cluster = report.GetProperty("cluster");
        Assert.Equal((2, "Postgres"), (cluster.GetProperty("nodes").GetInt32(), cluster.GetProperty("engine").GetString()));
        Assert.True(cluster.GetProperty("nodes_cpu_us_per_delivery").GetDouble() > 0);
        Assert.True(cluster.GetProperty("log_and_database_cpu_us_per_delivery").GetDouble() > 0);
        Assert.All(cluster.GetProperty("each").EnumerateArray(), static node =>
            Assert.True(node.GetProperty("deliveries_per_s").GetDouble() > 0));
        Assert.Empty(Left(folder));
    }

    [Fact]
    public async Task A_server_without_a_cluster_uses_the_same_database()
    {
        SkipWithoutPostgres();
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = Start(folder, $"--cluster 0 {Load}");

        int exitCode = await benchmark.WaitForExitAsync();

        Assert.True(exitCode == 0, benchmark.Describe());
        JsonElement cluster = BenchmarkRun.Read(folder.Combine("report.json")).GetProperty("cluster");
        Assert.Equal(JsonValueKind.Null, cluster.GetProperty("engine").ValueKind);
        Assert.True(cluster.GetProperty("nodes_cpu_us_per_delivery").GetDouble() > 0);
        // The system counts processor time in steps of 10 ms, and the database of so small a load may need less.
        Assert.Equal(JsonValueKind.Number, cluster.GetProperty("database_cpu_us_per_delivery").ValueKind);
    }

    [Fact]
    public async Task An_interrupted_run_ends_what_it_has_started()
    {
        SkipWithoutPostgres();
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = Start(
            folder, "--cluster 2 --clients 6 --rooms 2 --rps 5 --warmup 0 --duration 600 --max-lag 30s");
        await benchmark.WaitForLineAsync(static line => line.StartsWith("Measure", StringComparison.Ordinal));

        benchmark.Terminate();

        Assert.Equal(130, await benchmark.WaitForExitAsync());
        Assert.True(BenchmarkRun.Read(folder.Combine("report.json")).GetProperty("interrupted").GetBoolean());
        Assert.Empty(Left(folder));
    }

    [Fact]
    public async Task A_node_that_does_not_start_fails_the_run_which_ends_the_database()
    {
        SkipWithoutPostgres();
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = Start(folder, $"--cluster 2 --server Cluster:Shards=-1 {Load}");

        Assert.Equal(1, await benchmark.WaitForExitAsync());

        Assert.Contains("Cluster:Shards", Assert.Single(benchmark.ErrorLines), StringComparison.Ordinal);
        Assert.Empty(Left(folder));
    }

    private static void SkipWithoutPostgres() => Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);

    // In a folder for temporary files of its own, in which nothing may be left. PostgreSQL's user must get in.
    private static ProgramProcess Start(TemporaryDirectory folder, string arguments)
    {
        string temporary = folder.Combine("tmp");
        Directory.CreateDirectory(temporary);
        if (!OperatingSystem.IsWindows())
        {
            const UnixFileMode Others = UnixFileMode.OtherExecute | UnixFileMode.OtherWrite | UnixFileMode.OtherRead;
            File.SetUnixFileMode(folder.Path, File.GetUnixFileMode(folder.Path) | Others);
            File.SetUnixFileMode(temporary, File.GetUnixFileMode(temporary) | Others);
        }

        return ProgramProcess.Start(
            "/usr/bin/env",
            folder.Path,
            [
                $"TMPDIR={temporary}",
                $"PLAYCHAT_BENCHMARK_SERVER={ProgramFile.Server}",
                .. Command("chat", [.. arguments.Split(' '), "--json", "report.json"]),
            ]);
    }

    private static string[] Command(string command, string[] arguments)
    {
        (string program, string[] all) = ProgramProcess.CommandOf(ProgramFile.Find("PlayChat.Benchmark"), [command, .. arguments]);
        return [program, .. all];
    }

    // The runtime keeps files of its own there, such as its diagnostics' sockets.
    private static string[] Left(TemporaryDirectory folder) => Directory.GetFileSystemEntries(folder.Combine("tmp"), "playchat-*");
}
