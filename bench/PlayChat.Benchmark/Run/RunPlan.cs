namespace PlayChat.Benchmark.Run;

/// <summary>How long each phase takes.</summary>
/// <param name="Warmup">May be zero.</param>
/// <param name="Duration">Of the measuring; more than zero.</param>
/// <param name="DrainTimeout">How long what is unanswered is waited for.</param>
/// <param name="Interval">Between two lines of the table.</param>
internal sealed record RunPlan(TimeSpan Warmup, TimeSpan Duration, TimeSpan DrainTimeout, TimeSpan Interval);
