using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Run;

/// <summary>What a scenario has counted since it began to send, in all phases.</summary>
/// <param name="Sent">Messages that the load has sent.</param>
/// <param name="Received">Answers, or deliveries.</param>
/// <param name="Faults">Everything that must not be: errors, losses known by now, duplicates, wrong order.</param>
/// <param name="Latency">Of all that was received; the reader's own.</param>
internal sealed record LiveFigures(long Sent, long Received, long Faults, LatencyHistogram Latency)
{
    /// <summary>Connections that are served now, where their number changes.</summary>
    public int? Connections { get; init; }
}
