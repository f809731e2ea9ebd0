using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

internal sealed class PostgresHallSpace(PostgresSpace space) : HallSpace
{
    public override int Readers => 1;

    public override IClusterDirectory CreateDirectory() =>
        new PostgresDirectory(new PostgresDirectoryOptions { ConnectionString = space.ConnectionString, LeaseDuration = Lease });

    public override IRoomBackplane CreateBackplane(RecordOrigin origin) =>
        new PostgresBackplane(
            new PostgresBackplaneOptions
            {
                ConnectionString = space.ConnectionString,
                ShardCount = 2,
                Limits = new BackplaneOptions { PendingTimeout = PendingTimeout },
            },
            origin);

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        await space.DisposeAsync();
    }
}
