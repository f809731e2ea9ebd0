using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Experiments;

/// <summary>What came of one run in all rounds.</summary>
/// <param name="Run">Which.</param>
/// <param name="Reports">A report for each round; <see langword="null"/> where there is none, because the run failed or was not reached.</param>
/// <param name="Problems">One line for each thing that went wrong, with its round.</param>
internal sealed record RunResult(ExperimentRun Run, IReadOnlyList<JsonObject?> Reports, IReadOnlyList<string> Problems)
{
    /// <summary>The figure in each round that has it.</summary>
    public IEnumerable<double> Values(Figure figure) => Reports.Select(report => Read(report, figure)).OfType<double>();

    /// <summary>The figure's median, lowest and highest; <see langword="null"/> when no round has it.</summary>
    public FigureRange? Range(Figure figure) => FigureRange.Of(Values(figure));

    /// <summary>This run's figure divided by another's, round by round, since the two ran next to each other.</summary>
    public FigureRange? RatioTo(RunResult other, Figure figure) => FigureRange.Of(Reports
        .Zip(other.Reports, (mine, theirs) => Read(mine, figure) / Read(theirs, figure))
        .OfType<double>()
        .Where(double.IsFinite));

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
