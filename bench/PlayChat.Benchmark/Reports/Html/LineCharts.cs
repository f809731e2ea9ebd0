using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>The charts made of lines: percentiles, figures over time, and one figure over another.</summary>
internal static class LineCharts
{
    // The part of a figure's width that its points take.
    private const double Spread = 0.6;

    /// <summary>Several figures of a case side by side, with a plot for each case.</summary>
    public static HtmlText? Percentiles(Chart chart, ExperimentResult result)
    {
        List<Figure> figures = result.Experiment.Figures.ToList();
        int[] indices = chart.Keys
            .Select(key => figures.FindIndex(figure => figure.Key == key))
            .Where(static index => index >= 0)
            .ToArray();
        if (indices.Length == 0)
        {
            return null;
        }

        (string Case, Series[] Lines)[] plots = CaseRow.Of(result)
            .GroupBy(static row => row.Case, StringComparer.Ordinal)
            .Select(group => (group.Key, Lines(PointsOf(group.ToArray(), indices), leastPoints: 2)))
            .Where(static plot => plot.Item2.Any(static line => !line.Published))
            .ToArray();
        double[] middles = Enumerable.Range(0, indices.Length).Select(static i => i + 0.5).ToArray();
        var x = Axis.Between(0, indices.Length, logarithmic: false, middles);
        string unit = figures[indices[0]].Unit;
        return Frame(chart, plots.SelectMany(static plot => plot.Lines), plots.Select(plot => LinePlot.Draw(
            plot.Case,
            x,
            tick => figures[indices[(int)tick]].Title,
            string.Empty,
            VerticalAxis(plot.Lines, chart.Logarithmic),
            FigureText.IsTime(unit) ? string.Empty : unit,
            plot.Lines,
            tick => FigureText.OnAxis(tick, unit),
            joins: false)));
    }

    /// <summary>Keys of the runs' intervals over time, with a plot for each case and key.</summary>
    public static HtmlText? Time(Chart chart, ExperimentResult result)
    {
        (string Case, string Key, Series[] Lines)[] plots = ByCase(result)
            .SelectMany(group => chart.Keys.Select(key => (
                group.Key, key, Lines(group.Select(run => ReportSeries.Of(run, "intervals", "at_s", key)), leastPoints: 2))))
            .Where(static plot => plot.Item3.Length > 0)
            .ToArray();
        return Frame(chart, plots.SelectMany(static plot => plot.Lines), plots.Select(plot => LinePlot.Draw(
            plot.Case,
            HorizontalAxis(plot.Lines),
            FigureText.Short,
            "seconds",
            VerticalAxis(plot.Lines, chart.Logarithmic),
            KeyText.Title(plot.Key),
            plot.Lines,
            tick => KeyText.OnAxis(plot.Key, tick))));
    }

    /// <summary>One figure over another in the steps of a search, with a plot for each case.</summary>
    public static HtmlText? Curve(Chart chart, ExperimentResult result)
    {
        (string Case, Series[] Lines)[] plots = ByCase(result)
            .Select(group => (
                group.Key, Lines(group.Select(run => ReportSeries.Of(run, "steps", chart.Keys[0], chart.Keys[1])), leastPoints: 1)))
            .Where(static plot => plot.Item2.Length > 0)
            .ToArray();
        return Frame(chart, plots.SelectMany(static plot => plot.Lines), plots.Select(plot => LinePlot.Draw(
            plot.Case,
            HorizontalAxis(plot.Lines),
            FigureText.Short,
            KeyText.Title(chart.Keys[0]),
            VerticalAxis(plot.Lines, chart.Logarithmic),
            KeyText.Title(chart.Keys[1]),
            plot.Lines,
            tick => KeyText.OnAxis(chart.Keys[1], tick))));
    }

    // Side by side, so that the points of one figure do not cover each other.
    private static IEnumerable<Series> PointsOf(CaseRow[] rows, int[] indices) =>
        rows.Select((row, i) => ReportSeries.Of(row, indices, ((i + 0.5) / rows.Length - 0.5) * Spread));

    private static HtmlText? Frame(Chart chart, IEnumerable<Series> lines, IEnumerable<HtmlText> plots)
    {
        HtmlText[] drawn = plots.ToArray();
        return drawn.Length == 0 ? null : new HtmlText($"<figure class=\"chart\"><figcaption>{chart.Title} ")
            .Add($"<small>{About(chart)}</small></figcaption>\n{LinePlot.Legend(lines)}<div class=\"plots\">")
            .AddEach(drawn, static plot => $"{plot}")
            .Add($"</div></figure>\n");
    }

    private static string About(Chart chart) => string.Join("; ", (string[])
    [
        .. chart.Logarithmic ? ["logarithmic"] : Array.Empty<string>(),
        .. chart.Kind == ChartKind.Curve ? ["a hollow point did not hold"] : Array.Empty<string>(),
        .. chart.Kind == ChartKind.Percentiles ? ["less is better"] : Array.Empty<string>(),
    ]);

    private static IEnumerable<IGrouping<string, RunResult>> ByCase(ExperimentResult result) =>
        result.Runs.GroupBy(static run => run.Run.Case, StringComparer.Ordinal);

    private static Series[] Lines(IEnumerable<Series> lines, int leastPoints) =>
        lines.Where(line => line.Points.Count >= leastPoints).ToArray();

    private static Axis VerticalAxis(IEnumerable<Series> lines, bool logarithmic) => Axis.For(
        lines.SelectMany(static line => line.Points).SelectMany(static point => (double[])[point.Y.Min, point.Y.Max]), logarithmic);

    private static Axis HorizontalAxis(IEnumerable<Series> lines) =>
        Axis.For(lines.SelectMany(static line => line.Points).Select(static point => point.X), logarithmic: false);
}
