using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.RabbitMq;

[Trait("Tier", "Full")]
[Collection(RabbitMqCollection.Name)]
public sealed class RabbitMqBroadcastTests(RabbitMqFixture fixture) : SessionBroadcastContract
{
    protected override Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new RabbitMqSpace(fixture.GetServer()));
}
