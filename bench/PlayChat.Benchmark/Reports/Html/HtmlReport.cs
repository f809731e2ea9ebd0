using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>The report as one HTML file that needs no other file: styles are inline, charts are SVG, and there is no script.</summary>
internal static class HtmlReport
{
    // Every chart hatches published figures with this pattern of 45-degree lines.
    private const string Hatch = """
        <svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" class="hatch-back"/><line y2="6" class="hatch-line"/></pattern></defs></svg>

        """;

    /// <summary>Formats the page.</summary>
    public static string Format(SuiteReport report)
    {
        var html = new HtmlText($"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>PlayChat benchmark, {report.StartedAt.UtcDateTime:yyyy-MM-dd}</title>
            <style>

            """);
        html.AddRaw(Style()).Add($"</style>\n</head>\n<body>\n").AddRaw(Hatch);
        Head(html, report);
        foreach (ExperimentResult result in report.Results)
        {
            Experiment(html, result, report);
        }

        Changes(html, report.Comparison);
        Foot(html, report);
        return html.Add($"</main>\n</body>\n</html>\n").ToString();
    }

    private static string Style()
    {
        using var reader = new StreamReader(typeof(HtmlReport).Assembly.GetManifestResourceStream("report.css")!);
        return reader.ReadToEnd();
    }

    private static void Head(HtmlText html, SuiteReport report)
    {
        string rounds = SuiteText.Count(report.Plan.Settings.Rounds, "round", "rounds");
        html.Add($"<header><h1>PlayChat benchmark</h1>\n<p>{report.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC, ");
        html.Add($"{SuiteText.Duration(report.Duration)}, {rounds}; {SuiteText.Machine(report.Machine)}</p></header>\n");
        html.Add($"<main>\n<section>\n<ul class=\"state\">\n");
        html.AddEach(SuiteText.State(report), static sentence => $"<li>{sentence}</li>\n");
        foreach (Verdict verdict in report.Verdicts)
        {
            (string style, string sign) = verdict.Failed ? ("behind", "✗") : ("ahead", "✓");
            html.Add($"<li class=\"{style}\">{sign} {verdict.ToString()}</li>\n");
        }

        html.Add($"</ul>\n<p class=\"note\"><span class=\"swatch pub\"></span>{SuiteReport.AboutPublished}</p>\n");
        html.Add($"<p class=\"note\">{SuiteReport.AboutTerms}</p>\n");
        if (report.Results.Count > 1)
        {
            html.Add($"<nav>");
            html.AddEach(report.Results, static result => $"<a href=\"#{result.Experiment.Name}\">{result.Experiment.Title}</a>");
            html.Add($"</nav>\n");
        }

        if (GlanceChart.Draw(report.Results) is { } glance)
        {
            html.Add($"{glance}");
        }

        html.Add($"</section>\n");
    }

    private static void Experiment(HtmlText html, ExperimentResult result, SuiteReport report)
    {
        Experiment experiment = result.Experiment;
        html.Add($"<section id=\"{experiment.Name}\">\n<h2>{experiment.Title}</h2>\n");
        html.Add($"<p>{experiment.About}</p>\n<p class=\"source\">{experiment.Source}</p>\n");
        html.AddEach(
            result.Runs.SelectMany(static run => run.Problems.Select(problem => (run.Run, Problem: problem))),
            static line => $"<p class=\"problem\">⚠ {line.Run.Subject}, {line.Run.Case}, {line.Problem}</p>\n");
        html.AddEach(SweepText.Of(result), static sentence => $"<p class=\"note\">{sentence}</p>\n");
        html.AddEach(experiment.Charts.Select(chart => Draw(chart, result)).OfType<HtmlText>(), static chart => $"{chart}");
        html.Add($"{FigureTables.Draw(result)}{IntervalRows.Draw(result)}{RatioTable.Draw(result)}");
        html.Add($"<details><summary>Command lines</summary>\n<pre>");
        foreach (ExperimentRun run in result.Runs.Select(static run => run.Run))
        {
            html.Add($"<span class=\"comment\"># {run.Subject}, {run.Case}</span>\n");
            html.Add($"{CommandLineText.Of(run, report.Plan.Settings)}\n");
        }

        html.Add($"</pre></details>\n</section>\n");
    }

    private static HtmlText? Draw(Chart chart, ExperimentResult result) => chart.Kind switch
    {
        ChartKind.Cases => BarChart.Draw(chart, result),
        ChartKind.Percentiles => LineCharts.Percentiles(chart, result),
        ChartKind.Time => LineCharts.Time(chart, result),
        _ => LineCharts.Curve(chart, result),
    };

    private static void Changes(HtmlText html, Comparison? comparison)
    {
        if (comparison is not null)
        {
            html.Add($"<section id=\"changes\">\n<h2>Changes</h2>\n<p>{comparison.Heading}</p>\n");
            html.Add($"{ChangeTable.Draw(comparison)}</section>\n");
        }
    }

    private static void Foot(HtmlText html, SuiteReport report)
    {
        html.Add($"<section id=\"machine\">\n<h2>Where and how</h2>\n<div class=\"scroll\"><table class=\"plain\">\n");
        html.AddEach(report.Machine, static pair => $"<tr><th scope=\"row\">{KeyText.Title(pair.Key)}</th><td>{Value(pair)}</td></tr>\n");
        html.Add($"<tr><th scope=\"row\">server's processors</th><td>{report.Plan.Settings.ServerCpus ?? "all"}</td></tr>\n");
        html.Add($"<tr><th scope=\"row\">load's processors</th><td>{report.Plan.Settings.ClientCpus ?? "all"}</td></tr>\n");
        html.Add($"</table></div>\n<pre>{report.CommandLine}</pre>\n");
        html.Add($"<p class=\"source\">Every figure is the median of the rounds, with the lowest and the highest beside it where there ");
        html.Add($"are several. results.json has the whole report of every round.</p>\n</section>\n");
    }

    private static string Value(KeyValuePair<string, JsonNode?> pair) => pair.Value switch
    {
        null => "not known",
        JsonValue value when pair.Key.EndsWith("_bytes", StringComparison.Ordinal) && value.TryGetValue(out long bytes) =>
            FigureText.Number(bytes * KeyText.Scale(pair.Key)),
        var other => other.ToString(),
    };
}
