using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>The table of a run's moments, published rows hatched.</summary>
internal static class IntervalRows
{
    /// <summary>Draws the table; nothing for an experiment without one.</summary>
    public static HtmlText Draw(ExperimentResult result)
    {
        if (result.Experiment.Intervals is not { } table)
        {
            return new HtmlText();
        }

        var html = new HtmlText($"<h3>{table.Title}</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">{table.Case}</th>");
        html.AddEach(table.Columns, static column => $"<th scope=\"col\">{column.Title}</th>").Add($"</tr></thead>\n<tbody>\n");
        foreach (IntervalRow row in IntervalRow.Of(table, result))
        {
            html.Add($"<tr class=\"{Palette.Class(row.Subject, row.Published)}\"><th scope=\"row\"><span class=\"swatch\"></span>");
            html.Add($"{(row.Published ? $"published: {row.Subject}" : row.Subject)}</th>");
            html.AddEach(row.Values, value => $"<td>{Cell(value, row.Published)}</td>").Add($"</tr>\n");
        }

        return html.Add($"</tbody>\n</table></div>\n");
    }

    private static string Cell(double? value, bool published) =>
        value is not { } known ? "–" : published ? FigureText.Exact(known) : FigureText.Number(known);
}
