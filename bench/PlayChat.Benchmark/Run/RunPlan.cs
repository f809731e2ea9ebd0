namespace PlayChat.Benchmark.Run;

/// <summary>The length of each phase.</summary>
/// <param name="Warmup">May be zero.</param>
/// <param name="MaxWarmup">
/// If it is longer than the warm-up, the warm-up lasts until the rate has stopped rising, and at most this long.
/// </param>
/// <param name="Duration">The measurement; more than zero.</param>
/// <param name="DrainTimeout">The longest drain.</param>
/// <param name="Interval">The time between two rows of the table.</param>
internal sealed record RunPlan(TimeSpan Warmup, TimeSpan MaxWarmup, TimeSpan Duration, TimeSpan DrainTimeout, TimeSpan Interval);
