using System.Text.Json.Nodes;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Run;

/// <summary>A load. <see cref="ScenarioRunner"/> calls its methods in the order of this interface.</summary>
internal interface IScenario : IAsyncDisposable
{
    /// <summary>"echo", "chat": the value of <c>mode</c> in the report.</summary>
    string Name { get; }

    /// <summary>Makes all connections and everything else that is needed before the first message.</summary>
    /// <param name="server">The server.</param>
    /// <param name="connected">Called with the number of connections that are ready.</param>
    /// <param name="cancellationToken">Cancels connecting.</param>
    Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken);

    /// <summary>Starts sending. The load stops by itself at the end of the window.</summary>
    void Start(RunClock clock, MeasureWindow window);

    /// <summary>Completes when nothing is left to send before the end of the window.</summary>
    Task Finished { get; }

    /// <summary>Waits until every message has arrived. Call it after the end of the window.</summary>
    /// <returns><see langword="false"/> at the timeout.</returns>
    Task<bool> DrainAsync(TimeSpan timeout);

    /// <summary>The counts so far. Any thread may call it while the load runs.</summary>
    LiveFigures Read();

    /// <summary>The first few faults, one line each.</summary>
    IReadOnlyList<string> Faults { get; }

    /// <summary>Adds the settings to the report.</summary>
    void WriteSettings(JsonObject report);

    /// <summary>Adds the figures to the report.</summary>
    /// <param name="report">The report.</param>
    /// <param name="outcome">The outcome of the run.</param>
    /// <returns>Whether every message arrived, once and in order.</returns>
    bool WriteFigures(JsonObject report, RunOutcome outcome);
}
