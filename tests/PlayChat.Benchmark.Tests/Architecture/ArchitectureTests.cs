using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Benchmark.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void A_folder_uses_only_folders_of_lower_layers()
    {
        var rules = new ArchitectureRules(
            typeof(BenchmarkProgram).Assembly,
            "PlayChat.Benchmark",
            ["Failures"],
            ["Machine"],
            ["Baselines"],
            ["Servers"],
            ["Figures"],
            ["Run"],
            ["Fanout"],
            ["Pacing"],
            ["Crowds"],
            ["Echo", "Chat", "Classroom"],
            ["Ramp", "Capacity"],
            ["Experiments"],
            ["Reports"],
            ["Limit"],
            ["Cli"]);

        Assert.Empty(rules.FindProblems());
    }
}
