using System.Text.Json.Nodes;
using PlayChat.Benchmark.Reports;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Fanout;

/// <summary>Whether the load itself kept up: what it sends late, it did not measure.</summary>
internal static class GeneratorLag
{
    /// <summary>Adds <c>send_lag_us</c>, <c>valid</c> and <c>invalid_because</c> to a report.</summary>
    /// <param name="report">Where to.</param>
    /// <param name="lag">Planned to real time of sending.</param>
    /// <param name="limit">The most of its p99.</param>
    public static void Write(JsonObject report, LatencySummary lag, TimeSpan limit)
    {
        string? problem = lag.P99Microseconds > limit.TotalMicroseconds
            ? FormattableString.Invariant($"the load fell behind its plan: p99 of its lag {lag.P99Microseconds / 1000:0.#} ms, allowed {limit.TotalMilliseconds:0.###} ms")
            : null;
        report["send_lag_us"] = JsonFigures.Latency(lag);
        report["valid"] = problem is null;
        report["invalid_because"] = problem;
    }
}
