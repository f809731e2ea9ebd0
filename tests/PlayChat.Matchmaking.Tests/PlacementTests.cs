using PlayChat.Core.Rooms;

namespace PlayChat.Matchmaking.Tests;

/// <summary>The rule that chooses the node of a match.</summary>
public sealed class PlacementTests
{
    [Fact]
    public void The_default_is_the_node_with_the_fewest_rooms_and_of_several_the_one_with_most_players()
    {
        RoomNode[] nodes = [new("a", 3, 9), new("b", 2, 0), new("c", 2, 1), new("d", 2, 1)];

        Assert.Equal("c", new MatchRules<Find> { TeamSizes = [1] }.Placement(nodes).Name);
    }
}
