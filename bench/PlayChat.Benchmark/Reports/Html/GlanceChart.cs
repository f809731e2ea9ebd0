using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Each experiment's main figure against each other server: one point per case, on the right where PlayChat is ahead.</summary>
internal static class GlanceChart
{
    private const double Widest = 32;

    /// <summary>Draws the chart; <see langword="null"/> when nothing was compared.</summary>
    public static HtmlText? Draw(IReadOnlyList<ExperimentResult> results)
    {
        (Experiment Experiment, Ratio Ratio)[] ratios = SuiteText.MainRatios(results)
            .Where(static pair => pair.Ratio.Standing != Standing.NotValid)
            .ToArray();
        if (ratios.Length == 0)
        {
            return null;
        }

        Axis axis = AxisFor(ratios.Max(static pair => Math.Max(pair.Ratio.Gain.Max, 1 / pair.Ratio.Gain.Min)));
        var html = new HtmlText($"<figure class=\"chart glance\"><figcaption>PlayChat beside the other servers, on this machine ");
        html.Add($"<small>each experiment's main figure, a point for each case; logarithmic</small></figcaption>\n");
        html.Add($"<div class=\"bars\"><div class=\"scale\"><span></span><div class=\"ticks\"><b class=\"left\">◀ behind</b>");
        html.Add($"<b class=\"right\">ahead ▶</b></div><span></span></div>\n<div class=\"scale\"><span></span><div class=\"ticks\">");
        html.AddEach(axis.Ticks, tick => $"<i style=\"left:{axis.At(tick):0.##}%\">{TickText(tick)}</i>");
        html.Add($"</div><span></span></div>\n");
        foreach (IGrouping<Experiment, (Experiment Experiment, Ratio Ratio)> experiment in ratios.GroupBy(static pair => pair.Experiment))
        {
            html.Add($"<h4><a href=\"#{experiment.Key.Name}\">{experiment.Key.Title}</a> ");
            html.Add($"<small>{experiment.Key.Figures[0].Title}</small></h4>\n");
            html.AddEach(
                experiment.Select(static pair => pair.Ratio).GroupBy(static ratio => ratio.Against, StringComparer.Ordinal),
                group => $"{Row(group.Key, group.ToArray(), axis)}");
        }

        return html.Add($"</div></figure>\n");
    }

    private static Axis AxisFor(double furthest)
    {
        double span = 2;
        while (span < furthest && span < Widest)
        {
            span *= 2;
        }

        return Axis.Between(1 / span, span, logarithmic: true, Ticks(span).ToArray());
    }

    private static HtmlText Row(string against, Ratio[] ratios, Axis axis)
    {
        string server = Palette.Class(against, published: false);
        var html = new HtmlText($"<div class=\"bar {server}\"><span class=\"name\">{against}</span><svg>");
        foreach (double tick in axis.Ticks)
        {
            string style = tick.Equals(1) ? "middle" : "grid";
            html.Add($"<line class=\"{style}\" x1=\"{axis.At(tick):0.##}%\" x2=\"{axis.At(tick):0.##}%\" y2=\"100%\"/>");
        }

        foreach (Ratio ratio in ratios)
        {
            FigureRange gain = ratio.Gain;
            html.Add($"<line class=\"whisker\" x1=\"{axis.At(gain.Min):0.##}%\" x2=\"{axis.At(gain.Max):0.##}%\" y1=\"50%\" y2=\"50%\"/>");
            html.Add($"<svg x=\"{axis.At(gain.Median):0.##}%\" y=\"50%\" overflow=\"visible\">");
            html.Add($"<path class=\"mark\" d=\"{Palette.Marker(against, published: false)}\">");
            html.Add($"<title>{ratio.Case}: {FigureText.Times(gain.Median)} as good</title></path></svg>");
        }

        double least = ratios.Min(static ratio => ratio.Gain.Median);
        double most = ratios.Max(static ratio => ratio.Gain.Median);
        string value = ratios.Length == 1 ? FigureText.Times(most) : $"{FigureText.Times(least)} – {FigureText.Times(most)}";
        return html.Add($"</svg><span class=\"value\">{value}</span></div>\n");
    }

    private static IEnumerable<double> Ticks(double span)
    {
        double factor = span > 8 ? 4 : 2;
        int count = (int)(Math.Log(span * 1.001) / Math.Log(factor));
        return Enumerable.Range(-count, (2 * count) + 1).Select(power => Math.Pow(factor, power));
    }

    private static string TickText(double tick) => tick switch
    {
        1 => "same",
        > 1 => $"{FigureText.Number(tick)}×",
        _ => $"1/{FigureText.Number(1 / tick)}",
    };
}
