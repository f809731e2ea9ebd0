using System.Runtime.CompilerServices;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Core.Tests.Architecture;

public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(FrameFormat).Assembly, Path.Combine(Path.GetDirectoryName(ThisFile())!, "PublicApi.txt"));

    [Fact]
    public void The_public_surface_of_the_abstractions_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(CloseReason).Assembly, Path.Combine(Path.GetDirectoryName(ThisFile())!, "PublicApi.Abstractions.txt"));

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
