namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>The tests with a broker: one after the other, because some of them kill or freeze the broker that they share.</summary>
[CollectionDefinition(Name)]
public sealed class RabbitMqCollection : ICollectionFixture<RabbitMqFixture>
{
    public const string Name = "RabbitMQ";
}
