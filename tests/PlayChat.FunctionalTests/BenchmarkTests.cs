using System.Text.Json;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The load generator at its smallest: everything arrives, and the report has the keys that others read.</summary>
public sealed class BenchmarkTests
{
    private static readonly string[] s_percentiles = ["mean", "p50", "p90", "p95", "p99", "p999", "max"];

    private static readonly string[] s_server =
        ["cpu_us_per_message", "cpu_us_per_delivery", "cpu_percent", "peak_working_set_bytes", "gc0", "gc1", "gc2", "gc_pause_ms"];

    [Theory]
    [InlineData("packet", "chat")]
    [InlineData("length4", "echo", Traits = ["Tier", "Full"])]
    public async Task Echo_gets_every_answer(string framing, string mode)
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", mode);

        JsonElement report = await RunAsync(server, "echo", "--ccu", "4", "--inflight", "8", "--size", "64", "--framing", framing);

        AssertKeys(
            report, "mode", "ccu", "inflight", "size", "duration_s", "messages",
            "messages_per_s", "rtt_us", "errors", "incomplete", "incomplete_ratio", "server");
        AssertKeys(report.GetProperty("rtt_us"), s_percentiles);
        AssertKeys(report.GetProperty("server"), s_server);
        Assert.Equal("echo", report.GetProperty("mode").GetString());
        Assert.True(report.GetProperty("messages").GetInt64() > 0);
        AssertZero(report, "errors", "incomplete");
    }

    [Fact]
    public async Task Chat_gets_every_delivery()
    {
        await using ServerProcess server = await ServerProcess.StartAsync();

        JsonElement report = await RunAsync(server, "chat", "--clients", "12", "--rooms", "3", "--rps", "10", "--max-lag", "60s");

        AssertKeys(
            report, "mode", "clients", "rooms", "rps", "app_in_per_s",
            "deliveries_per_s", "expected_deliveries", "lost", "duplicated", "reordered",
            "latency_us", "latency_buckets", "deliveries_per_io", "server");
        AssertKeys(report.GetProperty("latency_us"), s_percentiles);
        AssertKeys(report.GetProperty("server"), s_server);
        Assert.Equal("chat", report.GetProperty("mode").GetString());
        Assert.True(report.GetProperty("expected_deliveries").GetInt64() > 0);
        AssertZero(report, "lost", "duplicated", "reordered");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Chat_resets_who_never_reads_and_loses_nothing_else()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--PlayChat:Connections:MaxOutboundBytes=196608", "--PlayChat:Transport:SendBufferBytes=16384");

        JsonElement report = await RunAsync(
            server, "chat", "--clients", "12", "--rooms", "2", "--rps", "100",
            "--mix", "1000:1", "--stalled-readers", "2", "--max-lag", "60s");

        AssertZero(report, "lost", "duplicated", "reordered", "errors");
        Assert.Equal(2, report.GetProperty("stalled").GetProperty("reset").GetInt32());
    }

    private static async Task<JsonElement> RunAsync(ServerProcess server, string load, params string[] options)
    {
        const string Report = "report.json";
        using var folder = new TemporaryDirectory();
        string connect = FormattableString.Invariant($"127.0.0.1:{server.Port}");
        await using ProgramProcess benchmark = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"),
            folder.Path,
            [load, .. options, "--warmup", "0.2", "--duration", "3",
                "--connect", connect, "--server-kpi", server.FiguresPath, "--json", Report]);

        int exitCode = await benchmark.WaitForExitAsync();

        Assert.True(exitCode == 0, benchmark.Describe());
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(folder.Combine(Report)));
        return document.RootElement.Clone();
    }

    private static void AssertKeys(JsonElement report, params string[] keys) =>
        Assert.All(keys, key => Assert.True(report.TryGetProperty(key, out _), $"{key} is missing in {report}"));

    private static void AssertZero(JsonElement report, params string[] keys) =>
        Assert.All(keys, key => Assert.Equal(0, report.GetProperty(key).GetDouble()));
}
