using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Lines over two axes.</summary>
/// <remarks>All positions are percentages and all texts are HTML, so a plot takes any width without scaling its letters.</remarks>
internal static class LinePlot
{
    // More markers than this would hide their line.
    private const int MaxMarkedPoints = 40;

    /// <summary>Draws a plot.</summary>
    /// <param name="heading">Its case, where several plots are side by side; may be empty.</param>
    /// <param name="x">The horizontal axis.</param>
    /// <param name="tickText">The label of a tick on that axis.</param>
    /// <param name="xTitle">The text under that axis; may be empty.</param>
    /// <param name="y">The vertical axis.</param>
    /// <param name="yTitle">The text above that axis; may be empty.</param>
    /// <param name="series">The lines.</param>
    /// <param name="yText">The label of a tick on the vertical axis; <see cref="FigureText.Short"/> by default.</param>
    /// <param name="joins">Whether a line joins the points of a series. Not where they are different figures.</param>
    public static HtmlText Draw(
        string heading,
        Axis x,
        Func<double, string> tickText,
        string xTitle,
        Axis y,
        string yTitle,
        IReadOnlyList<Series> series,
        Func<double, string>? yText = null,
        bool joins = true)
    {
        yText ??= FigureText.Short;
        var html = new HtmlText($"<div class=\"plot\">");
        if (heading.Length > 0)
        {
            html.Add($"<h4>{heading}</h4>");
        }

        html.Add($"<div class=\"ytitle\">{yTitle}</div><div class=\"yaxis\">");
        html.AddEach(y.Ticks, tick => $"<i style=\"bottom:{y.At(tick):0.##}%\">{yText(tick)}</i>");
        html.Add($"</div><svg class=\"area\" role=\"img\" aria-label=\"{Describe(heading, yTitle, series)}\">");
        html.AddEach(
            y.Ticks, tick => $"<line class=\"grid\" x2=\"100%\" y1=\"{100 - y.At(tick):0.##}%\" y2=\"{100 - y.At(tick):0.##}%\"/>");

        // SVG draws in order: published lines first, PlayChat's own line last and so on top.
        foreach (Series line in series
            .OrderByDescending(static line => line.Published)
            .ThenBy(static line => line.Subject == ExperimentRun.Ours))
        {
            Draw(html, line, x, y, yText, joins);
        }

        html.Add($"</svg><div class=\"xaxis\">");
        html.AddEach(x.Ticks, tick => $"<i style=\"left:{x.At(tick):0.##}%\">{tickText(tick)}</i>");
        html.Add($"</div>");
        if (xTitle.Length > 0)
        {
            html.Add($"<div class=\"xtitle\">{xTitle}</div>");
        }

        return html.Add($"</div>\n");
    }

    /// <summary>Draws the legend of several plots, with each line once.</summary>
    public static HtmlText Legend(IEnumerable<Series> series)
    {
        var html = new HtmlText($"<ul class=\"legend\">");
        foreach (Series line in series.DistinctBy(static line => line.Label, StringComparer.Ordinal))
        {
            html.Add($"<li class=\"{Palette.Class(line.Subject, line.Published)}\"><svg width=\"34\" height=\"14\">");
            html.Add($"<line class=\"stroke\" x1=\"1\" x2=\"33\" y1=\"7\" y2=\"7\"/>");
            html.Add($"<path class=\"mark\" transform=\"translate(17 7)\" d=\"{Palette.Marker(line.Subject, line.Published)}\"/>");
            html.Add($"</svg>{line.Label}</li>");
        }

        return html.Add($"</ul>\n");
    }

    private static void Draw(HtmlText html, Series line, Axis x, Axis y, Func<double, string> yText, bool joins)
    {
        html.Add($"<g class=\"{Palette.Class(line.Subject, line.Published)}\">");
        if (joins)
        {
            Join(html, line, x, y);
        }

        foreach (SeriesPoint point in line.Points.Count <= MaxMarkedPoints ? line.Points : [])
        {
            Draw(html, line, point, x, y, yText);
        }

        html.Add($"</g>");
    }

    private static void Join(HtmlText html, Series line, Axis x, Axis y)
    {
        html.Add($"<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" overflow=\"visible\"><polyline class=\"stroke\" points=\"");
        html.AddEach(line.Points.Where(static point => !point.Failed), point => $"{x.At(point.X):0.##},{100 - y.At(point.Y.Median):0.##} ");
        html.Add($"\"/></svg>");
    }

    private static void Draw(HtmlText html, Series line, SeriesPoint point, Axis x, Axis y, Func<double, string> yText)
    {
        double left = x.At(point.X);
        if (!point.Y.Min.Equals(point.Y.Max))
        {
            html.Add($"<line class=\"whisker\" x1=\"{left:0.##}%\" x2=\"{left:0.##}%\" ");
            html.Add($"y1=\"{100 - y.At(point.Y.Min):0.##}%\" y2=\"{100 - y.At(point.Y.Max):0.##}%\"/>");
        }

        string style = point.Failed ? "mark failed" : "mark";
        html.Add($"<svg x=\"{left:0.##}%\" y=\"{100 - y.At(point.Y.Median):0.##}%\" overflow=\"visible\">");
        html.Add($"<path class=\"{style}\" d=\"{Palette.Marker(line.Subject, line.Published)}\">");
        html.Add($"<title>{line.Label}: {yText(point.Y.Median)}</title></path></svg>");
    }

    private static string Describe(string heading, string yTitle, IReadOnlyList<Series> series) =>
        $"{heading} {yTitle}: {string.Join("; ", series.Select(Describe))}".Trim();

    private static string Describe(Series line) =>
        $"{line.Label} from {FigureText.Number(line.Points[0].Y.Median)} to {FigureText.Number(line.Points[^1].Y.Median)}";
}
