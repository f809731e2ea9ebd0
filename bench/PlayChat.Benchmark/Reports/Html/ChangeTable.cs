using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Every figure in the earlier report and in this one.</summary>
internal static class ChangeTable
{
    /// <summary>Draws the table.</summary>
    public static HtmlText Draw(Comparison comparison)
    {
        var html = new HtmlText($"<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">where</th><th scope=\"col\">figure</th>");
        html.Add($"<th scope=\"col\">earlier</th><th scope=\"col\">now</th><th scope=\"col\">change</th></tr></thead>\n<tbody>\n");
        html.AddEach(comparison.Changes, static change => $"{Row(change)}");
        html.Add($"</tbody></table></div>\n");
        return html.Add($"<p class=\"source\">▲ better, ▼ worse; ≈ where the ranges of both overlap.</p>\n");
    }

    private static HtmlText Row(Change change)
    {
        var html = new HtmlText($"<tr><th scope=\"row\">{change.Where}</th><td>{change.Key}</td>");
        html.Add($"<td>{FigureText.Format(change.Earlier, change.Unit)}</td><td>{FigureText.Format(change.Now, change.Unit)}</td>");
        html.Add($"<td class=\"{TableText.Class(change.Standing)}\">{TableText.Sign(change.Standing)} ");
        return html.Add($"{FigureText.PercentChange(change.Earlier, change.Now)}</td></tr>\n");
    }
}
