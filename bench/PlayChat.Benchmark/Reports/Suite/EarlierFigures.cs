using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>Reads the figures of an earlier <c>results.json</c>. Runs without a good round are left out.</summary>
internal static class EarlierFigures
{
    /// <summary>Reads every figure. A part of the file that has another form is ignored.</summary>
    public static IReadOnlyDictionary<FigurePlace, FigureRange> Read(JsonObject report)
    {
        var ranges = new Dictionary<FigurePlace, FigureRange>();
        foreach (JsonObject experiment in Objects(report["experiments"]))
        {
            foreach (JsonObject run in Objects(experiment["runs"]).Where(IsValid))
            {
                foreach ((string key, JsonNode? figure) in run["figures"] as JsonObject ?? [])
                {
                    if (Range(figure) is { } range)
                    {
                        ranges[new FigurePlace(Text(experiment["name"]), Text(run["subject"]), Text(run["case"]), key)] = range;
                    }
                }
            }
        }

        return ranges;
    }

    private static bool IsValid(JsonObject run) =>
        run["good"] is not JsonArray rounds || rounds.Any(static good => good?.ToJsonString() == "true");

    private static FigureRange? Range(JsonNode? figure) =>
        figure is JsonObject range
            && Number(range["median"]) is { } median
            && Number(range["min"]) is { } min
            && Number(range["max"]) is { } max
            ? new FigureRange(median, min, max)
            : null;

    private static IEnumerable<JsonObject> Objects(JsonNode? list) => (list as JsonArray)?.OfType<JsonObject>() ?? [];

    private static string Text(JsonNode? node) => node?.ToString() ?? string.Empty;

    private static double? Number(JsonNode? node) => node is JsonValue value && value.TryGetValue(out double number) ? number : null;
}
