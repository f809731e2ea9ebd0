using System.Diagnostics;
using System.Globalization;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Experiments;

/// <summary>
/// Runs experiments: each run in a process of its own, and every run once per round, so that compared runs follow each other.
/// </summary>
/// <param name="settings">The settings that every experiment has.</param>
/// <param name="view">Where they are shown.</param>
/// <param name="start">Starts a run; <see langword="null"/> for <see cref="ChildRun"/>.</param>
internal sealed class ExperimentRunner(ExperimentSettings settings, IExperimentView view, ExperimentRunner.RunChild? start = null)
{
    private readonly RunChild _start = start ?? ChildRun.RunAsync;
    private readonly TimeLeft _timeLeft = new();

    /// <summary>Runs a command line: see <see cref="ChildRun.RunAsync"/>.</summary>
    public delegate Task<ChildOutcome> RunChild(
        IReadOnlyList<string> arguments, string? cpus, Action<RunProgress> progress, CancellationToken interrupted);

    /// <summary>Runs experiments, one after the other.</summary>
    /// <param name="experiments">The experiments.</param>
    /// <param name="interrupted">Ends the present run early and starts no other.</param>
    /// <param name="ended">Called after each experiment with the results so far.</param>
    /// <returns>The result of each experiment that was started.</returns>
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
                        Rounds(experiment, settings.Rounds - round + 1).Skip(k)
                            .Concat(experiments.Skip(i + 1).SelectMany(later => Rounds(later, settings.Rounds))));
                    var place = new RunPlace(experiment, i + 1, experiments.Count, tallies[k].Run, round, ++number, count, left);
                    Tally? comparedWith = Array.Find(tallies, tally => tally.Run.Case == experiment.Comparison?.Case);
                    await RunAsync(tallies[k], place, comparedWith, interrupted);
                }
            }

            IEnumerable<Tally> started = tallies.Where(static tally => tally.Rounds.Count > 0);
            results.Add(new ExperimentResult(experiment, started.Select(tally => tally.ToResult(settings.Rounds)).ToArray()));
            if (ended is not null)
            {
                await ended(results);
            }
        }

        return results;
    }

    /// <summary>The command line that starts a run, without <c>--json</c>.</summary>
    public static IReadOnlyList<string> Arguments(ExperimentRun run, ExperimentSettings settings) =>
        (settings.ServerCpus ?? Everywhere(settings)) is { } cpus ? [.. run.Arguments, "--server-cores", cpus] : run.Arguments;

    // The server is the load's child process and would inherit the load's processors.
    private static string? Everywhere(ExperimentSettings settings) =>
        settings.ClientCpus is null ? null : string.Create(CultureInfo.InvariantCulture, $"0-{Environment.ProcessorCount - 1}");

    private static IEnumerable<ExperimentRun> Rounds(Experiment experiment, int rounds) =>
        Enumerable.Repeat(experiment.Runs, rounds).SelectMany(static runs => runs);

    private async Task RunAsync(Tally tally, RunPlace place, Tally? comparedWith, CancellationToken interrupted)
    {
        view.Begin(place);
        long began = Stopwatch.GetTimestamp();
        ChildOutcome outcome = await StartAsync(place.Run, interrupted);
        _timeLeft.Took(place.Run, Stopwatch.GetElapsedTime(began));
        var round = RoundResult.Of(outcome, interrupted.IsCancellationRequested);
        tally.Rounds.Add(round);
        if (round.Report is { } report && comparedWith?.Rounds.ElementAtOrDefault(place.Round - 1) is { } other)
        {
            place.Experiment.Comparison!.AddTo(report, other.IsGood ? other.Report : null);
        }

        view.End(place, Summary(place, round), round.Problem);
    }

    // A run that does not start is a problem of that run; the others are made.
    private async Task<ChildOutcome> StartAsync(ExperimentRun run, CancellationToken interrupted)
    {
        try
        {
            return await _start(Arguments(run, settings), settings.ClientCpus, view.Progress, interrupted);
        }
        catch (Exception e) when (e is RunFailedException or IOException or UnauthorizedAccessException)
        {
            return new ChildOutcome(ExitCodes.Failed, Report: null, e.Message);
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
        return !round.Interrupted ? figures
            : figures.Length == 0 ? "interrupted before it measured anything"
            : $"{figures}; interrupted: of what it measured until then";
    }

    private sealed record Tally(ExperimentRun Run)
    {
        public List<RoundResult> Rounds { get; } = [];

        public RunResult ToResult(int rounds) => new(Run, [.. Rounds, .. Enumerable.Repeat(RoundResult.NotReached, rounds - Rounds.Count)]);
    }
}
