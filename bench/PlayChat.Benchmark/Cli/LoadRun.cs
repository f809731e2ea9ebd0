using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Cli;

/// <summary>A run as the command line asks for it, checked.</summary>
/// <param name="Target">How long, against which server, and where the report goes.</param>
/// <param name="Connections">How many the scenario makes.</param>
/// <param name="Server">The server it needs when one is started.</param>
/// <param name="CreateScenario">Makes the load. It gets the nodes of <see cref="Cluster"/>; none without one.</param>
internal sealed record LoadRun(
    LoadTarget Target, int Connections, ServerSettings Server, Func<IReadOnlyList<ServerAddress>, IScenario> CreateScenario)
{
    /// <summary>The cluster that is started instead of a server, if any. Its nodes have the options of <see cref="Server"/>.</summary>
    public ClusterSettings? Cluster { get; init; }

    /// <summary>How many of the connections are being made at one time.</summary>
    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;
}
