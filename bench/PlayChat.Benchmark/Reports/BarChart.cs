namespace PlayChat.Benchmark.Reports;

/// <param name="Published">Whether others published the value, for another machine.</param>
/// <param name="Valid">Whether at least one round was good. The values of other bars are marked.</param>
internal sealed record Bar(string Case, string Name, FigureRange Range, bool Published, bool Valid, string Unit)
{
    public string Text => FigureText.Format(Range.Median, Unit);
}

/// <summary>Bars as SVG: PlayChat in color, others grey, published figures hatched, the range over the rounds as a thin line.</summary>
/// <remarks>A logarithmic axis has points, because a bar's length would mean nothing.</remarks>
internal static class BarChart
{
    public const string Style = """
        .chart text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1b2330 }
        .chart .soft { fill: #56606e; font-size: 12px } .chart .pub { font-style: italic } .chart .ours { font-weight: 650 }
        .chart .case { font-weight: 650; font-size: 13px } .chart .grid { stroke: #e4e8ee }
        .chart .range { stroke: #1b2330; stroke-width: 1.5 }
        .chart .b-ours { fill: #0a58ca } .chart .b-other { fill: #8c96a3 } .chart .b-pub { fill: url(#hatch); stroke: #6b7480 }
        .chart .hatch-back { fill: #e9ecf0 } .chart .hatch-line { stroke: #6b7480; stroke-width: 3 }
        @media (prefers-color-scheme: dark) {
        .chart text { fill: #e5eaf1 } .chart .soft { fill: #a3adba } .chart .grid { stroke: #29313d } .chart .range { stroke: #e5eaf1 }
        .chart .b-ours { fill: #6cb2ff } .chart .b-other { fill: #76818f } .chart .b-pub { stroke: #98a2af }
        .chart .hatch-back { fill: #2a313b } .chart .hatch-line { stroke: #98a2af }
        }
        """;

    private const int Width = 780;
    private const int Left = 232;
    private const int Right = 640;
    private const int Top = 30;
    private const int RowHeight = 26;

    // Below a thirtieth of the axis a bar is too short to read.
    private const double MaxLinearSpread = 30;

    // Published figures are hatched with this pattern of 45-degree lines.
    private const string Hatch = """
        <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" class="hatch-back"/><line y2="6" class="hatch-line"/></pattern></defs>
        """;

    /// <param name="title">What the chart shows, for readers that do not see it.</param>
    /// <param name="withStyle">Whether the file has <see cref="Style"/> and the namespace; otherwise the page around it has them.</param>
    public static string Draw(string title, IReadOnlyList<Bar> bars, bool withStyle)
    {
        double[] medians = bars.Select(static bar => bar.Range.Median).Where(static value => value > 0).DefaultIfEmpty(1).ToArray();
        var axis = new Axis(
            bars.SelectMany(static bar => (double[])[bar.Range.Min, bar.Range.Max]),
            logarithmic: medians.Max() / medians.Min() > MaxLinearSpread);
        IGrouping<string, Bar>[] cases = bars.GroupBy(static bar => bar.Case, StringComparer.Ordinal).ToArray();
        int height = Top + ((bars.Count + (cases.Length > 1 ? cases.Length : 0)) * RowHeight) + 8;
        var svg = new StringBuilder();
        string space = withStyle ? "xmlns=\"http://www.w3.org/2000/svg\" " : string.Empty;
        Add($"<svg {space}class=\"chart\" viewBox=\"0 0 {Width} {height}\" role=\"img\">\n<title>{HtmlPage.Encode(title)}</title>\n");
        svg.Append(withStyle ? $"<style>\n{Style}\n</style>\n" : string.Empty).Append(Hatch).Append('\n');
        foreach (double tick in axis.Ticks)
        {
            Add($"<line class=\"grid\" x1=\"{X(axis, tick):0.#}\" x2=\"{X(axis, tick):0.#}\" y1=\"{Top - 8}\" y2=\"{height - 6}\"/>");
            string label = FigureText.IsTime(bars[0].Unit) ? FigureText.Format(tick, bars[0].Unit) : FigureText.Short(tick);
            Add($"<text class=\"soft\" x=\"{X(axis, tick):0.#}\" y=\"14\" text-anchor=\"middle\">{label}</text>\n");
        }

        int top = Top;
        foreach (IGrouping<string, Bar> group in cases)
        {
            if (cases.Length > 1)
            {
                Add($"<text class=\"case\" x=\"{Left}\" y=\"{top + 18}\">{HtmlPage.Encode(group.Key)}</text>\n");
                top += RowHeight;
            }

            foreach (Bar bar in group)
            {
                Draw(svg, bar, axis, top);
                top += RowHeight;
            }
        }

        return svg.Append("</svg>\n").ToString();

        void Add(FormattableString text) => svg.Append(FormattableString.Invariant(text));
    }

    private static void Draw(StringBuilder svg, Bar bar, Axis axis, int top)
    {
        string style = bar.Published ? "pub" : Subjects.IsOurs(bar.Name) ? "ours" : "other";
        double end = X(axis, bar.Range.Median);
        int middle = top + (RowHeight / 2);
        Add($"<text class=\"{style}\" x=\"{Left - 10}\" y=\"{middle + 5}\" text-anchor=\"end\">{HtmlPage.Encode(bar.Name)}</text>");
        if (axis.Logarithmic)
        {
            Add($"<line class=\"grid\" x1=\"{Left}\" x2=\"{end:0.#}\" y1=\"{middle}\" y2=\"{middle}\"/>");
            Add($"<circle class=\"b-{style}\" cx=\"{end:0.#}\" cy=\"{middle}\" r=\"6\"/>");
        }
        else
        {
            Add($"<rect class=\"b-{style}\" x=\"{Left}\" y=\"{top + 4}\" height=\"{RowHeight - 8}\" width=\"{end - Left:0.#}\"/>");
        }

        if (!bar.Range.Min.Equals(bar.Range.Max))
        {
            Add($"<line class=\"range\" x1=\"{X(axis, bar.Range.Min):0.#}\" x2=\"{X(axis, bar.Range.Max):0.#}\" ");
            Add($"y1=\"{middle}\" y2=\"{middle}\"/>");
        }

        string mark = bar.Valid ? string.Empty : SuiteText.Mark + " ";
        Add($"<text class=\"{style}\" x=\"{Right + 12}\" y=\"{middle + 5}\">{mark}{HtmlPage.Encode(bar.Text)}</text>\n");

        void Add(FormattableString text) => svg.Append(FormattableString.Invariant(text));
    }

    private static double X(Axis axis, double value) => Left + (axis.At(value) / 100 * (Right - Left));
}

/// <summary>Maps values to positions from 0 to 100 %: from 0 in round steps, or over whole powers of ten.</summary>
internal sealed class Axis
{
    private const int Steps = 5;
    private readonly double _from;
    private readonly double _to;

    /// <param name="logarithmic">Whether equal distances are equal ratios. Values that are not above 0 are then at its beginning.</param>
    public Axis(IEnumerable<double> values, bool logarithmic)
    {
        double[] shown = values.Where(value => double.IsFinite(value) && value > 0).DefaultIfEmpty(1).ToArray();
        Logarithmic = logarithmic;
        if (logarithmic)
        {
            _from = Math.Pow(10, Math.Floor(Math.Log10(shown.Min())));
            _to = Math.Max(_from * 10, Math.Pow(10, Math.Ceiling(Math.Log10(shown.Max()))));
            int decades = (int)Math.Round(Math.Log10(_to / _from));
            Ticks = Enumerable.Range(0, decades + 1).Select(power => _from * Math.Pow(10, power)).ToArray();
        }
        else
        {
            double power = Math.Pow(10, Math.Floor(Math.Log10(shown.Max() / Steps)));
            double lead = shown.Max() / Steps / power;
            double step = (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
            Ticks = Enumerable.Range(0, (int)Math.Ceiling(shown.Max() / step) + 1).Select(i => i * step).ToArray();
            _to = Ticks[^1];
        }
    }

    public bool Logarithmic { get; }

    public IReadOnlyList<double> Ticks { get; }

    /// <summary>The position of a value, 0 to 100.</summary>
    public double At(double value)
    {
        double share = Logarithmic ? Math.Log(Math.Max(value, double.Epsilon) / _from) / Math.Log(_to / _from) : value / _to;
        return Math.Clamp(share, 0, 1) * 100;
    }
}
