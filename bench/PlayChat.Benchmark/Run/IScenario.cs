namespace PlayChat.Benchmark.Run;

/// <summary>A load. <see cref="ScenarioRunner"/> calls its methods in the order of this interface.</summary>
internal interface IScenario : IAsyncDisposable
{
    private static readonly Task s_never = new TaskCompletionSource().Task;

    /// <summary>"echo", "chat": the value of <c>mode</c> in the report.</summary>
    string Name { get; }

    /// <summary>Makes all connections and everything else that is needed before the first message.</summary>
    /// <param name="connected">Called with the number of connections that are ready.</param>
    Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken);

    /// <summary>Starts sending. The load stops by itself at the end of the window.</summary>
    void Start(RunClock clock, MeasureWindow window);

    /// <summary>Completes when nothing is left to send before the end of the window; a plan without an end of its own never does.</summary>
    Task Finished => s_never;

    /// <summary>Waits until every message has arrived. Call it after the end of the window.</summary>
    /// <returns><see langword="false"/> at the timeout.</returns>
    Task<bool> DrainAsync(TimeSpan timeout);

    /// <summary>The counts so far. Any thread may call it while the load runs.</summary>
    LiveFigures Read();

    IReadOnlyList<string> Faults { get; }

    /// <summary>Adds the settings and the figures to the report.</summary>
    /// <returns>Whether every message arrived, once and in order.</returns>
    bool Write(JsonObject report, RunOutcome outcome);
}

internal enum RunPhase
{
    Connect, // connections are made, and logged in where the load has a login
    Warmup, // the same load as in the next phase; it is not counted
    Measure,
    Drain, // nothing is sent; outstanding messages may still arrive
}

/// <param name="MaxWarmup">If longer than the warm-up: that lasts until the rate has stopped rising, at most this long.</param>
/// <param name="Interval">The time between two rows of the table.</param>
internal sealed record RunPlan(TimeSpan Warmup, TimeSpan MaxWarmup, TimeSpan Duration, TimeSpan DrainTimeout, TimeSpan Interval);

/// <param name="Server">The server's figures of the measurement; <see langword="null"/> when they are not known.</param>
internal sealed record RunOutcome(
    double Seconds, bool Drained, bool Interrupted, IReadOnlyList<IntervalFigures> Intervals, ServerFigures? Server)
{
    public required ClientFigures Client { get; init; }

    /// <summary>The figures of the cluster that was started, of the measurement; <see langword="null"/> without one.</summary>
    public ClusterFigures? Cluster { get; init; }

    public TimeSpan WarmedUp { get; init; }

    public DateTimeOffset MeasuredFrom { get; init; }

    public DateTimeOffset MeasuredTo { get; init; }

    public JsonNode? PerSecond(long count) => JsonFigures.Round(Seconds > 0 ? count / Seconds : 0);
}

/// <summary>A row of the table: what happened since the row before.</summary>
/// <param name="AtSeconds">The time of its end since the start of the load.</param>
/// <param name="Faults">Faults since the start of the load: see <see cref="LiveFigures"/>.</param>
internal sealed record IntervalFigures(
    RunPhase Phase,
    double AtSeconds,
    double SentPerSecond,
    double ReceivedPerSecond,
    LatencySummary Latency,
    long Faults,
    ServerFigures? Server)
{
    public int? Connections { get; init; }
}

/// <summary>The counts of a scenario since it began to send, in all phases.</summary>
/// <param name="Faults">Errors, losses known by now, duplicates and wrong order.</param>
/// <param name="Latency">The latency of everything received; the caller owns it.</param>
internal sealed record LiveFigures(long Sent, long Received, long Faults, LatencyHistogram Latency)
{
    /// <summary>The connections served now, in loads where that changes.</summary>
    public int? Connections { get; init; }
}
