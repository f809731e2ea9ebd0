namespace PlayChat.Benchmark.Reports;

/// <summary>A condition of <c>--fail-if</c> applied to one run.</summary>
/// <param name="Where">Experiment and case; empty for a single run.</param>
/// <param name="Value">The figure; <see langword="null"/> when it is not known, which fails.</param>
internal sealed record Verdict(FailCondition Condition, string Where, double? Value)
{
    public bool Failed => Value is not { } value || Condition.IsMet(value);

    public static IReadOnlyList<Verdict> Judge(IEnumerable<FailCondition> conditions, JsonObject report) => conditions
        .Select(condition => ReportFigures.TryFind(report, condition.Key, out double? value)
            ? new Verdict(condition, string.Empty, value)
            : throw Unknown(condition, ReportFigures.All(report).Select(static figure => figure.Path)))
        .ToArray();

    /// <summary>Judges PlayChat's own runs. One round that meets a condition is enough; a run without the figure is not judged.</summary>
    public static IReadOnlyList<Verdict> Judge(IEnumerable<FailCondition> conditions, IReadOnlyList<ExperimentResult> results) =>
        conditions.SelectMany(condition => Judge(condition, results)).ToArray();

    public override string ToString()
    {
        string where = Where.Length == 0 ? string.Empty : $"{Where}: ";
        string value = Value is { } number ? $"is {FigureText.Number(number)}" : "is not known";
        return $"{where}{Condition.Key} {value} ({(Failed ? "fails" : "passes")} --fail-if \"{Condition}\")";
    }

    private static Verdict[] Judge(FailCondition condition, IReadOnlyList<ExperimentResult> results)
    {
        (Experiment Experiment, RunResult Run)[] runs = results
            .SelectMany(static result => result.Runs
                .Where(static run => run.Run.Subject == Subjects.Ours)
                .Select(run => (result.Experiment, run)))
            .ToArray();
        Verdict[] verdicts = runs.Select(pair => Judge(condition, pair.Experiment, pair.Run)).OfType<Verdict>().ToArray();
        return verdicts.Length > 0 || Array.TrueForAll(runs, static pair => pair.Run.Rounds.All(static round => round.Report is null))
            ? verdicts
            : throw Unknown(condition, results.SelectMany(static result => result.Experiment.Figures.Select(static figure => figure.Key)));
    }

    // A round that fails decides, before one where the figure is not known. Null when the run does not have the figure.
    private static Verdict? Judge(FailCondition condition, Experiment experiment, RunResult run)
    {
        // A key of the experiment means the figure's path.
        string key = experiment.Figures.FirstOrDefault(figure => figure.Key == condition.Key)?.Path ?? condition.Key;
        return run.Rounds
            .Select((round, i) => round.Report is { } report && ReportFigures.TryFind(report, key, out double? value)
                ? new Verdict(condition, $"{experiment.Name}, {run.Run.Case}, round {i + 1}", value)
                : null)
            .OfType<Verdict>()
            .MaxBy(verdict => (verdict.Failed, verdict.Value is not null, verdict.Value * (condition.Operator[0] == '<' ? -1 : 1)));
    }

    private static UsageException Unknown(FailCondition condition, IEnumerable<string> keys) =>
        new($"--fail-if: '{condition.Key}' is no figure of this report. "
            + $"It has {string.Join(", ", keys.Distinct(StringComparer.Ordinal))}.");
}
