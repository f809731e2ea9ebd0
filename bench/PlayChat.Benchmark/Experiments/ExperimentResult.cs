namespace PlayChat.Benchmark.Experiments;

/// <summary>What came of an experiment.</summary>
/// <param name="Experiment">Which.</param>
/// <param name="Runs">In the order of <see cref="Experiment.Runs"/>; fewer when it was interrupted.</param>
internal sealed record ExperimentResult(Experiment Experiment, IReadOnlyList<RunResult> Runs);
