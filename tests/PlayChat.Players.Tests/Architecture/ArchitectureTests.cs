namespace PlayChat.Players.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void Players_need_rooms_and_databases_and_nothing_else_of_the_chat() => Assert.Equal(
        ["PlayChat.Core", "PlayChat.Storage"],
        typeof(IPlayerStore).Assembly.GetReferencedAssemblies().Select(static name => name.Name!)
            .Where(static name => name.StartsWith("PlayChat.", StringComparison.Ordinal)).Order(StringComparer.Ordinal),
        StringComparer.Ordinal);
}
