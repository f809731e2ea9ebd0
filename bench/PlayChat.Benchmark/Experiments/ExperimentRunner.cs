namespace PlayChat.Benchmark.Experiments;

/// <summary>Runs experiments: each run in a process of its own, every run once a round, so that compared runs follow each other.</summary>
/// <param name="start">Starts a run; <see langword="null"/> for <see cref="ChildRun"/>.</param>
internal sealed class ExperimentRunner(ExperimentSettings settings, View view, ExperimentRunner.RunChild? start = null)
{
    /// <summary>The object of a run's report that compares it with another case of the same round.</summary>
    public const string ComparedKey = "compared";

    // What the cluster adds to a server without one: the key, the figure, and whether it is a ratio or else a difference.
    private static readonly (string Key, string Path, bool IsRatio)[] s_compared =
    [
        ("added_p50_us", "latency_us.p50", false),
        ("added_p99_us", "latency_us.p99", false),
        ("nodes_cpu_ratio", "cluster.nodes_cpu_us_per_delivery", true),
    ];

    private readonly RunChild _start = start ?? ChildRun.RunAsync;

    public delegate Task<ChildOutcome> RunChild(
        IReadOnlyList<string> arguments, string? cpus, Action<string> progress, CancellationToken interrupted);

    /// <param name="interrupted">Ends the present run early and starts no other.</param>
    public async Task<IReadOnlyList<ExperimentResult>> RunAsync(
        IReadOnlyList<Experiment> experiments, CancellationToken interrupted, Func<IReadOnlyList<ExperimentResult>, Task>? ended = null)
    {
        var results = new List<ExperimentResult>();
        Queue<ExperimentRun> left = new(
            experiments.SelectMany(experiment => Enumerable.Repeat(experiment.Runs, settings.Rounds)).SelectMany(static runs => runs));
        int count = left.Count;
        foreach (Experiment experiment in experiments)
        {
            if (interrupted.IsCancellationRequested)
            {
                break;
            }

            view.Say($"{experiment.Name}: {experiment.Title}");
            Dictionary<ExperimentRun, List<RoundResult>> rounds =
                experiment.Runs.ToDictionary(static run => run, static _ => new List<RoundResult>());
            for (int i = 0; i < experiment.Runs.Count * settings.Rounds && !interrupted.IsCancellationRequested; i++)
            {
                ExperimentRun run = experiment.Runs[i % experiment.Runs.Count];
                int round = (i / experiment.Runs.Count) + 1;
                string place = $"run {count - left.Count + 1} of {count}, round {round}, about {FigureText.Duration(TimeOf(left))} left: "
                    + $"{run.Subject}, {run.Case}";
                view.Say($"  {place}");
                RoundResult result = await RunAsync(run, place, interrupted);
                left.Dequeue();
                ExperimentRun? with = experiment.Runs.FirstOrDefault(other => other.Case == experiment.ComparedWith);
                if (result.Report is { } report && with is not null)
                {
                    RoundResult? other = with == run ? result : rounds[with].ElementAtOrDefault(round - 1);
                    report[ComparedKey] = Compare(report, other is { IsGood: true } ? other.Report : null);
                }

                rounds[run].Add(result);
                view.Say("    " + Summary(experiment, run, result));
            }

            results.Add(new ExperimentResult(experiment, experiment.Runs
                .Where(run => rounds[run].Count > 0)
                .Select(run => new RunResult(
                    run, [.. rounds[run], .. Enumerable.Repeat(RoundResult.NotReached, settings.Rounds - rounds[run].Count)])
                {
                    CommandLine = settings.CommandLine(run),
                })
                .ToArray()));
            await (ended?.Invoke(results) ?? Task.CompletedTask);
        }

        return results;
    }

    /// <summary>An estimate of how long runs take: what their options say, and start, login, drain and end.</summary>
    public static TimeSpan TimeOf(IEnumerable<ExperimentRun> runs)
    {
        const double Rest = 4;
        return TimeSpan.FromSeconds(runs.Sum(static run => Rest + Seconds(run, "--warmup") + Seconds(run, "--duration")));

        static double Seconds(ExperimentRun run, string option) => run.Arguments.SkipWhile(word => word != option).Skip(1)
            .Select(static word => double.Parse(word, CultureInfo.InvariantCulture)).FirstOrDefault();
    }

    // A run that does not start is a problem of that run; the others are made.
    private async Task<RoundResult> RunAsync(ExperimentRun run, string place, CancellationToken interrupted)
    {
        ChildOutcome outcome;
        try
        {
            outcome = await _start(
                settings.Arguments(run), settings.ClientCpus, progress => view.Status($"{place}  {progress}"), interrupted);
        }
        catch (Exception e) when (e is RunFailedException or IOException or UnauthorizedAccessException)
        {
            outcome = new ChildOutcome(ExitCodes.Failed, Report: null, e.Message);
        }

        return RoundResult.Of(outcome, interrupted.IsCancellationRequested);
    }

    private static JsonObject Compare(JsonObject report, JsonObject? with)
    {
        var compared = new JsonObject();
        foreach ((string key, string path, bool isRatio) in s_compared)
        {
            double? value = ReportFigures.Read(report, path);
            double? other = ReportFigures.Read(with, path);
            compared[key] = JsonFigures.Round(isRatio ? value / other : value - other);
        }

        return compared;
    }

    private static string Summary(Experiment experiment, ExperimentRun run, RoundResult round)
    {
        var only = new RunResult(run, [round]);
        string figures = string.Join(", ", experiment.Figures
            .Select(figure => (Figure: figure, Range: only.Range(figure)))
            .Where(static pair => pair.Range is not null)
            .Take(4)
            .Select(static pair => $"{FigureText.Format(pair.Range!.Value.Median, pair.Figure.Unit)} {pair.Figure.Title}"));
        return figures + (round.Interrupted ? " (interrupted)" : string.Empty)
            + (round.Problem is null ? string.Empty : $"\n    problem: {round.Problem}");
    }
}

/// <summary>The outcome of a run of this program as a separate process.</summary>
/// <param name="Complaint">Its message about what went wrong, if there was one: one line.</param>
internal sealed record ChildOutcome(int ExitCode, JsonObject? Report, string? Complaint);

/// <summary>Runs this program again in a process of its own, so that no run inherits another's memory or compiled code.</summary>
/// <remarks>The report has each run's command line, so that you can repeat one alone.</remarks>
internal static class ChildRun
{
    private const string FaultPrefix = "fault ";

    /// <param name="interrupted">Asks the run to end; it then reports what it has.</param>
    public static async Task<ChildOutcome> RunAsync(
        IReadOnlyList<string> arguments, string? cpus, Action<string> progress, CancellationToken interrupted)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("playchat-run-");
        try
        {
            string report = Path.Combine(folder.FullName, "report.json");
            string? fault = null;
            string? error = null;
            await using var process = new RunningProcess(
                [.. OwnProgram.Command, .. arguments, "--json", report],
                cpus: cpus,
                environment: [(View.ProgressVariable, "1")],
                onLine: OnLine);
            // On Windows Ctrl+C reaches every process of the console by itself, and there is no other way to ask one to end.
            await using CancellationTokenRegistration onInterrupt =
                OperatingSystem.IsWindows() ? default : interrupted.Register(process.Terminate);
            int code = await process.EndAsync();
            string text = File.Exists(report) ? await File.ReadAllTextAsync(report, CancellationToken.None) : string.Empty;
            return new ChildOutcome(code, ReportFigures.TryParse(text), error ?? fault);

            void OnLine(string line, bool isError)
            {
                if (isError)
                {
                    error ??= line;
                }
                else if (line.StartsWith(View.ProgressPrefix, StringComparison.Ordinal))
                {
                    progress(line[View.ProgressPrefix.Length..]);
                }
                else if (line.StartsWith(FaultPrefix, StringComparison.Ordinal))
                {
                    fault ??= line[FaultPrefix.Length..].Trim();
                }
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
