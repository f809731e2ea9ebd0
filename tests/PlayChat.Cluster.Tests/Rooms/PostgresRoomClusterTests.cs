using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

[Trait("Tier", "Full")]
public sealed class PostgresRoomClusterTests : RoomClusterContract
{
    private protected override async Task<HallSpace> CreateAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        return new PostgresHallSpace(await PostgresSpace.CreateAsync());
    }
}
