using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Storage.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void A_folder_uses_only_folders_of_lower_layers()
    {
        var rules = new ArchitectureRules(
            typeof(IChatStore).Assembly,
            "PlayChat.Storage",
            [""],
            ["Diagnostics", "Passwords"],
            ["Sql"],
            ["Postgres", "Sqlite", "SqlServer"],
            ["ChatLog"]);

        Assert.Empty(rules.FindProblems());
    }

    [Fact]
    public void Storage_knows_no_connections_and_no_messages()
    {
        IEnumerable<string> references = typeof(IChatStore).Assembly.GetReferencedAssemblies().Select(static name => name.Name!);

        Assert.DoesNotContain(references, static reference => reference.StartsWith("PlayChat.", StringComparison.Ordinal));
    }
}
