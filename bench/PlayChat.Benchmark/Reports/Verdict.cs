using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Reports;

/// <summary>What became of a condition.</summary>
/// <param name="Condition">Which.</param>
/// <param name="Where">The experiment and the case; empty for a single run.</param>
/// <param name="Value">The figure; <see langword="null"/>: not known, which is no pass.</param>
internal sealed record Verdict(FailCondition Condition, string Where, double? Value)
{
    /// <summary>Whether it makes the program fail.</summary>
    public bool Failed => Value is not { } value || Condition.IsMet(value);

    /// <summary>Judges the report of one run.</summary>
    /// <exception cref="UsageException">A condition names no figure of it.</exception>
    public static IReadOnlyList<Verdict> Judge(IEnumerable<FailCondition> conditions, JsonObject report) => conditions
        .Select(condition => ReportFigures.TryFind(report, condition.Key, out double? value)
            ? new Verdict(condition, string.Empty, value)
            : throw Unknown(condition, ReportFigures.All(report).Select(static figure => figure.Path)))
        .ToArray();

    /// <summary>Judges PlayChat's own runs: one round that meets a condition is enough. A run that has no such figure is not judged by it.</summary>
    /// <exception cref="UsageException">A condition names no figure of any.</exception>
    public static IReadOnlyList<Verdict> Judge(IEnumerable<FailCondition> conditions, IReadOnlyList<ExperimentResult> results) =>
        conditions.SelectMany(condition => Judge(condition, results)).ToArray();

    /// <inheritdoc/>
    public override string ToString()
    {
        string where = Where.Length == 0 ? string.Empty : $"{Where}: ";
        string value = Value is { } number ? $"is {FigureText.Number(number)}" : "is not known";
        return $"{where}{Condition.Key} {value} ({(Failed ? "fails" : "passes")} --fail-if \"{Condition}\")";
    }

    private static Verdict[] Judge(FailCondition condition, IReadOnlyList<ExperimentResult> results)
    {
        (Experiment Experiment, RunResult Run)[] runs = results
            .SelectMany(static result => result.Runs.Where(static run => run.Run.Subject == ExperimentRun.Ours).Select(run => (result.Experiment, run)))
            .ToArray();
        Verdict[] verdicts = runs.Select(pair => Judge(condition, pair.Experiment, pair.Run)).OfType<Verdict>().ToArray();
        return verdicts.Length > 0 || runs.All(static pair => pair.Run.Rounds.All(static round => round.Report is null))
            ? verdicts
            : throw Unknown(condition, results.SelectMany(static result => result.Experiment.Figures.Select(static figure => figure.Key)));
    }

    // By the worst there can be: a round that makes it fail, else one where the figure is not known. Null: this run has no such figure.
    private static Verdict? Judge(FailCondition condition, Experiment experiment, RunResult run)
    {
        string where = $"{experiment.Name}, {run.Run.Case}";
        Figure? figure = experiment.Figures.FirstOrDefault(figure => figure.Key == condition.Key);
        var verdicts = new List<Verdict>();
        for (int i = 0; i < run.Rounds.Count; i++)
        {
            if (run.Rounds[i].Report is { } report && TryFind(report, figure, condition.Key, out double? value))
            {
                verdicts.Add(new Verdict(condition, run.Rounds.Count == 1 ? where : string.Create(CultureInfo.InvariantCulture, $"{where}, round {i + 1}"), value));
            }
        }

        if (verdicts.Count == 0)
        {
            return null;
        }

        return verdicts.Find(static verdict => verdict is { Failed: true, Value: not null })
            ?? verdicts.Find(static verdict => verdict.Failed)
            ?? new Verdict(condition, where, FigureRange.Of(verdicts.Select(static verdict => verdict.Value!.Value))!.Value.Median);
    }

    // An experiment's figure stands at its path alone: another that only has its name is another figure.
    private static bool TryFind(JsonObject report, Figure? figure, string key, out double? value)
    {
        if (figure is null)
        {
            return ReportFigures.TryFind(report, key, out value);
        }

        (string? path, value) = ReportFigures.All(report).FirstOrDefault(found => found.Path == figure.Path);
        return path is not null;
    }

    private static UsageException Unknown(FailCondition condition, IEnumerable<string> keys) =>
        new($"--fail-if: '{condition.Key}' is no figure of this report. It has {string.Join(", ", keys.Distinct(StringComparer.Ordinal))}.");
}
