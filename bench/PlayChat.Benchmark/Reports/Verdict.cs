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

    /// <summary>Judges PlayChat's own runs: the median of their rounds.</summary>
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
        Verdict[] verdicts = results
            .SelectMany(result => result.Runs.Where(static run => run.Run.Subject == ExperimentRun.Ours)
                .Select(run => (Where: $"{result.Experiment.Name}, {run.Run.Case}", Values: Values(condition.Key, result.Experiment, run))))
            .Where(static judged => judged.Values is not null)
            .Select(judged => new Verdict(condition, judged.Where, FigureRange.Of(judged.Values!.OfType<double>())?.Median))
            .ToArray();
        return verdicts.Length > 0 || !results.Any(static result => result.Runs.Any(static run => run.Reports.Any(static report => report is not null)))
            ? verdicts
            : throw Unknown(condition, results.SelectMany(static result => result.Experiment.Figures.Select(static figure => figure.Key)));
    }

    // Null: this run has no such figure.
    private static double?[]? Values(string key, Experiment experiment, RunResult run)
    {
        if (experiment.Figures.FirstOrDefault(figure => figure.Key == key) is { } figure)
        {
            return run.Values(figure).Select(static value => (double?)value).ToArray();
        }

        var values = new List<double?>();
        foreach (JsonObject report in run.Reports.OfType<JsonObject>())
        {
            if (ReportFigures.TryFind(report, key, out double? value))
            {
                values.Add(value);
            }
        }

        return values.Count == 0 ? null : [.. values];
    }

    private static UsageException Unknown(FailCondition condition, IEnumerable<string> keys) =>
        new($"--fail-if: '{condition.Key}' is no figure of this report. It has {string.Join(", ", keys.Distinct(StringComparer.Ordinal))}.");
}
