using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Every experiment's main figure beside every other server: a point for each case, right of the middle where PlayChat is ahead.</summary>
internal static class GlanceChart
{
    private const double Widest = 32;

    public static HtmlText? Draw(IReadOnlyList<ExperimentResult> results)
    {
        (Experiment Experiment, Ratio Ratio)[] ratios = SuiteText.MainRatios(results).Where(static pair => pair.Ratio.Standing != Standing.NotValid).ToArray();
        if (ratios.Length == 0)
        {
            return null;
        }

        double span = 2;
        double furthest = ratios.Max(static pair => Math.Max(pair.Ratio.Gain.Max, 1 / pair.Ratio.Gain.Min));
        while (span < furthest && span < Widest)
        {
            span *= 2;
        }

        var axis = Axis.Between(1 / span, span, logarithmic: true, Ticks(span).ToArray());
        var html = new HtmlText($"""
            <figure class="chart glance"><figcaption>PlayChat beside the other servers, on this machine <small>each experiment's main figure, a point for each case; logarithmic</small></figcaption>
            <div class="bars"><div class="scale"><span></span><div class="ticks"><b class="left">◀ behind</b><b class="right">ahead ▶</b></div><span></span></div>
            <div class="scale"><span></span><div class="ticks">
            """);
        html.AddEach(axis.Ticks, tick => $"<i style=\"left:{axis.At(tick):0.##}%\">{TickText(tick)}</i>");
        html.Add($"</div><span></span></div>\n");
        foreach (IGrouping<Experiment, (Experiment Experiment, Ratio Ratio)> experiment in ratios.GroupBy(static pair => pair.Experiment))
        {
            html.Add($"<h4><a href=\"#{experiment.Key.Name}\">{experiment.Key.Title}</a> <small>{experiment.Key.Figures[0].Title}</small></h4>\n");
            html.AddEach(experiment.GroupBy(static pair => pair.Ratio.Against, StringComparer.Ordinal), group => $"{Row(group.Key, group.Select(static pair => pair.Ratio).ToArray(), axis)}");
        }

        return html.Add($"</div></figure>\n");
    }

    private static HtmlText Row(string against, Ratio[] ratios, Axis axis)
    {
        var html = new HtmlText($"<div class=\"bar {Palette.Class(against, published: false)}\"><span class=\"name\">{against}</span><svg>");
        html.AddEach(axis.Ticks, tick => $"<line class=\"{(tick.Equals(1) ? "middle" : "grid")}\" x1=\"{axis.At(tick):0.##}%\" x2=\"{axis.At(tick):0.##}%\" y2=\"100%\"/>");
        foreach (Ratio ratio in ratios)
        {
            FigureRange gain = ratio.Gain;
            html.Add($"<line class=\"whisker\" x1=\"{axis.At(gain.Min):0.##}%\" x2=\"{axis.At(gain.Max):0.##}%\" y1=\"50%\" y2=\"50%\"/>");
            html.Add($"<svg x=\"{axis.At(gain.Median):0.##}%\" y=\"50%\" overflow=\"visible\"><path class=\"mark\" d=\"{Palette.Marker(against, published: false)}\"><title>{ratio.Case}: {FigureText.Times(gain.Median)} as good</title></path></svg>");
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
