using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Every figure of every run beside the published ones. The best of the figures measured here is bold.</summary>
internal static class FigureTables
{
    // A wider table does not fit a page, so an experiment with more figures gets one table per case, with the figures as rows.
    private const int MaxColumns = 8;

    /// <summary>Draws the tables of one experiment.</summary>
    public static HtmlText Draw(ExperimentResult result) =>
        result.Experiment.Figures.Count > MaxColumns ? DrawByCase(result) : DrawInOne(result);

    private static HtmlText DrawByCase(ExperimentResult result)
    {
        var html = new HtmlText($"<h3>Figures</h3>\n<div class=\"tables\">");
        html.AddEach(Cases(result), group => $"{CaseTable(group.Key, group.ToArray(), result.Experiment.Figures)}");
        return html.Add($"</div>\n");
    }

    private static HtmlText CaseTable(string name, CaseRow[] rows, IReadOnlyList<Figure> figures)
    {
        var html = new HtmlText($"<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">{name}</th>");
        html.AddEach(
            rows, static row => $"<th scope=\"col\" class=\"{Class(row)}\"><span class=\"swatch\"></span>{TableText.Name(row)}</th>");
        html.Add($"</tr></thead>\n<tbody>\n");
        for (int k = 0; k < figures.Count; k++)
        {
            int index = k;
            if (Array.Exists(rows, row => row.Figures[index] is not null))
            {
                Figure figure = figures[index];
                html.Add($"<tr><th scope=\"row\">{figure.Title}{Unit(figure)}</th>");
                html.AddEach(rows, row => $"<td class=\"{CellClass(rows, row, figure, index)}\">{Cell(row, figure, index)}</td>");
                html.Add($"</tr>\n");
            }
        }

        return html.Add($"</tbody>\n</table></div>\n");
    }

    private static HtmlText DrawInOne(ExperimentResult result)
    {
        IReadOnlyList<Figure> figures = result.Experiment.Figures;
        var html = new HtmlText($"<div class=\"scroll\"><table>\n<caption>Figures</caption>\n");
        html.Add($"<thead><tr><th scope=\"col\">case</th><th scope=\"col\">server</th>");
        html.AddEach(figures, static figure => $"<th scope=\"col\">{figure.Title}{Unit(figure)}</th>").Add($"</tr></thead>\n");
        html.AddEach(Cases(result), group => $"{CaseRows(group.Key, group.ToArray(), figures)}");
        return html.Add($"</table></div>\n");
    }

    private static HtmlText CaseRows(string name, CaseRow[] rows, IReadOnlyList<Figure> figures)
    {
        var html = new HtmlText($"<tbody>\n");
        for (int i = 0; i < rows.Length; i++)
        {
            CaseRow row = rows[i];
            html.Add($"<tr class=\"{Class(row)}\">");
            if (i == 0)
            {
                html.Add($"<th scope=\"rowgroup\" rowspan=\"{rows.Length}\">{name}</th>");
            }

            html.Add($"<th scope=\"row\"><span class=\"swatch\"></span>{TableText.Name(row)}</th>");
            html.AddEach(
                figures.Select((_, k) => k),
                k => $"<td class=\"{(IsBest(rows, row, figures[k], k) ? "best" : string.Empty)}\">{Cell(row, figures[k], k)}</td>");
            html.Add($"</tr>\n");
        }

        return html.Add($"</tbody>\n");
    }

    private static IEnumerable<IGrouping<string, CaseRow>> Cases(ExperimentResult result) =>
        CaseRow.Of(result).GroupBy(static row => row.Case, StringComparer.Ordinal);

    private static string Class(CaseRow row) => Palette.Class(row.Subject, row.Published);

    private static string CellClass(CaseRow[] rows, CaseRow row, Figure figure, int index) =>
        IsBest(rows, row, figure, index) ? "best" : row.Published ? "pub" : string.Empty;

    private static HtmlText Cell(CaseRow row, Figure figure, int index)
    {
        if (row.Figures[index] is not { } known)
        {
            return new HtmlText($"–");
        }

        if (row.Published)
        {
            return new HtmlText($"{FigureText.ExactInColumn(known.Median, figure.Unit)}");
        }

        string mark = row.Valid ? string.Empty : SuiteText.Mark + " ";
        return new HtmlText($"{mark}{Text(known.Median)}{TableText.Range(known, Text)}");

        string Text(double value) => FigureText.InColumn(value, figure.Unit);
    }

    private static HtmlText Unit(Figure figure) => figure.Unit.Length == 0 || FigureText.IsTime(figure.Unit)
        ? new HtmlText()
        : new HtmlText($"<small>{figure.Unit}</small>");

    private static bool IsBest(CaseRow[] rows, CaseRow row, Figure figure, int index)
    {
        if (!Competes(row) || row.Figures[index] is not { } range)
        {
            return false;
        }

        double[] measured = rows.Where(Competes).Select(other => other.Figures[index]?.Median).OfType<double>().ToArray();
        return measured.Length > 1
            && measured.Min() < measured.Max()
            && range.Median.Equals(figure.Better == Better.Higher ? measured.Max() : measured.Min());
    }

    private static bool Competes(CaseRow row) => row is { Published: false, Valid: true };
}
