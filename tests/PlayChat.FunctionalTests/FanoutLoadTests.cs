using System.Globalization;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The loads of many receivers and of many connections at their smallest, against the real server.</summary>
[Trait("Tier", "Full")]
public sealed class FanoutLoadTests
{
    private const int OneIn = 10_000;

    [Fact]
    public async Task One_delivery_in_ten_thousand_that_is_dropped_on_the_way_is_named()
    {
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using var proxy = new DroppingProxy(server.Port, OneIn);

        JsonElement report = await BenchmarkRun.AgainstAsync(
            proxy.Port, exitCode: 1, figures: null, "chat", "--clients", "60", "--rooms", "3",
            "--rps", "20", "--warmup", "0", "--duration", "2", "--drain-timeout", "1", "--max-lag", "60s");

        JsonElement[] missing = report.GetProperty("fanout").GetProperty("missing").EnumerateArray().ToArray();
        Assert.NotEmpty(proxy.Dropped);
        Assert.Equal(proxy.Dropped.Count, report.GetProperty("lost").GetInt32());
        Assert.Equal(
            proxy.Dropped.Select(static message => message.Sequence).Order(),
            missing.Select(static entry => entry.GetProperty("sequence").GetInt64()).Order());
        Assert.All(missing, static entry =>
            Assert.Equal(entry.GetProperty("room").GetInt32(), entry.GetProperty("receiver").GetInt32() % 3));
        BenchmarkRun.AssertDocumented(report);
    }

    [Fact]
    public async Task Classroom_reaches_all_with_one_worker_thread_when_all_connect_at_once()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "classroom", "--workers", "1");

        JsonElement report = await BenchmarkRun.AgainstAsync(
            server.Port, exitCode: 0, server.FiguresPath,
            "classroom", "--processes", "10", "--connections", "30", "--connect-at-once",
            "301", "--rps", "0.2", "--warmup", "0", "--duration", "5", "--max-lag", "60s");

        Assert.Equal(301, report.GetProperty("connecting").GetProperty("served").GetInt32());
        Assert.True(report.GetProperty("observer").GetProperty("count").GetInt32() > 0);
        BenchmarkRun.AssertDocumented(report);
        AssertWorkers(server, 1);
    }

    [Fact]
    public async Task A_reader_that_stops_is_closed_and_the_others_lose_nothing()
    {
        // Half of what the run sends to each reader: one that reads is only closed when the machine holds it back for half of the run.
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--mode", "classroom", "--PlayChat:Connections:MaxOutboundBytes=1000000", "--PlayChat:Transport:SendBufferBytes=16384");

        JsonElement report = await BenchmarkRun.AgainstAsync(
            server.Port, exitCode: 0, server.FiguresPath,
            "classroom", "--processes", "1", "--connections", "20", "--size", "1004", "--rps",
            "50", "--stalled-readers", "1", "--warmup", "0", "--duration", "2", "--max-lag", "60s");

        Assert.Equal(1, report.GetProperty("stalled").GetProperty("reset").GetInt32());
        BenchmarkRun.AssertDocumented(report);
    }

    [Fact]
    public async Task Broadcast_is_the_same_in_rooms()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "broadcast", "--rooms", "3");

        JsonElement report = await BenchmarkRun.AgainstAsync(
            server.Port, exitCode: 0, server.FiguresPath, "broadcast", "--clients",
            "12", "--rooms", "3", "--warmup", "0", "--duration", "1", "--max-lag", "60s");

        Assert.Equal(4, report.GetProperty("fan_out").GetDouble());
        BenchmarkRun.AssertDocumented(report);
    }

    [Fact]
    public async Task Ramp_tells_what_a_connection_costs()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "echo");

        JsonElement report = await BenchmarkRun.AgainstAsync(
            server.Port, exitCode: 0, server.FiguresPath,
            "ramp", "--connections", "200", "--ramp", "20", "--time-scale",
            "100", "--every", "500ms", "--duration", "2", "--interval", "0.5");

        Assert.Equal(200, report.GetProperty("accepted").GetInt32());
        Assert.Equal(JsonValueKind.Number, report.GetProperty("memory_bytes_per_connection").ValueKind);
        BenchmarkRun.AssertDocumented(report);
    }

    [Fact]
    public async Task Capacity_finds_a_rate_that_holds()
    {
        await using ServerProcess server = await ServerProcess.StartAsync();

        JsonElement report = await BenchmarkRun.AgainstAsync(
            server.Port, exitCode: 0, server.FiguresPath,
            "capacity", "--clients", "8", "--rooms", "2", "--rps", "5", "--p99-limit", "10s",
            "--max-lag", "10s", "--max-steps", "2", "--warmup", "0", "--duration", "0.1", "--drain-timeout", "1");

        Assert.True(report.GetProperty("rps").GetDouble() >= 5);
        Assert.NotEmpty(report.GetProperty("steps").EnumerateArray());
        BenchmarkRun.AssertDocumented(report);
    }

    // The runtime names them; the kernel cuts names to 15 letters.
    private static void AssertWorkers(ServerProcess server, int most)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        string tasks = string.Create(CultureInfo.InvariantCulture, $"/proc/{server.Program.Id}/task");
        Assert.InRange(Directory.GetDirectories(tasks).Count(static task =>
            File.ReadAllText(Path.Combine(task, "comm")).StartsWith(".NET TP Worker", StringComparison.Ordinal)), 1, most);
    }
}
