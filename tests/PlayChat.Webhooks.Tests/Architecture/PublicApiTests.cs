using System.Runtime.CompilerServices;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Webhooks.Tests.Architecture;

public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(WebhookService).Assembly, Path.Combine(Path.GetDirectoryName(ThisFile())!, "PublicApi.txt"));

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
