using System.Text.Json.Nodes;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Run;

/// <summary>One kind of load. <see cref="ScenarioRunner"/> calls its methods in the order in which they stand here.</summary>
internal interface IScenario : IAsyncDisposable
{
    /// <summary>"echo", "chat": the value of <c>mode</c> in the report.</summary>
    string Name { get; }

    /// <summary>Makes all connections, and everything that must be before the first message.</summary>
    /// <param name="server">Where to.</param>
    /// <param name="connected">Told the number of connections that are ready.</param>
    /// <param name="cancellationToken">Gives up.</param>
    Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken);

    /// <summary>Begins to send, and stops by itself at the end of the window.</summary>
    void Start(RunClock clock, MeasureWindow window);

    /// <summary>Completes when nothing will be sent any more although the window has not ended.</summary>
    Task Finished { get; }

    /// <summary>Waits until everything that was sent has arrived where it must. May be called once the window has ended.</summary>
    /// <returns>Whether it has.</returns>
    Task<bool> DrainAsync(TimeSpan timeout);

    /// <summary>What has been counted so far; may be called from any thread while the load runs.</summary>
    LiveFigures Read();

    /// <summary>The first few things that went wrong, for a person.</summary>
    IReadOnlyList<string> Faults { get; }

    /// <summary>Adds the settings to the report.</summary>
    void WriteSettings(JsonObject report);

    /// <summary>Adds the figures to the report.</summary>
    /// <param name="report">Where to.</param>
    /// <param name="outcome">How the run went.</param>
    /// <returns>Whether everything arrived, once and in order.</returns>
    bool WriteFigures(JsonObject report, RunOutcome outcome);
}
