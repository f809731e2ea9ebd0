namespace PlayChat.Benchmark.Experiments;

/// <summary>The result of a run in one round.</summary>
/// <param name="Report">Its report; <see langword="null"/> when it failed or did not start.</param>
/// <param name="Interrupted">Whether it was interrupted or did not start. Its figures are incomplete, which is not a problem.</param>
internal sealed record RoundResult(JsonObject? Report, string? Problem, bool Interrupted = false)
{
    // The counts of a report that must be 0 where it has them.
    private static readonly string[] s_faults =
        ["lost", "duplicated", "reordered", "corrupted", "errors", "incomplete", "gating_violation", "refused"];

    public static RoundResult NotReached { get; } = new(Report: null, Problem: null, Interrupted: true);

    public bool IsGood => Report is not null && Problem is null && !Interrupted;

    public static RoundResult Of(ChildOutcome outcome, bool interrupted)
    {
        JsonObject? report = outcome.Report;
        bool partial = interrupted && ReportFigures.Read(report, "interrupted") != 0;
        bool wrong = partial
            ? report is not null && outcome.ExitCode is not (0 or ExitCodes.Interrupted)
            : report is null || outcome.ExitCode != 0 || ReportFigures.Read(report, "valid") == 0;
        return new RoundResult(report, wrong ? Reason(outcome) : null, partial);
    }

    private static string Reason(ChildOutcome outcome)
    {
        JsonObject? report = outcome.Report;
        double? Read(string key) => ReportFigures.Read(report, key);
        string[] counts = s_faults.Where(key => Read(key) > 0).Select(key => $"{report![key]!.ToJsonString()} {key}").ToArray();
        string?[] reasons =
        [
            counts.Length == 0 ? null : string.Join(", ", counts),
            Read("accepted") < Read("connections")
                ? $"{report!["accepted"]!.ToJsonString()} of {report["connections"]!.ToJsonString()} connections accepted"
                : null,
            Read("drain_timeout") == 1 ? "the drain timed out" : null,
            Read("valid") == 0 ? report!["invalid_because"]?.ToString() ?? "not valid" : null,
            outcome.Complaint,
        ];
        string text = string.Join("; ", reasons.OfType<string>());
        return text.Length > 0 ? text : outcome.ExitCode == 0 ? "it wrote no report" : $"it ended with exit code {outcome.ExitCode}";
    }
}

internal sealed record RunResult(ExperimentRun Run, IReadOnlyList<RoundResult> Rounds)
{
    public string CommandLine { get; init; } = string.Empty;

    public string Client { get; init; } = Subjects.ClientOf(Run.Subject);

    /// <summary>Whether at least one round was good. Otherwise the figures are of bad rounds and must be marked.</summary>
    public bool IsValid => Rounds.Any(static round => round.IsGood);

    /// <summary>The rounds that count: the good ones, or all when none is good.</summary>
    public IEnumerable<RoundResult> Counted => IsValid ? Rounds.Where(static round => round.IsGood) : Rounds;

    /// <summary>One line for each thing that went wrong, with its round.</summary>
    public IEnumerable<string> Problems => Rounds
        .Select(static (round, i) =>
            round.Problem is { } problem ? $"round {i + 1}: {problem}" : null)
        .OfType<string>();

    /// <summary>The figure's median, lowest and highest; <see langword="null"/> when no round that counts has it.</summary>
    public FigureRange? Range(Figure figure) =>
        FigureRange.Of(Counted.Select(round => ReportFigures.Read(round.Report, figure.Path)).OfType<double>());

    /// <summary>
    /// This run's figure divided by another's in the same round: over the rounds in which both were good, or over all when there is none.
    /// A round has infinity when the other's figure is 0, and 1 when both are. <see langword="null"/> when both are 0 in every round, or
    /// when a figure is not known.
    /// </summary>
    /// <returns>The ratio, and in how many rounds both were good.</returns>
    public (FigureRange Range, int Rounds)? RatioTo(RunResult other, Figure figure)
    {
        (RoundResult First, RoundResult Second)[] pairs = Rounds.Zip(other.Rounds).ToArray();
        (RoundResult First, RoundResult Second)[] good = Array.FindAll(pairs, static pair => pair.First.IsGood && pair.Second.IsGood);
        double[] ratios = (good.Length > 0 ? good : pairs)
            .Select(pair => ReportFigures.Read(pair.First.Report, figure.Path) / ReportFigures.Read(pair.Second.Report, figure.Path))
            .OfType<double>()
            .ToArray();
        return ratios.All(double.IsNaN)
            ? null
            : (FigureRange.Of(ratios.Select(static ratio => double.IsNaN(ratio) ? 1 : ratio))!.Value, good.Length);
    }
}

/// <param name="Runs">In the order of <see cref="Experiment.Runs"/>; fewer when it was interrupted.</param>
internal sealed record ExperimentResult(Experiment Experiment, IReadOnlyList<RunResult> Runs)
{
    /// <summary>A sentence that says when it was measured, where that is not when its report was.</summary>
    public string? Measured { get; init; }

    /// <summary>The cases, in the order of the runs; published ones without a run come last.</summary>
    public IEnumerable<string> Cases => Runs.Select(static run => run.Run.Case)
        .Concat(Experiment.Published.Select(static published => published.Case))
        .Distinct(StringComparer.Ordinal);

    public IEnumerable<(string Subject, string Text)> Problems => Runs.SelectMany(run => run.Problems.Select(problem =>
        (run.Run.Subject, $"{Experiment.Name}, {run.Run.Subject}, {run.Run.Case}, {problem}")));
}

internal enum Standing
{
    Ahead, // better in every round
    Even, // better in one round and worse in another, or nearly the same
    Behind, // worse in every round
    NotValid, // in no round were both runs good, so they are not compared
}

/// <summary>
/// A figure of PlayChat divided by that of another server in the same case and round. Both have the same load with the same client library
/// and settings, by construction: runs whose load differs in any option are never compared.
/// </summary>
/// <param name="Rounds">In how many both were good; 0: in none, so it tells nothing.</param>
internal sealed record Ratio(RunResult Ours, RunResult Other, Figure Figure, FigureRange Range, int Rounds)
{
    /// <summary>Two runs of the same program may differ by this much when there is one round, which has no range.</summary>
    public const double NoiseOfOneRound = 0.10;

    // The medians of several differ by this much.
    private const double Noise = 0.03;

    /// <summary>How many times better PlayChat is: over 1 when it is, whichever way the figure is better.</summary>
    public FigureRange Gain => Figure.Better == Better.Higher ? Range : new FigureRange(1 / Range.Median, 1 / Range.Max, 1 / Range.Min);

    public Standing Standing
    {
        get
        {
            if (Rounds == 0)
            {
                return Standing.NotValid;
            }

            FigureRange gain = Gain;
            bool even = Math.Abs(gain.Median - 1) <= (Rounds == 1 ? NoiseOfOneRound : Noise) || (gain.Min < 1 && gain.Max > 1);
            return even ? Standing.Even : gain.Median > 1 ? Standing.Ahead : Standing.Behind;
        }
    }

    /// <summary>All ratios of an experiment: by other run, then by figure.</summary>
    public static IReadOnlyList<Ratio> Of(ExperimentResult result) =>
    [
        .. from other in result.Runs
           where other.Run.Subject != Subjects.Ours
           let ours = result.Runs.FirstOrDefault(ours => IsComparable(ours, other))
           where ours is not null
           from figure in result.Experiment.Figures
           let ratio = ours.RatioTo(other, figure)
           where ratio is not null
           select new Ratio(ours, other, figure, ratio.Value.Range, ratio.Value.Rounds),
    ];

    private static bool IsComparable(RunResult ours, RunResult other) =>
        ours != other
        && Subjects.IsOurs(ours.Run.Subject)
        && ours.Run.Subject != Subjects.NativeLinux
        && ours.Run.Case == other.Run.Case
        && ours.Client == other.Client
        && Subjects.LoadOf(ours.Run.Arguments) == Subjects.LoadOf(other.Run.Arguments);
}
