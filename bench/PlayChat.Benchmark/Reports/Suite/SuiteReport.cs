using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Machine;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The results of a plan, from which every form of the report is made.</summary>
/// <param name="Plan">The experiments and how to run them.</param>
/// <param name="Results">The results so far.</param>
/// <param name="CommandLine">The command line, to repeat the suite.</param>
/// <param name="StartedAt">When the suite began.</param>
/// <param name="Duration">How long the suite has taken.</param>
/// <param name="Interrupted">Whether the suite was interrupted.</param>
internal sealed record SuiteReport(
    ExperimentPlan Plan,
    IReadOnlyList<ExperimentResult> Results,
    string CommandLine,
    DateTimeOffset StartedAt,
    TimeSpan Duration,
    bool Interrupted)
{
    /// <summary>The note that stands wherever published figures are shown.</summary>
    public const string AboutPublished =
        "Published figures were measured by others on other machines. They show the scale; do not compare them with ours. "
        + "Compare only what was measured here, side by side in the same rounds.";

    /// <summary>What the words of the tables mean.</summary>
    public const string AboutTerms =
        "CCU (concurrent users) is the number of connections that are open at once. In flight is how many requests of each connection wait "
        + "for their answer. RTT is the time from a request to its answer; of 100 requests, 99 were at least as fast as p99.";

    /// <summary>The machine of the runs.</summary>
    public JsonObject Machine { get; } = MachineInfo.ToJson();

    /// <summary>The conditions of <c>--fail-if</c>, judged.</summary>
    public IReadOnlyList<Verdict> Verdicts { get; init; } = [];

    /// <summary>The changes since an earlier report, if <c>--compare</c> named one.</summary>
    public Comparison? Comparison { get; init; }

    /// <summary>Every problem of every run, with experiment, server and case.</summary>
    public IEnumerable<string> Problems => ProblemsOf(static _ => true);

    /// <summary>The problems of PlayChat's own runs, in any setting. Only these make the program fail.</summary>
    public IEnumerable<string> OwnProblems => ProblemsOf(Subjects.IsOurs);

    /// <summary>The number of runs that did not start.</summary>
    public int NotRun =>
        Plan.Experiments.Sum(static experiment => experiment.Runs.Count) - Results.Sum(static result => result.Runs.Count);

    private IEnumerable<string> ProblemsOf(Func<string, bool> whose) => Results.SelectMany(result => result.Runs
        .Where(run => whose(run.Run.Subject))
        .SelectMany(run => run.Problems.Select(problem => $"{result.Experiment.Name}, {run.Run.Subject}, {run.Run.Case}, {problem}")));
}
