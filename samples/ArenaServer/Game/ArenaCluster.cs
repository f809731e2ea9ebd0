using PlayChat.Cluster.OwnedRooms;
using PlayChat.Cluster.Postgres;
using PlayChat.Core.Hosting;

namespace ArenaServer.Game;

/// <summary>Lets several servers share the arena through a PostgreSQL database.</summary>
internal static class ArenaCluster
{
    /// <summary>How long a server may be silent until another one takes the arena over.</summary>
    private static readonly TimeSpan s_lease = TimeSpan.FromSeconds(5);

    /// <exception cref="ArgumentException">The connection string is invalid.</exception>
    public static PostgresDirectory CreateDirectory(ArenaOptions options) =>
        new(new PostgresDirectoryOptions { ConnectionString = options.Database, LeaseDuration = s_lease });

    public static PlayChatServer UseArenaCluster(this PlayChatServer server, ArenaOptions options, PostgresDirectory directory) =>
        server.UseRoomCluster(new RoomClusterOptions
        {
            NodeId = options.Node,
            Endpoint = $"{options.Host}:{options.Port}",
            Directory = directory,
            CreateBackplane = origin => new PostgresBackplane(
                new PostgresBackplaneOptions { ConnectionString = options.Database, ShardCount = 1 }, origin),
            SnapshotInterval = TimeSpan.FromMilliseconds(250), // coins that are taken later are lost with their server
        });
}
