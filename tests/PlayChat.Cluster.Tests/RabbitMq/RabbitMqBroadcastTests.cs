using PlayChat.Cluster.Tests.Sessions;

namespace PlayChat.Cluster.Tests.RabbitMq;

[Trait("Tier", "Full")]
public sealed class RabbitMqBroadcastTests(RabbitMqFixture fixture) : SessionBroadcastContract, IClassFixture<RabbitMqFixture>
{
    protected override Task<BackplaneSpace> CreateAsync() => Task.FromResult<BackplaneSpace>(new RabbitMqSpace(fixture.GetServer()));
}
