using PlayChat.Kpi;

namespace PlayChat.Benchmark.Run;

/// <summary>The counts of a scenario since it began to send, in all phases.</summary>
/// <param name="Sent">Messages that the load has sent.</param>
/// <param name="Received">Answers, or deliveries.</param>
/// <param name="Faults">Errors, losses known by now, duplicates and wrong order.</param>
/// <param name="Latency">The latency of everything received; the caller owns it.</param>
internal sealed record LiveFigures(long Sent, long Received, long Faults, LatencyHistogram Latency)
{
    /// <summary>The connections served now, in loads where that changes.</summary>
    public int? Connections { get; init; }
}
