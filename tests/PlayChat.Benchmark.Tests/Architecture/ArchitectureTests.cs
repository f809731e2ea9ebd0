using PlayChat.Benchmark.Cli;
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
            ["Baselines", "Servers"],
            ["Servers.Cluster"],
            ["Figures"],
            ["Run"],
            ["Fanout"],
            ["Pacing"],
            ["Echo", "Chat", "Classroom", "Ticks"],
            ["Ramp", "Capacity", "Classroom.Parts"],
            ["Experiments"],
            [
                "Experiments.ChatFanout",
                "Experiments.ClassroomBroadcast",
                "Experiments.Cluster",
                "Experiments.ConnectionRamp",
                "Experiments.RequestReply",
                "Experiments.Stream",
            ],
            ["Experiments.Suite"],
            ["Reports", "Views"],
            ["Reports.Suite"],
            ["Reports.Html"],
            ["Reports.Story"],
            ["Reports.Files"],
            ["Limit"],
            ["Cli"]);

        Assert.Empty(rules.FindProblems());
    }
}
