using System.Globalization;
using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The results of one run in all rounds.</summary>
/// <param name="Run">The run.</param>
/// <param name="Rounds">Its rounds, in order.</param>
internal sealed record RunResult(ExperimentRun Run, IReadOnlyList<RoundResult> Rounds)
{
    /// <summary>Whether at least one round was good. Otherwise the figures are of bad rounds and must be marked.</summary>
    public bool IsValid => Rounds.Any(static round => round.IsGood);

    /// <summary>The rounds that count: the good ones, or all when none is good.</summary>
    public IEnumerable<RoundResult> Counted => IsValid ? Rounds.Where(static round => round.IsGood) : Rounds;

    /// <summary>One line for each thing that went wrong, with its round.</summary>
    public IEnumerable<string> Problems => Rounds
        .Select(static (round, i) =>
            round.Problem is { } problem ? string.Create(CultureInfo.InvariantCulture, $"round {i + 1}: {problem}") : null)
        .OfType<string>();

    /// <summary>The figure in each round that counts and has it.</summary>
    public IEnumerable<double> Values(Figure figure) => Counted.Select(round => Read(round.Report, figure)).OfType<double>();

    /// <summary>The figure's median, lowest and highest; <see langword="null"/> when no round has it.</summary>
    public FigureRange? Range(Figure figure) => FigureRange.Of(Values(figure));

    /// <summary>In how many rounds both runs were good.</summary>
    public int GoodRoundsWith(RunResult other) =>
        Rounds.Zip(other.Rounds, static (mine, theirs) => mine.IsGood && theirs.IsGood).Count(static good => good);

    /// <summary>
    /// This run's figure divided by another's in the same round: over the rounds in which both were good, or over all when there is none.
    /// A round has infinity when the other's figure is 0, and 1 when both are. <see langword="null"/> when both are 0 in every round, or
    /// when a figure is not known.
    /// </summary>
    public FigureRange? RatioTo(RunResult other, Figure figure)
    {
        bool anyGood = GoodRoundsWith(other) > 0;
        double[] ratios = Rounds.Zip(other.Rounds)
            .Where(pair => !anyGood || (pair.First.IsGood && pair.Second.IsGood))
            .Select(pair => Read(pair.First.Report, figure) / Read(pair.Second.Report, figure))
            .OfType<double>()
            .ToArray();
        return ratios.All(double.IsNaN) ? null : FigureRange.Of(ratios.Select(static ratio => double.IsNaN(ratio) ? 1 : ratio));
    }

    /// <summary>The figure in one report; <see langword="null"/> when it does not have it.</summary>
    public static double? Read(JsonObject? report, Figure figure) => Read(report, figure.Path);

    /// <summary>The figure at a path of keys divided by dots; <see langword="null"/> when the report does not have it.</summary>
    public static double? Read(JsonObject? report, string path)
    {
        JsonNode? node = report;
        foreach (string key in path.Split('.'))
        {
            node = (node as JsonObject)?[key];
        }

        return node switch
        {
            JsonValue value when value.TryGetValue(out double number) => number,
            JsonValue value when value.TryGetValue(out bool flag) => flag ? 1 : 0,
            _ => null,
        };
    }
}
