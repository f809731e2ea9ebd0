namespace PlayChat.Benchmark.Experiments;

/// <summary>Experiments that are to be run, and how.</summary>
/// <param name="Experiments">One, or those of the suite.</param>
/// <param name="Settings">What is common to them.</param>
internal sealed record ExperimentPlan(IReadOnlyList<Experiment> Experiments, ExperimentSettings Settings)
{
    /// <summary>A sentence for each part of the suite that this machine cannot run: which, and why.</summary>
    public IReadOnlyList<string> Skipped { get; init; } = [];
}
