using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The experiments of fan-out and connections at a tiny size, from the command to the report.</summary>
[Trait("Tier", "Full")]
public sealed class FanoutExperimentTests
{
    // Each of its runs starts a server and a load.
    private static readonly TimeSpan s_patience = 6 * TestTimeouts.Hang;

    [Theory]
    [InlineData(
        "chat-fanout", 4, "deliveries_per_s", "--clients 8 --rooms 2 --stalled-readers 1 --warmup 0.1 --duration 0.6 --step-duration 0.3")]
    [InlineData("classroom-broadcast", 4, "deliveries_per_s p99_us",
        "--connections 4 --processes 2 --pools 1:2 --burst 8 --stalled-readers 1 --warmup 0.1 --duration 1.2")]
    [InlineData("connection-ramp", 3, "accepted rtt_p99_us", "--connections 40 --more 60 --ramp 20 --time-scale 100 --hold 1")]
    public async Task An_experiment_runs_to_its_report(string command, int runs, string keys, string options)
    {
        // The build's own, so that nothing is built here.
        Environment.SetEnvironmentVariable("PLAYCHAT_BENCHMARK_SERVER", ProgramFile.Find("PlayChat.Server"));
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"),
            folder.Path,
            [command, "--quick", .. options.Split(' '), "--against",
                command == "chat-fanout" ? "none" : "async-socket", "--report", folder.Path]);

        int exitCode = await benchmark.Exited.WaitAsync(s_patience);

        JsonElement results = BenchmarkRun.Read(folder.Combine("results.json"));
        JsonElement[] all = results.GetProperty("experiments")[0].GetProperty("runs").EnumerateArray().ToArray();
        Assert.True(all.Length >= runs, benchmark.Describe());
        JsonElement[] ours = all.Where(static run =>
            run.GetProperty("subject").GetString()!.StartsWith("PlayChat", StringComparison.Ordinal)).ToArray();
        Assert.All(ours.SelectMany(static run =>
            run.GetProperty("problems").EnumerateArray().Select(problem => (Run: run, Text: problem.GetString()!))), problem =>
            Assert.True(IsOfTheMachine(problem.Run, problem.Text), benchmark.Describe()));
        Assert.Equal(ours.Any(static run => run.GetProperty("problems").GetArrayLength() > 0) ? 1 : 0, exitCode);
        Assert.All(ours.Where(static run => !HasNoRate(run)), run => AssertFigures(run, keys.Split(' ')));
        Assert.All(all, static run => BenchmarkRun.AssertDocumented(run.GetProperty("reports")[0]));
    }

    // A busy machine may be late with the load, or hold no rate of the capacity search in steps this short. Everything else is a fault.
    private static bool IsOfTheMachine(JsonElement run, string problem) =>
        problem.Contains("the load fell behind", StringComparison.Ordinal) || HasNoRate(run);

    private static bool HasNoRate(JsonElement run)
    {
        JsonElement report = run.GetProperty("reports")[0];
        return report.GetProperty("mode").GetString() == "capacity" && report.GetProperty("steps")
            .GetArrayLength() > 0 && report.GetProperty("rps").ValueKind == JsonValueKind.Null;
    }

    private static void AssertFigures(JsonElement run, string[] keys) => Assert.All(keys, key => Assert.True(
        run.GetProperty("figures").TryGetProperty(key, out JsonElement figure)
            && figure.ValueKind == JsonValueKind.Object && figure.GetProperty("median").ValueKind == JsonValueKind.Number,
        $"{key} is missing in {run}"));
}
