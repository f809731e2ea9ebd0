using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>A row of an experiment's table: one server's figures in one case, measured here or published by others.</summary>
/// <param name="Case">The case.</param>
/// <param name="Subject">The server.</param>
/// <param name="Published">Whether others published the figures, for another machine.</param>
/// <param name="Valid">Whether at least one round was good. The figures of other rows are marked.</param>
/// <param name="Figures">In the order of <see cref="Experiment.Figures"/>; <see langword="null"/> when a figure is not known.</param>
internal sealed record CaseRow(string Case, string Subject, bool Published, bool Valid, IReadOnlyList<FigureRange?> Figures)
{
    /// <summary>Makes the rows, case by case: measured figures first, published ones after them.</summary>
    public static IReadOnlyList<CaseRow> Of(ExperimentResult result)
    {
        Experiment experiment = result.Experiment;
        return experiment.Runs.Select(static run => run.Case)
            .Concat(experiment.Published.Select(static published => published.Case))
            .Distinct(StringComparer.Ordinal)
            .SelectMany(name => Measured(result, name).Concat(PublishedRows(experiment, name)))
            .ToArray();
    }

    private static IEnumerable<CaseRow> Measured(ExperimentResult result, string name) => result.Runs
        .Where(run => run.Run.Case == name)
        .Select(run => new CaseRow(
            name, run.Run.Subject, Published: false, run.IsValid, result.Experiment.Figures.Select(run.Range).ToArray()));

    private static IEnumerable<CaseRow> PublishedRows(Experiment experiment, string name) => experiment.Published
        .Where(published => published.Case == name)
        .GroupBy(static published => published.Subject, StringComparer.Ordinal)
        .Select(subject => new CaseRow(
            name,
            subject.Key,
            Published: true,
            Valid: true,
            experiment.Figures
                .Select(figure => FigureRange.Of(
                    subject.Where(published => published.Key == figure.Key).Select(static published => published.Value)))
                .ToArray()));
}
