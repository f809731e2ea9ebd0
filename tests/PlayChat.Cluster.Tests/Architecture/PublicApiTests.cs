using PlayChat.Cluster.Log;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Cluster.Tests.Architecture;

public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(IRoomBackplane).Assembly);
}
