using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Stream and request-reply at their smallest: real servers, baselines and loads, each a process of its own.</summary>
[Trait("Tier", "Full")]
public sealed class ExperimentTests
{
    private const string Tiny = "--warmup 0.2 --duration 1";

    private static readonly TimeSpan s_hang = TimeSpan.FromMinutes(3); // several runs, each with its own processes

    [Fact]
    public async Task Stream_measures_every_size_and_subject()
    {
        JsonElement report = await RunAsync($"stream --quick --ccu 4 --inflight 3 --sizes 64 65536 {Tiny} --against kestrel async-socket");

        JsonElement[] runs = Runs(report);
        Assert.Equal(
            [("PlayChat", "64 B"), ("kestrel", "64 B"), ("async-socket", "64 B"),
                ("PlayChat", "64 KB"), ("kestrel", "64 KB"), ("async-socket", "64 KB")],
            runs.Select(static run => (run.GetProperty("subject").GetString(), run.GetProperty("case").GetString())));
        Assert.All(runs, static run =>
        {
            BenchmarkRun.AssertDocumented(run.GetProperty("reports")[0]);
            JsonElement load = run.GetProperty("reports")[0];
            Assert.True(load.GetProperty("messages").GetInt64() > 0);
            Assert.Equal(0, load.GetProperty("incomplete").GetInt64());
            Assert.Equal(0, load.GetProperty("gating_violation").GetInt64());
            Assert.False(load.GetProperty("drain_timeout").GetBoolean());
            Assert.Equal(16, load.GetProperty("sample_every").GetInt32());
            AssertFigures(run, "messages_per_s", "p50_us", "p95_us", "p99_us", "cpu_us_per_message",
                "peak_working_set_mb", "incomplete_ratio", "drain_timeout", "gating_violation");
        });
    }

    [Fact]
    public async Task Request_reply_measures_with_correlation_and_without()
    {
        JsonElement report = await RunAsync($"request-reply --quick --cases 3x3x8 {Tiny} --against async-socket blocking-threads");

        JsonElement[] runs = Runs(report);
        Assert.Equal(
            [
                ("PlayChat", "length4"), ("PlayChat, packets", "packet"), ("PlayChat, awaited", "request"),
                ("async-socket", "length4"), ("blocking-threads", "length4"),
            ],
            runs.Select(static run =>
                (run.GetProperty("subject").GetString(), run.GetProperty("reports")[0].GetProperty("framing").GetString())));
        Assert.All(runs, static run =>
        {
            BenchmarkRun.AssertDocumented(run.GetProperty("reports")[0]);
            Assert.Equal(0, run.GetProperty("reports")[0].GetProperty("incomplete").GetInt64());
            AssertFigures(run, "messages_per_s", "mean_us", "p50_us", "p99_us",
                "cpu_us_per_message", "peak_working_set_mb", "gc0", "gc1", "gc2", "gc_pause_ms");
        });
    }

    private static JsonElement[] Runs(JsonElement report) => [.. report.GetProperty("experiments")[0].GetProperty("runs").EnumerateArray()];

    private static void AssertFigures(JsonElement run, params string[] keys) => Assert.All(keys, key => Assert.True(
        run.GetProperty("figures").TryGetProperty(key, out JsonElement figure)
            && figure.GetProperty("median").ValueKind == JsonValueKind.Number, $"{key} is missing in {run}"));

    private static async Task<JsonElement> RunAsync(string options)
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"), folder.Path, [.. options.Split(' '), "--report", folder.Combine("report")]);

        int exitCode = await benchmark.Exited.WaitAsync(s_hang);

        Assert.True(exitCode == 0, benchmark.Describe());
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(folder.Combine("report", "results.json")));
        return document.RootElement.Clone();
    }
}
