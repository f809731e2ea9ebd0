using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>A run as the command line asks for it, checked.</summary>
/// <param name="Target">How long, against which server, and where the report goes.</param>
/// <param name="Connections">How many the scenario makes.</param>
/// <param name="Server">The server it needs when one is started.</param>
/// <param name="CreateScenario">Makes the load.</param>
internal sealed record LoadRun(LoadTarget Target, int Connections, ServerSettings Server, Func<IScenario> CreateScenario)
{
    /// <summary>How many of the connections are being made at one time.</summary>
    public int ConnectAtOnce { get; init; } = ConnectionCrowd.AtOnce;
}
