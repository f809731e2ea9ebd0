namespace PlayChat.Cluster.Tests.RabbitMq;

[Trait("Tier", "Full")]
public sealed class RabbitMqContractTests(RabbitMqFixture fixture) : RoomBackplaneContract, IClassFixture<RabbitMqFixture>
{
    protected override Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new RabbitMqSpace(fixture.GetServer()));
}
