using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Makes a plot's lines from rows of a table and from the lists in runs' reports.</summary>
internal static class ReportSeries
{
    /// <summary>Several figures of a row, one beside the other.</summary>
    /// <param name="row">The row.</param>
    /// <param name="indices">The figures, from left to right; each is 1 wide.</param>
    /// <param name="offset">How far right of a figure's middle its point is.</param>
    public static Series Of(CaseRow row, int[] indices, double offset) => new(
        row.Published ? $"published: {row.Subject}" : Label(row.Subject, row.Valid),
        row.Subject,
        row.Published,
        indices.Select((index, place) => (Range: row.Figures[index], X: place + 0.5 + offset))
            .Where(static point => point.Range is not null)
            .Select(static point => new SeriesPoint(point.X, point.Range!.Value))
            .ToArray());

    /// <summary>One key of a list over another, in the first round that counts and has the list. Lines have no median.</summary>
    /// <param name="run">The run.</param>
    /// <param name="list">The list's key in the report: <c>intervals</c> or <c>steps</c>.</param>
    /// <param name="xKey">The key of the horizontal axis.</param>
    /// <param name="yKey">The key of the vertical axis.</param>
    public static Series Of(RunResult run, string list, string xKey, string yKey)
    {
        JsonArray? items = run.Counted
            .Select(round => round.Report?[list] as JsonArray)
            .FirstOrDefault(static found => found is { Count: > 0 });
        IEnumerable<(double? X, double? Y, bool Held)> points = (items ?? []).OfType<JsonObject>().Select(item => (
            X: Number(item, xKey) * KeyText.Scale(xKey),
            Y: Number(item, yKey) * KeyText.Scale(yKey),
            Held: item["held"]?.ToJsonString() != "false"));
        return new Series(Label(run.Run.Subject, run.IsValid), run.Run.Subject, Published: false, points
            .Where(static point => point is { X: not null, Y: not null })
            .Select(static point => new SeriesPoint(point.X!.Value, point.Y!.Value, !point.Held))
            .OrderBy(static point => point.X) // the steps of a search are not in the order of their rate
            .ToArray());
    }

    private static string Label(string subject, bool valid) => valid ? subject : $"{subject} {SuiteText.Mark}";

    private static double? Number(JsonObject item, string path)
    {
        JsonNode? node = item;
        foreach (string key in path.Split('.'))
        {
            node = (node as JsonObject)?[key];
        }

        return node is JsonValue value && value.TryGetValue(out double number) ? number : null;
    }
}
