namespace PlayChat.Benchmark.Experiments;

/// <summary>An experiment that somebody published: what is run to repeat it, what counts of it, and how it is shown.</summary>
/// <param name="Name">The command's name, such as <c>stream</c>.</param>
/// <param name="Title">For the report's heading.</param>
/// <param name="Source">Who published it, and on which machine: one sentence.</param>
/// <param name="About">What is done, and what it tells: a few sentences.</param>
/// <param name="Runs">What is run, in this order, in every round.</param>
/// <param name="Figures">What is read from each run's report. The first is the one that matters most.</param>
/// <param name="Published">The figures that were published.</param>
/// <param name="Charts">How it is drawn.</param>
internal sealed record Experiment(
    string Name,
    string Title,
    string Source,
    string About,
    IReadOnlyList<ExperimentRun> Runs,
    IReadOnlyList<Figure> Figures,
    IReadOnlyList<PublishedFigure> Published,
    IReadOnlyList<Chart> Charts);
