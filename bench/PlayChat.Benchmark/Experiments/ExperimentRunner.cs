using System.Diagnostics;
using System.Globalization;
using PlayChat.Benchmark.Cli;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Experiments;

/// <summary>Carries experiments out: each run as a process of its own, every run once a round, so that those that are compared stand next to each other.</summary>
/// <param name="settings">What is common to them.</param>
/// <param name="view">Where they show themselves.</param>
/// <param name="start">Starts a run; <see langword="null"/>: <see cref="ChildRun"/>.</param>
internal sealed class ExperimentRunner(ExperimentSettings settings, IExperimentView view, ExperimentRunner.RunChild? start = null)
{
    private readonly RunChild _start = start ?? ChildRun.RunAsync;
    private readonly TimeLeft _timeLeft = new();

    /// <summary>Runs a command line: see <see cref="ChildRun.RunAsync"/>.</summary>
    public delegate Task<ChildOutcome> RunChild(
        IReadOnlyList<string> arguments, string? cpus, Action<RunProgress> progress, CancellationToken interrupted);

    /// <summary>Runs experiments, one after the other.</summary>
    /// <param name="experiments">Which.</param>
    /// <param name="interrupted">Ends the present run early, and begins no other.</param>
    /// <param name="ended">Called after each experiment with what there is until then.</param>
    /// <returns>What came of each; those that were not begun are missing.</returns>
    public async Task<IReadOnlyList<ExperimentResult>> RunAsync(
        IReadOnlyList<Experiment> experiments, CancellationToken interrupted, Func<IReadOnlyList<ExperimentResult>, Task>? ended = null)
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

            results.Add(new ExperimentResult(experiment, tallies.Where(static tally => tally.Rounds.Count > 0).Select(tally => tally.ToResult(settings.Rounds)).ToArray()));
            if (ended is not null)
            {
                await ended(results);
            }
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
        ChildOutcome outcome = await StartAsync(place.Run, interrupted);
        _timeLeft.Took(place.Run, Stopwatch.GetElapsedTime(began));
        var round = RoundResult.Of(outcome, interrupted.IsCancellationRequested);
        tally.Rounds.Add(round);
        view.End(place, Summary(place, round), round.Problem);
    }

    // One that cannot be started is a problem of its own, and the others go on.
    private async Task<ChildOutcome> StartAsync(ExperimentRun run, CancellationToken interrupted)
    {
        try
        {
            return await _start(Arguments(run, settings), settings.ClientCpus, view.Progress, interrupted);
        }
        catch (Exception e) when (e is RunFailedException or IOException or UnauthorizedAccessException)
        {
            return new ChildOutcome(BenchmarkProgram.Failed, Report: null, e.Message);
        }
    }

    private static string Summary(RunPlace place, RoundResult round)
    {
        var only = new RunResult(place.Run, [round]);
        string figures = string.Join(", ", place.Experiment.Figures
            .Select(figure => (Figure: figure, Range: only.Range(figure)))
            .Where(static pair => pair.Range is not null)
            .Take(4)
            .Select(static pair => $"{FigureText.Format(pair.Range!.Value.Median, pair.Figure.Unit)} {pair.Figure.Title}"));
        return !round.Interrupted ? figures : figures.Length == 0 ? "interrupted before it measured anything" : $"{figures}; interrupted: of what it measured until then";
    }

    private sealed record Tally(ExperimentRun Run)
    {
        public List<RoundResult> Rounds { get; } = [];

        public RunResult ToResult(int rounds) => new(Run, [.. Rounds, .. Enumerable.Repeat(RoundResult.NotReached, rounds - Rounds.Count)]);
    }
}
