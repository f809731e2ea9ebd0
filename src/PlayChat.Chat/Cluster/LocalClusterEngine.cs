using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>A cluster in the memory of one process: a node that is alone.</summary>
internal sealed class LocalClusterEngine(ServerSettings settings, ILoggerFactory loggers) : IClusterEngine
{
    private readonly LocalLog _log = new(settings.Cluster.Shards);

    public IClusterDirectory CreateDirectory() => new LocalDirectory();

    public RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters) =>
        new LocalBackplane(_log, origin, loggers: loggers, meters: meters);
}
