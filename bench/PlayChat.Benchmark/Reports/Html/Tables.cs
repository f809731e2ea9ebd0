using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>The report's tables.</summary>
internal static class Tables
{
    // More figures than these are rows of a table for each case.
    private const int MaxColumns = 8;

    /// <summary>Every figure of every run, and what was published; the best of those that were measured here is bold.</summary>
    public static HtmlText Figures(ExperimentResult result) =>
        result.Experiment.Figures.Count > MaxColumns ? FiguresByCase(result) : FiguresInOne(result);

    private static HtmlText FiguresByCase(ExperimentResult result)
    {
        var html = new HtmlText($"<h3>Figures</h3>\n<div class=\"tables\">");
        foreach (IGrouping<string, CaseRow> group in CaseRow.Of(result).GroupBy(static row => row.Case, StringComparer.Ordinal))
        {
            CaseRow[] rows = group.ToArray();
            html.Add($"<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">{group.Key}</th>");
            html.AddEach(rows, static row => $"<th scope=\"col\" class=\"{Palette.Class(row.Subject, row.Published)}\"><span class=\"swatch\"></span>{Name(row)}</th>");
            html.Add($"</tr></thead>\n<tbody>\n");
            for (int k = 0; k < result.Experiment.Figures.Count; k++)
            {
                Figure figure = result.Experiment.Figures[k];
                int index = k;
                if (rows.Any(row => row.Figures[index] is not null))
                {
                    html.Add($"<tr><th scope=\"row\">{SuiteText.Heading(figure)}</th>");
                    html.AddEach(rows, row => $"<td class=\"{(IsBest(rows, row, figure, index) ? "best" : row.Published ? "pub" : string.Empty)}\">{Cell(row, index)}</td>");
                    html.Add($"</tr>\n");
                }
            }

            html.Add($"</tbody>\n</table></div>\n");
        }

        return html.Add($"</div>\n");
    }

    private static HtmlText FiguresInOne(ExperimentResult result)
    {
        IReadOnlyList<Figure> figures = result.Experiment.Figures;
        var html = new HtmlText($"<div class=\"scroll\"><table>\n<caption>Figures</caption>\n<thead><tr><th scope=\"col\">case</th><th scope=\"col\">server</th>");
        html.AddEach(figures, static figure => $"<th scope=\"col\">{figure.Title}{Unit(figure)}</th>").Add($"</tr></thead>\n");
        foreach (IGrouping<string, CaseRow> group in CaseRow.Of(result).GroupBy(static row => row.Case, StringComparer.Ordinal))
        {
            CaseRow[] rows = group.ToArray();
            html.Add($"<tbody>\n");
            for (int i = 0; i < rows.Length; i++)
            {
                CaseRow row = rows[i];
                html.Add($"<tr class=\"{Palette.Class(row.Subject, row.Published)}\">");
                if (i == 0)
                {
                    html.Add($"<th scope=\"rowgroup\" rowspan=\"{rows.Length}\">{group.Key}</th>");
                }

                html.Add($"<th scope=\"row\"><span class=\"swatch\"></span>{Name(row)}</th>");
                html.AddEach(figures.Select((_, k) => k), k => $"<td class=\"{(IsBest(rows, row, figures[k], k) ? "best" : string.Empty)}\">{Cell(row, k)}</td>");
                html.Add($"</tr>\n");
            }

            html.Add($"</tbody>\n");
        }

        return html.Add($"</table></div>\n");
    }

    /// <summary>PlayChat by each other server; empty where there is none.</summary>
    public static HtmlText Ratios(ExperimentResult result)
    {
        IReadOnlyList<Ratio> ratios = Ratio.Of(result);
        var html = new HtmlText();
        if (ratios.Count == 0)
        {
            return html;
        }

        html.Add($"<div class=\"scroll\"><table>\n<caption>PlayChat divided by the other server, in the same round: <span class=\"ahead\">▲ ahead</span>, <span class=\"behind\">▼ behind</span>, ≈ neither</caption>\n<thead><tr><th scope=\"col\">case</th><th scope=\"col\">against</th>");
        html.AddEach(result.Experiment.Figures, static figure => $"<th scope=\"col\">{figure.Title}<small>{(figure.Better == Better.Higher ? "over 1 is ahead" : "under 1 is ahead")}</small></th>");
        html.Add($"</tr></thead>\n");
        foreach (IGrouping<string, Ratio> group in ratios.GroupBy(static ratio => ratio.Case, StringComparer.Ordinal))
        {
            IGrouping<string, Ratio>[] others = group.GroupBy(static ratio => ratio.Against, StringComparer.Ordinal).ToArray();
            html.Add($"<tbody>\n");
            for (int i = 0; i < others.Length; i++)
            {
                html.Add($"<tr class=\"{Palette.Class(others[i].Key, published: false)}\">");
                if (i == 0)
                {
                    html.Add($"<th scope=\"rowgroup\" rowspan=\"{others.Length}\">{group.Key}</th>");
                }

                html.Add($"<th scope=\"row\"><span class=\"swatch\"></span>{others[i].Key}</th>");
                html.AddEach(result.Experiment.Figures, figure => $"{Cell(others[i].FirstOrDefault(ratio => ratio.Figure == figure))}");
                html.Add($"</tr>\n");
            }

            html.Add($"</tbody>\n");
        }

        return html.Add($"</table></div>\n");
    }

    /// <summary>Every figure then and now.</summary>
    public static HtmlText Changes(Comparison comparison)
    {
        var html = new HtmlText($"<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">where</th><th scope=\"col\">figure</th><th scope=\"col\">earlier</th><th scope=\"col\">now</th><th scope=\"col\">change</th></tr></thead>\n<tbody>\n");
        html.AddEach(comparison.Changes, static change =>
            $"<tr><th scope=\"row\">{change.Where}</th><td>{change.Key}</td><td>{FigureText.Format(change.Earlier, change.Unit)}</td><td>{FigureText.Format(change.Now, change.Unit)}</td><td class=\"{Class(change.Standing)}\">{Sign(change.Standing)} {FigureText.Change(change.Earlier, change.Now)}</td></tr>\n");
        return html.Add($"</tbody></table></div>\n<p class=\"source\">▲ better, ▼ worse; ≈ where the ranges of both overlap.</p>\n");
    }

    private static string Name(CaseRow row) => row.Published ? $"published: {row.Subject}" : row.Subject;

    private static HtmlText Cell(Ratio? ratio) => ratio is null
        ? new HtmlText($"<td>–</td>")
        : new HtmlText($"<td class=\"{Class(ratio.Standing)}\">{Sign(ratio.Standing)} {FigureText.Times(ratio.Range.Median)}{Range(ratio.Range, FigureText.Times)}</td>");

    private static HtmlText Cell(CaseRow row, int index) => row.Figures[index] is { } known
        ? new HtmlText($"{(row.Valid ? string.Empty : SuiteText.Mark + " ")}{FigureText.Number(known.Median)}{Range(known, FigureText.Number)}")
        : new HtmlText($"–");

    private static HtmlText Range(FigureRange range, Func<double, string> format) => format(range.Min) == format(range.Max)
        ? new HtmlText()
        : new HtmlText($"<small>{format(range.Min)}–{format(range.Max)}</small>");

    private static HtmlText Unit(Figure figure) => figure.Unit.Length == 0 ? new HtmlText() : new HtmlText($"<small>{figure.Unit}</small>");

    private static bool IsBest(CaseRow[] rows, CaseRow row, Figure figure, int index)
    {
        double[] measured = rows.Where(other => other is { Published: false, Valid: true } && other.Figures[index] is not null).Select(other => other.Figures[index]!.Value.Median).ToArray();
        return row is { Published: false, Valid: true } && measured.Length > 1 && measured.Min() < measured.Max()
            && row.Figures[index] is { } range && range.Median.Equals(figure.Better == Better.Higher ? measured.Max() : measured.Min());
    }

    private static string Class(Standing standing) => standing.ToString().ToLowerInvariant();

    private static string Sign(Standing standing) => standing switch
    {
        Standing.Ahead => "▲",
        Standing.Behind => "▼",
        Standing.NotValid => SuiteText.Mark,
        _ => "≈",
    };
}
