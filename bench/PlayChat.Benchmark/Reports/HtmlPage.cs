namespace PlayChat.Benchmark.Reports;

/// <summary>The report as one HTML file that needs no other file: styles are inline, charts are SVG, and there is no script.</summary>
internal static class HtmlPage
{
    public static string Format(SuiteReport report)
    {
        var html = new StringBuilder(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>PlayChat benchmark</title>
            <style>

            """);
        html.Append(DataFile.Text("report.css")).Append(BarChart.Style).Append("\n</style>\n</head>\n<body>\n");
        html.Append(Element("h1", "PlayChat benchmark")).Append(Element("p", SuiteText.Heading(report)));
        html.Append("<ul>\n").AppendJoin("", SuiteText.State(report).Select(static text => Element("li", text))).Append("</ul>\n");
        html.Append(Element("p", SuiteText.AboutPublished)).Append(Element("p", SuiteText.AboutTerms));
        html.Append("<nav>").AppendJoin(" ", report.Results.Select(static result =>
            $"<a href=\"#{result.Experiment.Name}\">{Encode(result.Experiment.Title)}</a>")).Append("</nav>\n");
        foreach (ExperimentResult result in report.Results)
        {
            Append(html, result);
        }

        html.Append("<section>\n").Append(Element("h2", "Where and how"));
        html.Append(Format(new Table(["", ""], report.Machine
            .Select(static pair => (string[])[pair.Key.Replace('_', ' '), pair.Value?.ToString() ?? "not known"]).ToArray())));
        html.Append(Element("pre", report.CommandLine));
        html.Append(Element("p", "results.json has the whole report of every round.")).Append("</section>\n");
        return html.Append("</body>\n</html>\n").ToString();
    }

    private static void Append(StringBuilder html, ExperimentResult result)
    {
        Experiment experiment = result.Experiment;
        html.Append(CultureInfo.InvariantCulture, $"<section id=\"{experiment.Name}\">\n{Element("h2", experiment.Title)}");
        html.Append(Element("p", experiment.About)).Append(Element("p", experiment.Source));
        html.Append(result.Measured is null ? string.Empty : Element("p", result.Measured));
        foreach ((string _, string problem) in result.Problems)
        {
            html.Append(Element("p", $"⚠ {problem}", "problem"));
        }

        html.AppendJoin("", SuiteText.Sweeps(result).Select(static sentence => Element("p", sentence, "note")));
        foreach (Chart chart in experiment.Charts)
        {
            if (SuiteText.Bars(result, chart) is { Count: > 0 } bars)
            {
                html.Append("<figure>").Append(Element("figcaption", chart.Title));
                html.Append(BarChart.Draw(chart.Title, bars, withStyle: false)).Append("</figure>\n");
            }
        }

        html.AppendJoin("", result.Cases.Select(name => Format(SuiteText.Figures(result, name))));
        if (experiment.Moments.Count > 0)
        {
            html.Append(Element("h3", "Five moments of a run")).Append(Format(SuiteText.Moments(result)));
        }

        Ratio[] ratios = SuiteText.Judged(result).ToArray();
        if (ratios.Length > 0)
        {
            html.Append(Element("h3", "Beside other servers")).Append(Element("p", SuiteText.AboutRatios));
            html.Append(Format(SuiteText.Ratios(ratios)));
        }

        html.Append("<details><summary>Command lines</summary>\n");
        IEnumerable<string> lines = result.Runs.Select(static run => $"# {run.Run.Subject}, {run.Run.Case}\n{run.CommandLine}");
        html.Append(Element("pre", string.Join('\n', lines))).Append("</details>\n</section>\n");
    }

    private static string Format(Table table) =>
        "<div class=\"scroll\"><table>\n<thead><tr>"
        + string.Concat(table.Titles.Select(static title => $"<th>{Encode(title)}</th>"))
        + "</tr></thead>\n<tbody>\n"
        + string.Concat(table.Rows.Select(static row =>
            $"<tr><th>{Encode(row[0])}</th>{string.Concat(row.Skip(1).Select(static cell => $"<td>{Encode(cell)}</td>"))}</tr>\n"))
        + "</tbody></table></div>\n";

    private static string Element(string name, string text, string? style = null) =>
        $"<{name}{(style is null ? "" : $" class=\"{style}\"")}>{Encode(text)}</{name}>\n";

    /// <summary>A text as it stands between the tags of HTML and SVG.</summary>
    public static string Encode(string text) => text
        .Replace("&", "&amp;", StringComparison.Ordinal)
        .Replace("<", "&lt;", StringComparison.Ordinal)
        .Replace(">", "&gt;", StringComparison.Ordinal);
}
