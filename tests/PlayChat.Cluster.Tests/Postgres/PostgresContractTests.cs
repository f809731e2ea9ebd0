using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Postgres;

[Trait("Tier", "Full")]
public sealed class PostgresContractTests : RoomBackplaneContract
{
    protected override async Task<BackplaneSpace> CreateAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        return new PostgresLogSpace(await PostgresSpace.CreateAsync());
    }
}
