using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>The charts made of lines: percentiles, what happened over time, one figure over another.</summary>
internal static class LineCharts
{
    /// <summary>Several figures of a case side by side; a plot for each case.</summary>
    public static HtmlText? Percentiles(Chart chart, ExperimentResult result)
    {
        List<Figure> figures = result.Experiment.Figures.ToList();
        int[] indices = chart.Keys.Select(key => figures.FindIndex(figure => figure.Key == key)).Where(static index => index >= 0).ToArray();
        if (indices.Length == 0)
        {
            return null;
        }

        (string Case, Series[] Lines)[] plots = CaseRow.Of(result)
            .GroupBy(static row => row.Case, StringComparer.Ordinal)
            .Select(group => (group.Key, group.Select(row => Line(row, indices)).Where(static line => line.Points.Count > 1).ToArray()))
            .Where(static plot => plot.Item2.Any(static line => !line.Published))
            .ToArray();
        var x = Axis.Between(0, indices.Length, logarithmic: false, Enumerable.Range(0, indices.Length).Select(static i => i + 0.5).ToArray());
        return Frame(chart, plots.SelectMany(static plot => plot.Lines), plots.Select(plot => LinePlot.Draw(
            plot.Case, x, tick => figures[indices[(int)tick]].Title, string.Empty, VerticalAxis(plot.Lines, chart.Logarithmic), figures[indices[0]].Unit, plot.Lines)));
    }

    /// <summary>What the runs' intervals tell over time; a plot for each case and key.</summary>
    public static HtmlText? Time(Chart chart, ExperimentResult result)
    {
        var plots = result.Runs
            .GroupBy(static run => run.Run.Case, StringComparer.Ordinal)
            .SelectMany(group => chart.Keys.Select(key => (
                Case: group.Key,
                Key: key,
                Lines: group.Select(run => Line(Label(run.Run.Subject, run.IsValid), run, "intervals", "at_s", key)).Where(static line => line.Points.Count > 1).ToArray())))
            .Where(static plot => plot.Lines.Length > 0)
            .ToArray();
        return Frame(chart, plots.SelectMany(static plot => plot.Lines), plots.Select(plot => LinePlot.Draw(
            plot.Case, HorizontalAxis(plot.Lines), FigureText.Short, "seconds", VerticalAxis(plot.Lines, chart.Logarithmic), KeyText.Title(plot.Key), plot.Lines)));
    }

    /// <summary>The steps of a search: one figure over another; a plot for each case.</summary>
    public static HtmlText? Curve(Chart chart, ExperimentResult result)
    {
        var plots = result.Runs
            .GroupBy(static run => run.Run.Case, StringComparer.Ordinal)
            .Select(group => (
                Case: group.Key,
                Lines: group.Select(run => Line(Label(run.Run.Subject, run.IsValid), run, "steps", chart.Keys[0], chart.Keys[1])).Where(static line => line.Points.Count > 0).ToArray()))
            .Where(static plot => plot.Lines.Length > 0)
            .ToArray();
        return Frame(chart, plots.SelectMany(static plot => plot.Lines), plots.Select(plot => LinePlot.Draw(
            plot.Case,
            HorizontalAxis(plot.Lines),
            FigureText.Short,
            KeyText.Title(chart.Keys[0]),
            VerticalAxis(plot.Lines, chart.Logarithmic),
            KeyText.Title(chart.Keys[1]),
            plot.Lines)));
    }

    private static HtmlText? Frame(Chart chart, IEnumerable<Series> lines, IEnumerable<HtmlText> plots)
    {
        HtmlText[] drawn = plots.ToArray();
        return drawn.Length == 0 ? null : new HtmlText($"<figure class=\"chart\"><figcaption>{chart.Title} <small>{About(chart)}</small></figcaption>\n{LinePlot.Legend(lines)}<div class=\"plots\">")
            .AddEach(drawn, static plot => $"{plot}")
            .Add($"</div></figure>\n");
    }

    private static string About(Chart chart) => string.Join("; ", (string[])
    [
        .. chart.Logarithmic ? ["logarithmic"] : Array.Empty<string>(),
        .. chart.Kind == ChartKind.Curve ? ["a hollow point did not hold"] : Array.Empty<string>(),
        .. chart.Kind == ChartKind.Percentiles ? ["less is better"] : Array.Empty<string>(),
    ]);

    private static Series Line(CaseRow row, int[] indices) => new(
        row.Published ? $"published: {row.Subject}" : Label(row.Subject, row.Valid),
        row.Subject,
        row.Published,
        indices.Select((index, place) => (Range: row.Figures[index], X: place + 0.5))
            .Where(static point => point.Range is not null)
            .Select(static point => new SeriesPoint(point.X, point.Range!.Value))
            .ToArray());

    private static string Label(string subject, bool valid) => valid ? subject : $"{subject} {SuiteText.Mark}";

    // Of the first round that counts and has it: lines over time have no median.
    private static Series Line(string label, RunResult run, string list, string xKey, string yKey)
    {
        JsonArray? items = run.Counted.Select(round => round.Report?[list] as JsonArray).FirstOrDefault(static found => found is { Count: > 0 });
        return new Series(label, run.Run.Subject, Published: false, (items ?? [])
            .OfType<JsonObject>()
            .Select(item => (X: Number(item, xKey) * KeyText.Scale(xKey), Y: Number(item, yKey) * KeyText.Scale(yKey), Held: item["held"]?.ToJsonString() != "false"))
            .Where(static point => point is { X: not null, Y: not null })
            .Select(static point => new SeriesPoint(point.X!.Value, point.Y!.Value, !point.Held))
            .OrderBy(static point => point.X) // a search goes back and forth
            .ToArray());
    }

    private static double? Number(JsonObject item, string path)
    {
        JsonNode? node = item;
        foreach (string key in path.Split('.'))
        {
            node = (node as JsonObject)?[key];
        }

        return node is JsonValue value && value.TryGetValue(out double number) ? number : null;
    }

    private static Axis VerticalAxis(IEnumerable<Series> lines, bool logarithmic) =>
        Axis.For(lines.SelectMany(static line => line.Points).SelectMany(static point => (double[])[point.Y.Min, point.Y.Max]), logarithmic);

    private static Axis HorizontalAxis(IEnumerable<Series> lines) =>
        Axis.For(lines.SelectMany(static line => line.Points).Select(static point => point.X), logarithmic: false);
}
