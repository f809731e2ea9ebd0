namespace PlayChat.Webhooks.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void Webhooks_need_the_storage_and_nothing_else_of_the_chat() => Assert.Equal(
        ["PlayChat.Storage"],
        typeof(WebhookService).Assembly.GetReferencedAssemblies().Select(static name => name.Name!)
            .Where(static name => name.StartsWith("PlayChat.", StringComparison.Ordinal)).Order(StringComparer.Ordinal),
        StringComparer.Ordinal);
}
