using PlayChat.Core.Framing;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Core.Tests.Architecture;

public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(FrameFormat).Assembly);

    [Fact]
    public void The_public_surface_of_the_abstractions_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(CloseReason).Assembly, "PublicApi.Abstractions.txt");
}
