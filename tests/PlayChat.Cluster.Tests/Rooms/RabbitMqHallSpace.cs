using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.RabbitMq;
using PlayChat.Cluster.Tests.RabbitMq;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>Streams of the test's own, and a directory of this process.</summary>
internal sealed class RabbitMqHallSpace(RabbitMqServer server) : HallSpace
{
    private const int Shards = 2;

    private readonly string _prefix = $"hall-{Guid.NewGuid():N}.";
    private readonly LocalDirectoryStore _store = new(Lease);

    public override int Readers => Shards + 1; // one more for the broadcasts

    public override IClusterDirectory CreateDirectory() => new LocalDirectory(_store);

    public override IRoomBackplane CreateBackplane(RecordOrigin origin) =>
        new RabbitMqBackplane(
            new RabbitMqBackplaneOptions
            {
                Endpoints = [server.Endpoint],
                StreamPrefix = _prefix,
                ShardCount = Shards,
                Limits = new BackplaneOptions { PendingTimeout = PendingTimeout },
            },
            origin);

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        for (int shard = 0; shard < Shards; shard++)
        {
            await server.DeleteAsync($"{_prefix}{shard}");
        }
    }
}
