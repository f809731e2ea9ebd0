namespace PlayChat.Benchmark.Reports;

/// <summary>A page about the results for people who do not open the report: Markdown, with the main chart of each experiment.</summary>
internal static class MarkdownPage
{
    /// <returns>The text, and the charts by their file names.</returns>
    public static (string Text, IReadOnlyDictionary<string, string> Charts) Format(SuiteReport report)
    {
        var charts = new Dictionary<string, string>(StringComparer.Ordinal);
        var text = new StringBuilder("# PlayChat beside other servers\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{SuiteText.Heading(report)}\n\n");
        text.AppendJoin("", SuiteText.State(report).Select(static sentence => $"- {sentence}\n"));
        text.Append(CultureInfo.InvariantCulture, $"\n{SuiteText.AboutPublished}\n\n{SuiteText.AboutTerms}\n\n");
        text.Append("[results.json](results.json) has all numbers. The [whole report](report.html) has every table, chart and command; ");
        text.Append("GitHub shows it as source, so download it and open it in a browser. `tools/results` measures everything anew.\n");
        foreach (ExperimentResult result in report.Results)
        {
            Append(text, result, charts);
        }

        AppendLosses(text, report);
        text.Append("\n## Runs that do not count\n\n");
        text.AppendJoin("", report.Problems.Select(static problem => $"- {problem.Text}\n").DefaultIfEmpty("There is none.\n"));
        text.Append("\nA drain that timed out means: at the end of its time the load still waited for answers.\n");
        text.Append(CultureInfo.InvariantCulture, $"\n```\n{report.CommandLine}\n```\n");
        return (text.ToString(), charts);
    }

    private static void Append(StringBuilder text, ExperimentResult result, Dictionary<string, string> charts)
    {
        Experiment experiment = result.Experiment;
        text.Append(CultureInfo.InvariantCulture, $"\n## {experiment.Title}\n\n{experiment.About}\n\nPublished: {experiment.Source}\n");
        text.Append(result.Measured is null ? string.Empty : $"\n{result.Measured}\n");
        if (experiment.Charts.Count > 0 && SuiteText.Bars(result, experiment.Charts[0]) is { Count: > 0 } bars)
        {
            string title = experiment.Charts[0].Title;
            string values = string.Join(", ", bars.Select(static bar => $"{bar.Name} {bar.Text}"));
            text.Append(CultureInfo.InvariantCulture, $"\n**{title}**\n\n![{title}: {values}]({experiment.Name}.svg)\n");
            charts.Add($"{experiment.Name}.svg", BarChart.Draw(title, bars, withStyle: true));
        }

        text.AppendJoin("", SuiteText.Sweeps(result).Select(static sentence => $"\n{sentence}\n"));
    }

    private static void AppendLosses(StringBuilder text, SuiteReport report)
    {
        (ExperimentResult Result, Ratio[] Ratios)[] behind = report.Results
            .Select(static result => (result, SuiteText.Judged(result)
                .Where(static ratio => ratio.Standing == Standing.Behind && !Subjects.IsOurs(ratio.Other.Run.Subject)).ToArray()))
            .Where(static pair => pair.Item2.Length > 0)
            .ToArray();
        text.Append(CultureInfo.InvariantCulture, $"\n## Where PlayChat loses\n\n{SuiteText.AboutRatios} These are the main figures and ");
        text.Append(behind.Length == 0
            ? "CPU times in which another server was better in every round: none.\n"
            : "CPU times in which another server was better in every round:\n");
        foreach ((ExperimentResult result, Ratio[] ratios) in behind)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{result.Experiment.Title}:\n\n{SuiteText.Ratios(ratios).ToMarkdown()}");
            text.AppendJoin("", SuiteText.Losses(ratios, result).Select(static reason => $"\n{reason}\n"));
        }
    }
}
