using PlayChat.Cluster.Tests.RabbitMq;

namespace PlayChat.Cluster.Tests.Rooms;

[Trait("Tier", "Full")]
public sealed class RabbitMqRoomClusterTests(RabbitMqFixture fixture) : RoomClusterContract, IClassFixture<RabbitMqFixture>
{
    private protected override Task<HallSpace> CreateAsync() => Task.FromResult<HallSpace>(new RabbitMqHallSpace(fixture.GetServer()));
}
