namespace PlayChat.Benchmark.Experiments;

/// <summary>Runs that differ by one number, to find the best value for this machine.</summary>
/// <param name="Name">The number with what else is fixed, such as "threads, 64 B".</param>
/// <param name="Figure">The <see cref="Figure.Key"/> that decides.</param>
/// <param name="Cases">The values, and the <see cref="ExperimentRun.Case"/> of each.</param>
internal sealed record Sweep(string Name, string Figure, IReadOnlyList<(int Value, string Case)> Cases);
