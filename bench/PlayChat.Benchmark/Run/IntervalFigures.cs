using PlayChat.Benchmark.Servers;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Run;

/// <summary>One line of the table: what happened since the line before it.</summary>
/// <param name="Phase">The phase at its end.</param>
/// <param name="AtSeconds">Its end, since the load began.</param>
/// <param name="SentPerSecond">Messages that the load sent.</param>
/// <param name="ReceivedPerSecond">Answers, or deliveries.</param>
/// <param name="Latency">Of what was received.</param>
/// <param name="Faults">Since the load began: see <see cref="LiveFigures"/>.</param>
/// <param name="Server">The server's own figures of about the same time; without, they are not known.</param>
internal sealed record IntervalFigures(
    RunPhase Phase,
    double AtSeconds,
    double SentPerSecond,
    double ReceivedPerSecond,
    LatencySummary Latency,
    long Faults,
    ServerFigures? Server)
{
    /// <summary>Connections that are served at its end, where their number changes.</summary>
    public int? Connections { get; init; }

    public static IntervalFigures Between(
        LiveFigures earlier, LiveFigures later, RunPhase phase, double atSeconds, double seconds, ServerFigures? server)
    {
        var latency = new LatencyHistogram();
        latency.Add(later.Latency);
        latency.Subtract(earlier.Latency);
        return new IntervalFigures(
            phase,
            atSeconds,
            (later.Sent - earlier.Sent) / seconds,
            (later.Received - earlier.Received) / seconds,
            latency.Summarize(),
            later.Faults,
            server)
        {
            Connections = later.Connections,
        };
    }
}
