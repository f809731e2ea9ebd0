using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The report as Markdown: its tables, for an issue or a pull request.</summary>
internal static class SuiteMarkdown
{
    /// <summary>Formats the file.</summary>
    public static string Format(SuiteReport report)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"# PlayChat benchmark, {report.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC\n\n");
        text.Append(SuiteReport.AboutPublished).Append("\n\n").Append(SuiteReport.AboutTerms).Append('\n');
        foreach (string sentence in SuiteText.State(report))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{sentence}\n");
        }

        foreach (ExperimentResult result in report.Results)
        {
            Append(text, result, report.Plan.Settings);
        }

        if (report.Comparison is { } comparison)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n## Changes\n\n{comparison.Heading}\n");
            Table(text, ["where", "figure", "earlier", "now", "change"], comparison.Changes.Select(static change => (string[])
            [
                change.Where,
                change.Key,
                FigureText.Format(change.Earlier, change.Unit),
                FigureText.Format(change.Now, change.Unit),
                FigureText.PercentChange(change.Earlier, change.Now),
            ]));
        }

        if (report.Verdicts.Count > 0)
        {
            text.Append("\n## Conditions\n\n");
            text.AppendJoin('\n', report.Verdicts.Select(static verdict => $"- {verdict}")).Append('\n');
        }

        text.Append("\n## Machine\n");
        Table(text, ["what", "value"], report.Machine.Select(static pair => (string[])[pair.Key, pair.Value?.ToString() ?? "-"]));
        text.Append(CultureInfo.InvariantCulture, $"\n```\n{report.CommandLine}\n```\n");
        return text.ToString();
    }

    private static void Append(StringBuilder text, ExperimentResult result, ExperimentSettings settings)
    {
        Experiment experiment = result.Experiment;
        text.Append(CultureInfo.InvariantCulture, $"\n## {experiment.Title}\n\n{experiment.About} {experiment.Source}\n");
        Table(
            text,
            ["case", "server", .. experiment.Figures.Select(SuiteText.Heading)],
            CaseRow.Of(result).Select(row => (string[])
                [row.Case, row.Published ? $"*published: {row.Subject}*" : row.Subject, .. SuiteText.Cells(row, experiment)]));

        foreach (string sentence in SweepText.Of(result))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{sentence}\n");
        }

        if (experiment.Intervals is { } table)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{table.Title}, {table.Case}:\n");
            Table(text, ["server", .. table.Columns.Select(static column => column.Title)], IntervalRow.Of(table, result).Select(Cells));
        }

        IReadOnlyList<Ratio> ratios = Ratio.Of(result);
        if (ratios.Count > 0)
        {
            text.Append("\nPlayChat divided by the other, in the same round; + PlayChat is ahead, − it is behind, = neither.\n");
            Table(
                text,
                ["case", "against", .. experiment.Figures.Select(static figure => figure.Title)],
                SuiteText.RatioRows(ratios, experiment, Cell));
        }

        foreach (RunResult run in result.Runs)
        {
            foreach (string problem in run.Problems)
            {
                text.Append(CultureInfo.InvariantCulture, $"\n**Problem**: {run.Run.Subject}, {run.Run.Case}, {problem}\n");
            }
        }

        text.Append("\n```\n").AppendJoin('\n', result.Runs.Select(run => CommandLineText.Of(run.Run, settings))).Append("\n```\n");
    }

    private static string[] Cells(IntervalRow row) =>
    [
        row.Published ? $"*published: {row.Subject}*" : row.Subject,
        .. row.Values.Select(value =>
            value is not { } known ? "-" : row.Published ? FigureText.Exact(known) : FigureText.Number(known)),
    ];

    private static string Cell(Ratio ratio) => ratio.Standing switch
    {
        not Standing.NotValid when Subjects.IsOurs(ratio.Against) => string.Empty, // PlayChat is never ahead of itself
        Standing.Ahead => "+ ",
        Standing.Behind => "− ",
        Standing.Even => "= ",
        _ => string.Empty, // SuiteText.Times adds its mark
    } + SuiteText.Times(ratio);

    private static void Table(StringBuilder text, string[] titles, IEnumerable<string[]> rows)
    {
        Row(text.Append('\n'), titles);
        Row(text, titles.Select(static _ => "---"));
        foreach (string[] row in rows)
        {
            Row(text, row);
        }
    }

    private static void Row(StringBuilder text, IEnumerable<string> cells) =>
        text.Append("| ").AppendJoin(" | ", cells.Select(static cell => cell.Replace("|", "\\|", StringComparison.Ordinal))).Append(" |\n");
}
