using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.Postgres;

namespace PlayChat.Chat.Cluster;

/// <summary>Directory and log in PostgreSQL.</summary>
internal sealed class PostgresClusterEngine(ServerSettings settings, ILoggerFactory loggers) : IClusterEngine
{
    private readonly string _connectionString = ClusterDatabase.ConnectionStringOf(settings);

    public IClusterDirectory CreateDirectory() => ClusterDatabase.CreateDirectory(settings, loggers);

    public RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters) => new PostgresBackplane(
        new PostgresBackplaneOptions { ConnectionString = _connectionString, ShardCount = settings.Cluster.Shards },
        origin,
        loggers,
        meters);
}
