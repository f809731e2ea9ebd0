using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Protocol.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void Protocol_has_no_folders()
    {
        var rules = new ArchitectureRules(typeof(ChatPackets).Assembly, "PlayChat.Protocol", [""]);

        Assert.Empty(rules.FindProblems());
    }

    [Fact]
    public void Protocol_knows_neither_the_server_nor_its_storage()
    {
        IEnumerable<string> references = typeof(ChatPackets).Assembly.GetReferencedAssemblies().Select(static name => name.Name!);

        Assert.DoesNotContain(references, static reference => reference is "PlayChat.Server" or "PlayChat.Storage" or "PlayChat.Client");
    }
}
