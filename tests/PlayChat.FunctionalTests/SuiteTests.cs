using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>What all experiments and loads have in common: an early end, conditions, an earlier report.</summary>
public sealed class SuiteTests(SharedServer shared)
{
    private const string Echo = "echo --ccu 2 --inflight 4 --framing packet --warmup 0 --duration 0.3";

    [Fact]
    [Trait("Tier", "Full")]
    public async Task An_interrupted_suite_writes_what_it_has()
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess suite = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"), folder.Path, "suite",
            "--quick", "--only", "connection-ramp", "--against", "none", "--report", "report");
        await suite.WaitForLineAsync(static line => line.Contains("run 1 of 2", StringComparison.Ordinal));

        suite.Terminate();
        int exitCode = await suite.WaitForExitAsync();

        Assert.True(exitCode == 130, suite.Describe());
        using var report = JsonDocument.Parse(await File.ReadAllTextAsync(folder.Combine("report", "results.json")));
        Assert.True(report.RootElement.GetProperty("interrupted").GetBoolean());
        Assert.Equal(1, report.RootElement.GetProperty("not_run").GetInt32());
        Assert.Equal(0, report.RootElement.GetProperty("problems").GetArrayLength());
        Assert.Contains("ended early", await File.ReadAllTextAsync(folder.Combine("report", "index.html")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("messages<1", 0, "passes --fail-if \"messages<1\"", Traits = ["Tier", "Full"])]
    [InlineData("messages>0", 1, "fails --fail-if \"messages>0\"")]
    [InlineData("p98_us>0", 2, "'p98_us' is no figure of this report. It has ", Traits = ["Tier", "Full"])]
    public async Task A_condition_decides_the_exit_code_of_a_load(string condition, int expected, string says)
    {
        using var folder = new TemporaryDirectory();

        await using ProgramProcess load = Start(folder, "--fail-if", condition);
        int exitCode = await load.WaitForExitAsync();

        Assert.True(exitCode == expected, load.Describe());
        Assert.Contains(load.OutputLines.Concat(load.ErrorLines), line => line.Contains(says, StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_load_is_compared_with_an_earlier_one()
    {
        using var folder = new TemporaryDirectory();
        await using ProgramProcess earlier = Start(folder, "--json", "old.json");
        Assert.Equal(0, await earlier.WaitForExitAsync());

        await using ProgramProcess now = Start(folder, "--json", "new.json");
        Assert.Equal(0, await now.WaitForExitAsync());

        await using ProgramProcess compare = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"), folder.Path, "compare", "old.json", "new.json");
        int exitCode = await compare.WaitForExitAsync();

        Assert.True(exitCode == 0, compare.Describe());
        Assert.Contains(compare.OutputLines, static line => line.StartsWith("Compared with the report of ", StringComparison.Ordinal)
            && !line.Contains("another machine", StringComparison.Ordinal));
        Assert.Contains(compare.OutputLines, static line =>
            line.Contains("| messages_per_s ", StringComparison.Ordinal) && line.Contains(" % ", StringComparison.Ordinal));
    }

    private ProgramProcess Start(TemporaryDirectory folder, params string[] options) => ProgramProcess.Start(
        ProgramFile.Find("PlayChat.Benchmark"), folder.Path,
        [.. Echo.Split(' '), "--connect", FormattableString.Invariant($"127.0.0.1:{shared.Process.Port}"), .. options]);
}
