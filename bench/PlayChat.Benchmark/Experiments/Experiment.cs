namespace PlayChat.Benchmark.Experiments;

/// <summary>A published experiment: the runs that repeat it, the figures that count, and the charts that show them.</summary>
/// <param name="Name">The command's name, such as <c>stream</c>.</param>
/// <param name="Title">For the report's heading.</param>
/// <param name="Source">The publisher and the machine, in one sentence.</param>
/// <param name="About">What the experiment does and what its figures mean, in a few sentences.</param>
/// <param name="Runs">The runs of every round, in this order.</param>
/// <param name="Figures">The figures that are read from each run's report, the most important first.</param>
/// <param name="Published">The published figures.</param>
/// <param name="Charts">The charts.</param>
internal sealed record Experiment(
    string Name,
    string Title,
    string Source,
    string About,
    IReadOnlyList<ExperimentRun> Runs,
    IReadOnlyList<Figure> Figures,
    IReadOnlyList<PublishedFigure> Published,
    IReadOnlyList<Chart> Charts)
{
    /// <summary>Runs that differ by one number; the report says which value was best.</summary>
    public IReadOnlyList<Sweep> Sweeps { get; init; } = [];

    /// <summary>What the cases add to one of them, if the experiment compares cases; otherwise <see langword="null"/>.</summary>
    public CaseComparison? Comparison { get; init; }

    /// <summary>Figures at several moments, if they were published; otherwise <see langword="null"/>.</summary>
    public IntervalTable? Intervals { get; init; }
}
