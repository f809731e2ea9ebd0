using PlayChat.Cluster.Tests.RabbitMq;

namespace PlayChat.Cluster.Tests.Rooms;

[Trait("Tier", "Full")]
[Collection(RabbitMqCollection.Name)]
public sealed class RabbitMqRoomClusterTests(RabbitMqFixture fixture) : RoomClusterContract
{
    private protected override Task<HallSpace> CreateAsync() => Task.FromResult<HallSpace>(new RabbitMqHallSpace(fixture.GetServer()));
}
