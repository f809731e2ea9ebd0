using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>A row of an experiment's table: the figures of one subject in one case, measured here or published.</summary>
/// <param name="Case">The case.</param>
/// <param name="Subject">Whose figures.</param>
/// <param name="Published">Whether they were published, and so are of another machine.</param>
/// <param name="Valid">Whether any round was good; otherwise its figures are marked.</param>
/// <param name="Figures">In the order of <see cref="Experiment.Figures"/>; <see langword="null"/>: not known.</param>
internal sealed record CaseRow(string Case, string Subject, bool Published, bool Valid, IReadOnlyList<FigureRange?> Figures)
{
    /// <summary>All rows, case by case: first what was measured, then what was published.</summary>
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
        .Select(run => new CaseRow(name, run.Run.Subject, Published: false, run.IsValid, result.Experiment.Figures.Select(run.Range).ToArray()));

    private static IEnumerable<CaseRow> PublishedRows(Experiment experiment, string name) => experiment.Published
        .Where(published => published.Case == name)
        .GroupBy(static published => published.Subject, StringComparer.Ordinal)
        .Select(subject => new CaseRow(
            name,
            subject.Key,
            Published: true,
            Valid: true,
            experiment.Figures.Select(figure => FigureRange.Of(subject.Where(published => published.Key == figure.Key).Select(static published => published.Value))).ToArray()));
}
