using PlayChat.Cluster.Tests.Rooms;
using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>The log in RabbitMQ, and over it one suite for the rooms of nodes.</summary>
public static class RabbitMqLogTests
{
    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Backplane(RabbitMqFixture fixture) : RoomBackplaneContract(fixture.CreateSmallSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Broadcasts(RabbitMqFixture fixture) : SessionBroadcastContract(fixture.CreateSmallSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Deliveries(RabbitMqFixture fixture) : DeliveryContract(fixture.CreateSpaceAsync);
}
