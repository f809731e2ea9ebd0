using System.Globalization;
using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Experiments;

/// <summary>What came of one run in all rounds.</summary>
/// <param name="Run">Which.</param>
/// <param name="Rounds">One after the other.</param>
internal sealed record RunResult(ExperimentRun Run, IReadOnlyList<RoundResult> Rounds)
{
    /// <summary>Whether any round was good. Where none was, figures are those of the others and must be marked.</summary>
    public bool IsValid => Rounds.Any(static round => round.IsGood);

    /// <summary>The rounds that count: the good ones; all, where none is good.</summary>
    public IEnumerable<RoundResult> Counted => IsValid ? Rounds.Where(static round => round.IsGood) : Rounds;

    /// <summary>One line for each thing that went wrong, with its round.</summary>
    public IEnumerable<string> Problems => Rounds
        .Select(static (round, i) => round.Problem is { } problem ? string.Create(CultureInfo.InvariantCulture, $"round {i + 1}: {problem}") : null)
        .OfType<string>();

    /// <summary>The figure in each round that counts and has it.</summary>
    public IEnumerable<double> Values(Figure figure) => Counted.Select(round => Read(round.Report, figure)).OfType<double>();

    /// <summary>The figure's median, lowest and highest; <see langword="null"/> when no round has it.</summary>
    public FigureRange? Range(Figure figure) => FigureRange.Of(Values(figure));

    /// <summary>In how many rounds both runs were good.</summary>
    public int GoodRoundsWith(RunResult other) => Rounds.Zip(other.Rounds, static (mine, theirs) => mine.IsGood && theirs.IsGood).Count(static good => good);

    /// <summary>
    /// This run's figure divided by another's, round by round, since the two ran next to each other: of the rounds where both were good, or of all when
    /// there is none. Infinite where the other's is 0, and 1 where both are; <see langword="null"/> when they are 0 in every round, or not known.
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
    public static double? Read(JsonObject? report, Figure figure)
    {
        JsonNode? node = report;
        foreach (string key in figure.Path.Split('.'))
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
