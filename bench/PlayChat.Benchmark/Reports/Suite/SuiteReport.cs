using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports.Html;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>What came of a plan, from which all forms of its report are made.</summary>
/// <param name="Plan">What was asked for.</param>
/// <param name="Results">What came of it.</param>
/// <param name="CommandLine">How it was asked for.</param>
/// <param name="StartedAt">When it began.</param>
/// <param name="Duration">How long it took.</param>
/// <param name="Interrupted">Whether it was ended early.</param>
internal sealed record SuiteReport(
    ExperimentPlan Plan,
    IReadOnlyList<ExperimentResult> Results,
    string CommandLine,
    DateTimeOffset StartedAt,
    TimeSpan Duration,
    bool Interrupted)
{
    /// <summary>What must be said wherever published figures are shown.</summary>
    public const string AboutPublished =
        "Published figures were measured by others on other machines: they show the scale, and nothing follows from their distance to ours. "
        + "Only the columns that were measured here, side by side in the same rounds, compare.";

    /// <summary>Where it ran.</summary>
    public JsonObject Machine { get; } = MachineInfo.ToJson();

    /// <summary>What the conditions say.</summary>
    public IReadOnlyList<Verdict> Verdicts { get; init; } = [];

    /// <summary>What changed since an earlier report, if there is one.</summary>
    public Comparison? Comparison { get; init; }

    /// <summary>Every problem of every run, with its place.</summary>
    public IEnumerable<string> Problems => ProblemsOf(static _ => true);

    /// <summary>Those of PlayChat's own runs, in whatever setting: the others' are told, and fail nothing.</summary>
    public IEnumerable<string> OwnProblems => ProblemsOf(Subjects.IsOurs);

    /// <summary>The runs that were not reached.</summary>
    public int NotRun => Plan.Experiments.Sum(static experiment => experiment.Runs.Count) - Results.Sum(static result => result.Runs.Count);

    /// <summary>Writes all forms.</summary>
    /// <exception cref="RunFailedException">One cannot be written.</exception>
    public async Task WriteAsync(string folder)
    {
        try
        {
            await File.WriteAllTextAsync(Path.Combine(folder, "results.json"), SuiteJson.Format(this));
            await File.WriteAllTextAsync(Path.Combine(folder, "results.md"), SuiteMarkdown.Format(this));
            await File.WriteAllTextAsync(Path.Combine(folder, "index.html"), HtmlReport.Format(this));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RunFailedException($"The report cannot be written to '{folder}': {e.Message}");
        }
    }

    private IEnumerable<string> ProblemsOf(Func<string, bool> whose) => Results.SelectMany(result => result.Runs
        .Where(run => whose(run.Run.Subject))
        .SelectMany(run => run.Problems.Select(problem => $"{result.Experiment.Name}, {run.Run.Subject}, {run.Run.Case}, {problem}")));
}
