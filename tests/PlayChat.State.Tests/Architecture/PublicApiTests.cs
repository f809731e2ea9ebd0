using PlayChat.TestUtilities.Architecture;

namespace PlayChat.State.Tests.Architecture;

public sealed class PublicApiTests
{
    [Theory]
    [InlineData(typeof(StateOptions), "PublicApi.txt")]
    [InlineData(typeof(SyncObject), "PublicApi.Abstractions.txt")]
    public void The_public_surface_is_the_one_that_is_listed(Type inIt, string list) =>
        PublicApiList.Verify(inIt.Assembly, list);
}
