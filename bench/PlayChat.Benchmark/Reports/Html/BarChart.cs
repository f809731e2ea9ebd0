using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>One figure by case: a bar for each server with its name and its value beside it, and the range as a whisker.</summary>
/// <remarks>A logarithmic axis has points instead of bars, because the length of a bar would mean nothing there.</remarks>
internal static class BarChart
{
    // Below a thirtieth of the axis a bar is too short to read, so the chart becomes logarithmic.
    private const double MaxLinearSpread = 30;

    /// <summary>Draws the chart; <see langword="null"/> when no run has the figure.</summary>
    public static HtmlText? Draw(Chart chart, ExperimentResult result)
    {
        int index = result.Experiment.Figures.ToList().FindIndex(figure => figure.Key == chart.Keys[0]);
        if (index < 0)
        {
            return null;
        }

        Figure figure = result.Experiment.Figures[index];
        CaseRow[] rows = CaseRow.Of(result).Where(row => row.Figures[index] is not null).ToArray();
        if (rows.Length == 0)
        {
            return null;
        }

        var axis = Axis.For(
            rows.SelectMany(row => (double[])[row.Figures[index]!.Value.Min, row.Figures[index]!.Value.Max]),
            chart.Logarithmic || Spread(rows.Select(row => (row.Case, row.Figures[index]!.Value.Median))) > MaxLinearSpread);
        string unit = figure.Unit.Length == 0 || FigureText.IsTime(figure.Unit) ? figure.Title : $"{figure.Title}, {figure.Unit}";
        string direction = figure.Better == Better.Higher ? "more is better" : "less is better";
        var html = new HtmlText($"<figure class=\"chart\"><figcaption>{chart.Title} ");
        html.Add($"<small>{unit}; {direction}{(axis.Logarithmic ? "; logarithmic" : string.Empty)}</small></figcaption>\n");
        html.Add($"<div class=\"bars\"><div class=\"scale\"><span></span><div class=\"ticks\">");
        html.AddEach(axis.Ticks, tick => $"<i style=\"left:{axis.At(tick):0.##}%\">{FigureText.OnAxis(tick, figure.Unit)}</i>");
        html.Add($"</div><span></span></div>\n");
        foreach (IGrouping<string, CaseRow> group in rows.GroupBy(static row => row.Case, StringComparer.Ordinal))
        {
            html.Add($"<h4>{group.Key}</h4>\n");
            html.AddEach(group, row => $"{Row(row, row.Figures[index]!.Value, figure, axis)}");
        }

        return html.Add($"</div></figure>\n");
    }

    private static double Spread(IEnumerable<(string Case, double Value)> bars)
    {
        double[] longest = bars
            .GroupBy(static bar => bar.Case, static bar => bar.Value, StringComparer.Ordinal)
            .Select(static values => values.Max())
            .Where(static value => value > 0)
            .ToArray();
        return longest.Length == 0 ? 1 : longest.Max() / longest.Min();
    }

    private static HtmlText Row(CaseRow row, FigureRange range, Figure figure, Axis axis)
    {
        string style = Palette.Class(row.Subject, row.Published);
        string name = TableText.Name(row);
        double at = axis.At(range.Median);
        var html = new HtmlText($"<div class=\"bar {style}\"><span class=\"name\">{name}</span><svg>");
        html.Add($"<title>{name}, {row.Case}: {FigureText.Format(range.Median, figure.Unit)}</title>");
        html.AddEach(axis.Ticks, tick => $"<line class=\"grid\" x1=\"{axis.At(tick):0.##}%\" x2=\"{axis.At(tick):0.##}%\" y2=\"100%\"/>");
        if (axis.Logarithmic)
        {
            html.Add($"<line class=\"lead\" x2=\"{at:0.##}%\" y1=\"50%\" y2=\"50%\"/>");
            html.Add($"<svg x=\"{at:0.##}%\" y=\"50%\" overflow=\"visible\">");
            html.Add($"<path class=\"mark\" d=\"{Palette.Marker(row.Subject, row.Published)}\"/></svg>");
        }
        else
        {
            html.Add($"<rect class=\"fill\" y=\"15%\" height=\"70%\" width=\"{at:0.##}%\"/>");
        }

        if (!range.Min.Equals(range.Max))
        {
            double from = axis.At(range.Min);
            double to = axis.At(range.Max);
            html.Add($"<line class=\"whisker\" x1=\"{from:0.##}%\" x2=\"{to:0.##}%\" y1=\"50%\" y2=\"50%\"/>");
            html.AddEach(
                (double[])[from, to], end => $"<line class=\"whisker\" x1=\"{end:0.##}%\" x2=\"{end:0.##}%\" y1=\"30%\" y2=\"70%\"/>");
        }

        string mark = row.Valid ? string.Empty : SuiteText.Mark + " ";
        return html.Add($"</svg><span class=\"value\">{mark}{FigureText.InColumn(range.Median, figure.Unit)}</span></div>\n");
    }
}
