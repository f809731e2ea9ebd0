using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>A cluster in the memory of one process: a node that is alone, or the nodes of a test, which share log and directory.</summary>
/// <param name="settings">The number of shards.</param>
/// <param name="loggers">Where the backplane logs.</param>
/// <param name="log">The logs that the nodes share; its own without it.</param>
/// <param name="directory">The tables that the nodes share; its own without them.</param>
internal sealed class LocalClusterEngine(
    ServerSettings settings, ILoggerFactory loggers, LocalLog? log = null, LocalDirectoryStore? directory = null) : IClusterEngine
{
    private readonly LocalLog _log = log ?? new LocalLog(settings.Cluster.Shards);

    public IClusterDirectory CreateDirectory() => new LocalDirectory(directory);

    public RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters) =>
        new LocalBackplane(_log, origin, loggers: loggers, meters: meters);
}
