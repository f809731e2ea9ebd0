namespace PlayChat.Benchmark.Run;

/// <summary>A row of the table: what happened since the row before.</summary>
/// <param name="AtSeconds">The time of its end since the start of the load.</param>
/// <param name="Faults">Faults since the start of the load: see <see cref="LiveFigures"/>.</param>
/// <param name="Server">The server's figures of about the same time; <see langword="null"/> when they are not known.</param>
internal sealed record IntervalFigures(
    RunPhase Phase,
    double AtSeconds,
    double SentPerSecond,
    double ReceivedPerSecond,
    LatencySummary Latency,
    long Faults,
    ServerFigures? Server)
{
    /// <summary>The connections served at its end, in loads where that changes.</summary>
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
