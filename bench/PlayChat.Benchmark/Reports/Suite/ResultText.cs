using System.Text;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>What came of an experiment, for a terminal: its figures beside the published ones, and the ratios to the other servers.</summary>
internal static class ResultText
{
    public static string Format(ExperimentResult result)
    {
        Experiment experiment = result.Experiment;
        var text = new StringBuilder().Append('\n').Append(experiment.Title).Append('\n');
        Table(
            text,
            ["case", "server", .. experiment.Figures.Select(SuiteText.Heading)],
            CaseRow.Of(result).Select(static row => (string[])[row.Case, row.Published ? $"published: {row.Subject}" : row.Subject, .. SuiteText.Cells(row)]));
        IReadOnlyList<Ratio> ratios = Ratio.Of(result);
        if (ratios.Count > 0)
        {
            Table(
                text.Append('\n'),
                ["case", "PlayChat ÷", .. experiment.Figures.Select(static figure => figure.Title)],
                ratios.GroupBy(static ratio => (ratio.Case, ratio.Against)).Select(group => (string[])
                    [group.Key.Case, group.Key.Against, .. experiment.Figures.Select(figure => group.FirstOrDefault(ratio => ratio.Figure == figure) is { } ratio ? SuiteText.Times(ratio) : "-")]));
        }

        return text.ToString(0, text.Length - 1);
    }

    private static void Table(StringBuilder text, string[] titles, IEnumerable<string[]> rows)
    {
        string[][] lines = [titles, .. rows];
        int[] widths = titles.Select((_, column) => lines.Max(line => line[column].Length)).ToArray();
        foreach (string[] line in lines)
        {
            text.Append("  ").AppendJoin("  ", line.Select((cell, column) => column < 2 ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]))).Append('\n');
        }
    }
}
