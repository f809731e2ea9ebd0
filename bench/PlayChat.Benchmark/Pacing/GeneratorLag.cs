namespace PlayChat.Benchmark.Pacing;

/// <summary>Whether the load itself kept up with its plan. A run whose load was late is invalid.</summary>
internal static class GeneratorLag
{
    /// <summary>Adds <c>send_lag_us</c>, <c>valid</c> and <c>invalid_because</c> to a report.</summary>
    public static void Write(JsonObject report, LatencySummary lag, TimeSpan limit)
    {
        string? problem = lag.P99Microseconds > limit.TotalMicroseconds
            ? "the load fell behind its plan: " + FormattableString.Invariant(
                $"p99 of its lag {lag.P99Microseconds / 1000:0.#} ms, allowed {limit.TotalMilliseconds:0.###} ms")
            : null;
        report["send_lag_us"] = JsonFigures.Latency(lag);
        report["valid"] = problem is null;
        report["invalid_because"] = problem;
    }
}
