using System.Text;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>An experiment's figures beside the published ones, and the ratios to the other servers, for a terminal.</summary>
internal static class ResultText
{
    /// <summary>Formats both tables.</summary>
    public static string Format(ExperimentResult result)
    {
        Experiment experiment = result.Experiment;
        var text = new StringBuilder().Append('\n').Append(experiment.Title).Append('\n');
        Table(
            text,
            ["case", "server", .. experiment.Figures.Select(SuiteText.Heading)],
            CaseRow.Of(result).Select(row => (string[])
                [row.Case, row.Published ? $"published: {row.Subject}" : row.Subject, .. SuiteText.Cells(row, experiment)]));
        foreach (string sentence in SweepText.Of(result))
        {
            text.Append("\n  ").Append(sentence).Append('\n');
        }

        IReadOnlyList<Ratio> ratios = Ratio.Of(result);
        if (ratios.Count > 0)
        {
            Table(
                text.Append('\n'),
                ["case", "PlayChat ÷", .. experiment.Figures.Select(static figure => figure.Title)],
                SuiteText.RatioRows(ratios, experiment, SuiteText.Times));
        }

        return text.ToString(0, text.Length - 1);
    }

    private static void Table(StringBuilder text, string[] titles, IEnumerable<string[]> rows)
    {
        string[][] lines = [titles, .. rows];
        int[] widths = titles.Select((_, column) => lines.Max(line => line[column].Length)).ToArray();
        foreach (string[] line in lines)
        {
            IEnumerable<string> cells = line
                .Select((cell, column) => column < 2 ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]));
            text.Append("  ").AppendJoin("  ", cells).Append('\n');
        }
    }
}
