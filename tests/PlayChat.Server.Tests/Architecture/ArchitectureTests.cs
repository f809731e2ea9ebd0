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
            "PlayChat.Chat",
            ["Configuration"],
            ["Diagnostics"],
            ["ChatLog", "Kpi", "Replies"],
            ["Extensions"],
            ["Accounts"],
            ["Sessions"],
            ["Rooms"],
            ["Cluster"],
            ["Places"],
            ["Handlers"],
            ["Modes", "Web"],
            ["Operations"],
            ["Cli"],
            ["Hosting"],
            [""]);

        // The builder is where a user of the library finds it, and the parts read what a user has added.
        Assert.Empty(rules.FindProblems(
            "Accounts.OwnLogin -> ChatBuilder",
            "Extensions.RuleFilter -> ChatBuilder",
            "Hosting.ServerHost -> ChatBuilder",
            "Modes.ChatMode -> ChatBuilder",
            "Operations.Admin.RecordingEditor -> ChatBuilder"));
    }
}
