using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Rooms;

internal sealed class LocalHallSpace : HallSpace
{
    private readonly LocalLog _log = new(shardCount: 2);
    private readonly LocalDirectoryStore _store = new(Lease);

    public override int Readers => _log.ShardCount + 1; // one more for the broadcasts

    public override IClusterDirectory CreateDirectory() => new LocalDirectory(_store);

    public override IRoomBackplane CreateBackplane(RecordOrigin origin) =>
        new LocalBackplane(_log, origin, new BackplaneOptions { PendingTimeout = PendingTimeout });
}
