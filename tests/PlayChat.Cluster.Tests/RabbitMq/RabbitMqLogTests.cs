using PlayChat.Cluster.Tests.Rooms;
using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>All suites over the log in RabbitMQ.</summary>
public static class RabbitMqLogTests
{
    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Backplane(RabbitMqFixture fixture) : RoomBackplaneContract(fixture.CreateSmallSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Broadcasts(RabbitMqFixture fixture) : SessionBroadcastContract(fixture.CreateSmallSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Deliveries(RabbitMqFixture fixture) : DeliveryContract(fixture.CreateSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Ends(RabbitMqFixture fixture) : RoomEndContract(fixture.CreateSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Gaps(RabbitMqFixture fixture) : GapContract(fixture.CreateSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Members(RabbitMqFixture fixture) : MemberContract(fixture.CreateSpaceAsync);

    [Trait("Tier", "Full"), Collection(RabbitMqCollection.Name)]
    public sealed class Takeovers(RabbitMqFixture fixture) : TakeoverContract(fixture.CreateSpaceAsync);
}
