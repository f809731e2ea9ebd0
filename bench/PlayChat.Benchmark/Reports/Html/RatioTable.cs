using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>PlayChat's figures divided by those of each other server.</summary>
internal static class RatioTable
{
    /// <summary>Draws the table; empty when no other server was measured.</summary>
    public static HtmlText Draw(ExperimentResult result)
    {
        IReadOnlyList<Ratio> ratios = Ratio.Of(result);
        var html = new HtmlText();
        if (ratios.Count == 0)
        {
            return html;
        }

        html.Add($"<div class=\"scroll\"><table>\n<caption>PlayChat divided by the other server, in the same round: ");
        html.Add($"<span class=\"ahead\">▲ ahead</span>, <span class=\"behind\">▼ behind</span>, ≈ neither</caption>\n");
        html.Add($"<thead><tr><th scope=\"col\">case</th><th scope=\"col\">against</th>");
        IReadOnlyList<Figure> figures = result.Experiment.Figures;
        html.AddEach(figures, static figure => $"<th scope=\"col\">{figure.Title}<small>{Direction(figure)}</small></th>");
        html.Add($"</tr></thead>\n");
        html.AddEach(ratios.GroupBy(static ratio => ratio.Case, StringComparer.Ordinal), group => $"{Body(group, figures)}");
        return html.Add($"</table></div>\n");
    }

    private static HtmlText Body(IGrouping<string, Ratio> ratios, IReadOnlyList<Figure> figures)
    {
        IGrouping<string, Ratio>[] others = ratios.GroupBy(static ratio => ratio.Against, StringComparer.Ordinal).ToArray();
        var html = new HtmlText($"<tbody>\n");
        for (int i = 0; i < others.Length; i++)
        {
            IGrouping<string, Ratio> other = others[i];
            html.Add($"<tr class=\"{Palette.Class(other.Key, published: false)}\">");
            if (i == 0)
            {
                html.Add($"<th scope=\"rowgroup\" rowspan=\"{others.Length}\">{ratios.Key}</th>");
            }

            html.Add($"<th scope=\"row\"><span class=\"swatch\"></span>{other.Key}</th>");
            html.AddEach(figures, figure => $"{Cell(other.FirstOrDefault(ratio => ratio.Figure == figure))}");
            html.Add($"</tr>\n");
        }

        return html.Add($"</tbody>\n");
    }

    private static HtmlText Cell(Ratio? ratio)
    {
        if (ratio is null)
        {
            return new HtmlText($"<td>–</td>");
        }

        // PlayChat is never ahead of itself: another setting of it is only compared.
        var html = Subjects.IsOurs(ratio.Against) && ratio.Standing != Standing.NotValid
            ? new HtmlText($"<td>")
            : new HtmlText($"<td class=\"{TableText.Class(ratio.Standing)}\">{TableText.Sign(ratio.Standing)} ");
        return html.Add($"{FigureText.Times(ratio.Range.Median)}{TableText.Range(ratio.Range, FigureText.Times)}</td>");
    }

    private static string Direction(Figure figure) => figure.Better == Better.Higher ? "over 1 is ahead" : "under 1 is ahead";
}
