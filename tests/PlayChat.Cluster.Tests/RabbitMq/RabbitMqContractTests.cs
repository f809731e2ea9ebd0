namespace PlayChat.Cluster.Tests.RabbitMq;

[Trait("Tier", "Full")]
[Collection(RabbitMqCollection.Name)]
public sealed class RabbitMqContractTests(RabbitMqFixture fixture) : RoomBackplaneContract
{
    protected override Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new RabbitMqSpace(fixture.GetServer()));
}
