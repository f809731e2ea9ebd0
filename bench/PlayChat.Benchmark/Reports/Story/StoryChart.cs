using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Html;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Story;

/// <summary>Bars as an SVG file that a Markdown page can show: PlayChat in color, other servers grey, published figures hatched.</summary>
/// <remarks>The file has its own colors for light and dark pages. A logarithmic axis has points, because a bar's length would mean
/// nothing there.</remarks>
internal static class StoryChart
{
    private const int Width = 780;
    private const int Left = 292;
    private const int Right = 670;
    private const int Top = 30;
    private const int RowHeight = 28;

    // Below a thirtieth of the axis a bar is too short to read.
    private const double MaxLinearSpread = 30;

    private const string Style = """
        text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1b2330 }
        .soft { fill: #56606e; font-size: 12px } .pub { font-style: italic } .ours { font-weight: 650 }
        .grid { stroke: #e4e8ee } .range { stroke: #1b2330; stroke-width: 1.5 }
        .b-ours { fill: #0a58ca } .b-other { fill: #8c96a3 } .b-pub { fill: url(#hatch); stroke: #6b7480 }
        .hatch-back { fill: #e9ecf0 } .hatch-line { stroke: #6b7480; stroke-width: 3 }
        @media (prefers-color-scheme: dark) {
          text { fill: #e5eaf1 } .soft { fill: #a3adba } .grid { stroke: #29313d } .range { stroke: #e5eaf1 }
          .b-ours { fill: #6cb2ff } .b-other { fill: #76818f } .b-pub { stroke: #98a2af }
          .hatch-back { fill: #2a313b } .hatch-line { stroke: #98a2af }
        }
        """;

    /// <summary>Draws rows.</summary>
    /// <param name="title">What the chart shows, for readers that do not see it.</param>
    /// <param name="rows">One bar each, in this order.</param>
    /// <param name="unit">The unit of all values.</param>
    public static string Draw(string title, IReadOnlyList<StoryBar> rows, string unit)
    {
        double[] medians = rows.Select(static row => row.Range.Median).Where(static value => value > 0).DefaultIfEmpty(1).ToArray();
        var axis = Axis.For(
            rows.SelectMany(static row => (double[])[row.Range.Min, row.Range.Max]),
            logarithmic: medians.Max() / medians.Min() > MaxLinearSpread);
        int height = Top + (rows.Count * RowHeight) + 8;
        var svg = new HtmlText($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {height}\" role=\"img\">\n");
        svg.Add($"<title>{title}</title>\n<style>\n").AddRaw(Style).Add($"\n</style>\n");
        svg.AddRaw("""
            <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" class="hatch-back"/><line y2="6" class="hatch-line"/></pattern></defs>

            """);
        foreach (double tick in axis.Ticks)
        {
            svg.Add($"<line class=\"grid\" x1=\"{X(axis, tick):0.#}\" x2=\"{X(axis, tick):0.#}\" y1=\"{Top - 8}\" y2=\"{height - 6}\"/>");
            svg.Add($"<text class=\"soft\" x=\"{X(axis, tick):0.#}\" y=\"14\" text-anchor=\"middle\">{FigureText.Short(tick)}</text>\n");
        }

        for (int i = 0; i < rows.Count; i++)
        {
            Row(svg, rows[i], axis, Top + (i * RowHeight), unit);
        }

        return svg.Add($"</svg>\n").ToString();
    }

    private static void Row(HtmlText svg, StoryBar row, Axis axis, int top, string unit)
    {
        string style = row.Published ? "pub" : Subjects.IsOurs(row.Name) ? "ours" : "other";
        double end = X(axis, row.Range.Median);
        int middle = top + (RowHeight / 2);
        svg.Add($"<text class=\"{style}\" x=\"{Left - 10}\" y=\"{middle + 5}\" text-anchor=\"end\">{row.Name}</text>");
        if (axis.Logarithmic)
        {
            svg.Add($"<line class=\"grid\" x1=\"{Left}\" x2=\"{end:0.#}\" y1=\"{middle}\" y2=\"{middle}\"/>");
            svg.Add($"<circle class=\"b-{style}\" cx=\"{end:0.#}\" cy=\"{middle}\" r=\"6\"/>");
        }
        else
        {
            svg.Add($"<rect class=\"b-{style}\" x=\"{Left}\" y=\"{top + 5}\" height=\"{RowHeight - 10}\" width=\"{end - Left:0.#}\"/>");
        }

        if (!row.Range.Min.Equals(row.Range.Max))
        {
            svg.Add($"<line class=\"range\" x1=\"{X(axis, row.Range.Min):0.#}\" x2=\"{X(axis, row.Range.Max):0.#}\" ");
            svg.Add($"y1=\"{middle}\" y2=\"{middle}\"/>");
        }

        string mark = row.Valid ? string.Empty : SuiteText.Mark + " ";
        string value = unit.Length == 0 ? FigureText.Number(row.Range.Median) : $"{FigureText.Number(row.Range.Median)} {unit}";
        svg.Add($"<text class=\"{style}\" x=\"{Right + 12}\" y=\"{middle + 5}\">{mark}{value}</text>\n");
    }

    private static double X(Axis axis, double value) => Left + (axis.At(value) / 100 * (Right - Left));
}
