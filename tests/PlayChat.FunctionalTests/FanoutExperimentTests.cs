using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The experiments of fan-out and connections at a tiny size, from the command to the report.</summary>
public sealed class FanoutExperimentTests
{
    // Each of its runs starts a server and a load.
    private static readonly TimeSpan s_patience = 6 * TestTimeouts.Hang;

    [Theory]
    [InlineData("chat-fanout", 4, "--clients 8 --rooms 2 --stalled-readers 1 --warmup 0.1 --duration 0.6 --step-duration 0.1")]
    [InlineData("classroom-broadcast", 4, "--connections 4 --processes 2 --workers 1 --burst 8 --stalled-readers 1 --warmup 0.1 --duration 0.6")]
    [InlineData("connection-ramp", 3, "--connections 40 --more 60 --ramp 20 --time-scale 100 --hold 1")]
    public async Task An_experiment_runs_to_its_report(string command, int runs, string options)
    {
        // The build's own, so that nothing is built here.
        Environment.SetEnvironmentVariable("PLAYCHAT_BENCHMARK_SERVER", ProgramFile.Find("PlayChat.Server"));
        using var folder = new TemporaryDirectory();
        await using ProgramProcess benchmark = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"),
            folder.Path,
            [command, "--quick", .. options.Split(' '), "--against", command == "chat-fanout" ? "none" : "async-socket", "--report", folder.Path]);

        await benchmark.Exited.WaitAsync(s_patience);

        JsonElement results = BenchmarkRun.Read(folder.Combine("results.json"));
        Assert.True(results.GetProperty("experiments")[0].GetProperty("runs").GetArrayLength() >= runs, benchmark.Describe());
    }
}
