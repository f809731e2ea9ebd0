using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Reports;

namespace PlayChat.Benchmark.Experiments;

/// <summary>Carries experiments out: each run as a process of its own, every run once a round, so that those that are compared stand next to each other.</summary>
/// <param name="settings">What is common to them.</param>
/// <param name="view">Where they show themselves.</param>
/// <param name="start">Starts a run; <see langword="null"/>: <see cref="ChildRun"/>.</param>
internal sealed class ExperimentRunner(ExperimentSettings settings, IExperimentView view, ExperimentRunner.RunChild? start = null)
{
    // What a report counts that must be nothing, as far as it has it.
    private static readonly string[] s_faults = ["lost", "duplicated", "reordered", "corrupted", "errors", "incomplete", "gating_violation"];

    private readonly RunChild _start = start ?? ChildRun.RunAsync;
    private readonly TimeLeft _timeLeft = new();

    /// <summary>Runs a command line: see <see cref="ChildRun.RunAsync"/>.</summary>
    public delegate Task<ChildOutcome> RunChild(
        IReadOnlyList<string> arguments, string? cpus, Action<RunProgress> progress, CancellationToken interrupted);

    /// <summary>Runs experiments, one after the other.</summary>
    /// <returns>What came of each; those that were not begun are missing.</returns>
    public async Task<IReadOnlyList<ExperimentResult>> RunAsync(IReadOnlyList<Experiment> experiments, CancellationToken interrupted)
    {
        var results = new List<ExperimentResult>();
        int count = experiments.Sum(experiment => experiment.Runs.Count * settings.Rounds);
        int number = 0;
        for (int i = 0; i < experiments.Count && !interrupted.IsCancellationRequested; i++)
        {
            Experiment experiment = experiments[i];
            Tally[] tallies = experiment.Runs.Select(static run => new Tally(run)).ToArray();
            for (int round = 1; round <= settings.Rounds; round++)
            {
                for (int k = 0; k < tallies.Length && !interrupted.IsCancellationRequested; k++)
                {
                    TimeSpan left = _timeLeft.For(
                        Enumerable.Repeat(experiment.Runs, settings.Rounds - round + 1).SelectMany(static runs => runs).Skip(k)
                            .Concat(experiments.Skip(i + 1).SelectMany(later => Enumerable.Repeat(later.Runs, settings.Rounds).SelectMany(static runs => runs))));
                    await RunAsync(tallies[k], new RunPlace(experiment, i + 1, experiments.Count, tallies[k].Run, round, ++number, count, left), interrupted);
                }
            }

            results.Add(new ExperimentResult(experiment, tallies.Where(static tally => tally.Reports.Count > 0).Select(tally => tally.ToResult(settings.Rounds)).ToArray()));
        }

        return results;
    }

    /// <summary>A run's command line as it is started, without <c>--json</c>.</summary>
    public static IReadOnlyList<string> Arguments(ExperimentRun run, ExperimentSettings settings) => (settings.ServerCpus ?? Everywhere(settings)) is { } cpus
        ? [.. run.Arguments, "--server-cores", cpus]
        : run.Arguments;

    // The server is the load's child, and would inherit the processors that the load alone is given.
    private static string? Everywhere(ExperimentSettings settings) =>
        settings.ClientCpus is null ? null : string.Create(CultureInfo.InvariantCulture, $"0-{Environment.ProcessorCount - 1}");

    private async Task RunAsync(Tally tally, RunPlace place, CancellationToken interrupted)
    {
        view.Begin(place);
        long began = Stopwatch.GetTimestamp();
        ChildOutcome outcome = await _start(Arguments(place.Run, settings), settings.ClientCpus, view.Progress, interrupted);
        _timeLeft.Took(place.Run, Stopwatch.GetElapsedTime(began));
        string? problem = Problem(outcome, interrupted.IsCancellationRequested);
        tally.Reports.Add(outcome.Report);
        if (problem is not null)
        {
            tally.Problems.Add(string.Create(CultureInfo.InvariantCulture, $"round {place.Round}: {problem}"));
        }

        view.End(place, Summary(place, outcome.Report), problem);
    }

    private static string? Problem(ChildOutcome outcome, bool interrupted)
    {
        if (interrupted)
        {
            return outcome.Report is null ? "interrupted before it measured anything" : "interrupted: what it measured until then";
        }

        if (outcome.ExitCode == 0)
        {
            return outcome.Report is null ? "it wrote no report" : null;
        }

        string[] faults = s_faults
            .Where(key => outcome.Report?[key] is JsonValue value && value.TryGetValue(out double count) && count > 0)
            .Select(key => $"{outcome.Report![key]!.ToJsonString()} {key}")
            .ToArray();
        string text = string.Join("; ", (string[])[.. faults.Length == 0 ? Array.Empty<string>() : [string.Join(", ", faults)], .. outcome.Report?["invalid_because"] is JsonValue why ? [why.ToString()] : Array.Empty<string>(), .. outcome.Complaint is null ? Array.Empty<string>() : [outcome.Complaint]]);
        return text.Length > 0 ? text : string.Create(CultureInfo.InvariantCulture, $"it ended with exit code {outcome.ExitCode}");
    }

    private static string Summary(RunPlace place, JsonObject? report)
    {
        var only = new RunResult(place.Run, [report], []);
        return string.Join(", ", place.Experiment.Figures
            .Select(figure => (Figure: figure, Range: only.Range(figure)))
            .Where(static pair => pair.Range is not null)
            .Take(4)
            .Select(static pair => $"{FigureText.Format(pair.Range!.Value.Median, pair.Figure.Unit)} {pair.Figure.Title}"));
    }

    private sealed record Tally(ExperimentRun Run)
    {
        public List<JsonObject?> Reports { get; } = [];

        public List<string> Problems { get; } = [];

        public RunResult ToResult(int rounds) =>
            new(Run, [.. Reports, .. Enumerable.Repeat<JsonObject?>(null, rounds - Reports.Count)], Problems);
    }
}
