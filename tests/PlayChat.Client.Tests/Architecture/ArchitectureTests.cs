using PlayChat.Client.Cli;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Client.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void A_folder_uses_only_folders_of_lower_layers()
    {
        var rules = new ArchitectureRules(
            typeof(ClientOptions).Assembly, "PlayChat.Client", ["Cli", "Text"], ["Interaction"], ["FullScreen"], ["Screens"]);

        Assert.Empty(rules.FindProblems());
    }

    [Fact]
    public void The_client_uses_neither_the_server_nor_its_storage()
    {
        IEnumerable<string> references = typeof(ClientOptions).Assembly.GetReferencedAssemblies().Select(static name => name.Name!);

        Assert.DoesNotContain(references, static reference => reference is "PlayChat.Server" or "PlayChat.Storage");
    }
}
