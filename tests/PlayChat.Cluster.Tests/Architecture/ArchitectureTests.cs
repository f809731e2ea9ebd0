using PlayChat.Cluster.Log;
using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Cluster.Tests.Architecture;

public sealed class ArchitectureTests
{
    [Fact]
    public void A_folder_uses_only_folders_of_lower_layers()
    {
        var rules = new ArchitectureRules(
            typeof(IRoomBackplane).Assembly, "PlayChat.Cluster", ["Log"], ["Directory"], ["Membership"], ["Broadcast"], ["OwnedRooms"]);

        Assert.Empty(rules.FindProblems());
    }
}
