using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

public sealed class PostgresRoomClusterTests : RoomClusterContract
{
    private protected override async Task<HallSpace> CreateAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        return new PostgresHallSpace(await PostgresSpace.CreateAsync());
    }
}
