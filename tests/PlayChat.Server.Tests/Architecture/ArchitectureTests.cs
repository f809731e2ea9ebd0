using PlayChat.Chat.Configuration;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Server.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void A_folder_uses_only_folders_of_lower_layers()
    {
        var rules = new ArchitectureRules(
            typeof(ServerSettings).Assembly,
            "PlayChat.Server",
            ["Configuration"],
            ["Diagnostics"],
            ["Accounts", "ChatLog", "Kpi", "Replies"],
            ["Sessions"],
            ["Rooms"],
            ["Cluster"],
            ["Places"],
            ["Handlers"],
            ["Modes", "Web"],
            ["Operations"],
            ["Cli", "Hosting"]);

        Assert.Empty(rules.FindProblems());
    }
}
