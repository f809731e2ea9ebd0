using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The sentences and cells that every form of the report shares.</summary>
internal static class SuiteText
{
    /// <summary>The outcome in a few sentences.</summary>
    public static IEnumerable<string> State(SuiteReport report)
    {
        int problems = report.Problems.Count();
        yield return problems == 0
            ? "Every run was good: every message arrived, once and in order."
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Count(problems, "problem", "problems")}, named with the experiment; "
                + $"{report.OwnProblems.Count()} of PlayChat's own runs.");
        foreach (string skipped in report.Plan.Skipped)
        {
            yield return skipped;
        }

        int invalid = report.Results.Sum(static result => result.Runs.Count(static run => !run.IsValid));
        if (invalid > 0)
        {
            yield return $"{Count(invalid, "run has", "runs have")} no good round (failed, invalid or interrupted). "
                + $"The figures and ratios of such a run are marked {Mark} and are not counted.";
        }

        if (report.Interrupted || report.NotRun > 0)
        {
            yield return $"The suite ended early: {Count(report.NotRun, "run", "runs")} did not start.";
        }

        (Experiment Experiment, Ratio Ratio)[] ratios = MainRatios(report.Results).ToArray();
        Ratio[] main = ratios.Select(static pair => pair.Ratio).Where(static ratio => ratio.Standing != Standing.NotValid).ToArray();
        if (main.Length > 0)
        {
            yield return $"In the experiments' main figures PlayChat is ahead in {Number(main, Standing.Ahead)}, "
                + $"even in {Number(main, Standing.Even)} and behind in {Number(main, Standing.Behind)} "
                + $"of {Count(main.Length, "comparison", "comparisons")} with other servers on this machine{Rounds(main)}.";
        }

        if (Number(main, Standing.Behind) > 0)
        {
            yield return "Behind, by how many times as good: " + string.Join("; ", ratios
                .Where(static pair => pair.Ratio.Standing == Standing.Behind)
                .GroupBy(static pair => (pair.Experiment.Name, pair.Ratio.Against), static pair => pair.Ratio)
                .Select(static group =>
                    $"{group.Key.Name} against {group.Key.Against} ({string.Join(", ", group.Select(CaseAndGain))})")) + ".";
        }
    }

    /// <summary>The ratios of each experiment's first figure to other servers. Other settings of PlayChat are left out.</summary>
    public static IEnumerable<(Experiment Experiment, Ratio Ratio)> MainRatios(IEnumerable<ExperimentResult> results) => results
        .SelectMany(static result => Ratio.Of(result)
            .Where(ratio => ratio.Figure == result.Experiment.Figures[0] && !Subjects.IsOurs(ratio.Against))
            .Select(ratio => (result.Experiment, ratio)));

    /// <summary>The rows of a table of ratios: case, other server, then a cell for each figure.</summary>
    /// <param name="ratios">The ratios of one experiment.</param>
    /// <param name="experiment">The experiment.</param>
    /// <param name="cell">Formats a cell.</param>
    public static IEnumerable<string[]> RatioRows(IReadOnlyList<Ratio> ratios, Experiment experiment, Func<Ratio, string> cell) => ratios
        .GroupBy(static ratio => (ratio.Case, ratio.Against))
        .Select(group => (string[])
        [
            group.Key.Case,
            group.Key.Against,
            .. experiment.Figures.Select(figure => group.FirstOrDefault(ratio => ratio.Figure == figure) is { } ratio ? cell(ratio) : "-"),
        ]);

    /// <summary>Stands before a figure of a run without a good round.</summary>
    public const string Mark = "(!)";

    /// <summary>A row's cells, one for each figure of the experiment.</summary>
    public static IEnumerable<string> Cells(CaseRow row, Experiment experiment) =>
        row.Figures.Zip(experiment.Figures, (range, figure) => row.Published && range is { } published
            ? FigureText.ExactInColumn(published.Median, figure.Unit)
            : (range is null || row.Valid ? string.Empty : Mark + " ") + Cell(range, figure.Unit));

    /// <summary>A figure's title with its unit, unless each cell has its own.</summary>
    public static string Heading(Figure figure) =>
        figure.Unit.Length == 0 || FigureText.IsTime(figure.Unit) ? figure.Title : $"{figure.Title} ({figure.Unit})";

    private static string Cell(FigureRange? range, string unit)
    {
        return range is not { } known ? "-" : Text(known.Median) + Between(known, Text);

        string Text(double value) => FigureText.InColumn(value, unit);
    }

    /// <summary>A ratio with its range, and with <see cref="Mark"/> when no round was good.</summary>
    public static string Times(Ratio ratio) =>
        (ratio.Standing == Standing.NotValid ? Mark + " " : string.Empty)
        + FigureText.Times(ratio.Range.Median)
        + Between(ratio.Range, FigureText.Times);

    /// <summary>A duration: 42 s, 9 min 41 s, 2 h 5 min.</summary>
    public static string Duration(TimeSpan time) => time.TotalMinutes < 1
        ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0} s")
        : time.TotalHours >= 1
        ? string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalHours} h {time.Minutes} min")
        : string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalMinutes} min {time.Seconds} s");

    /// <summary>The machine in one line.</summary>
    public static string Machine(JsonObject machine) => string.Create(
        CultureInfo.InvariantCulture,
        $"{machine["processors"]} processors ({machine["processor"] ?? "unknown"}), "
        + $"{(machine["memory_bytes"]?.GetValue<long>() ?? 0) / 1e9:0} GB, {machine["os"]}, {machine["runtime"]}");

    /// <summary>A number with its noun.</summary>
    public static string Count(int count, string one, string several) =>
        string.Create(CultureInfo.InvariantCulture, $"{count} {(count == 1 ? one : several)}");

    private static string Between(FigureRange range, Func<double, string> format) =>
        format(range.Min) == format(range.Max) ? string.Empty : $" ({format(range.Min)}–{format(range.Max)})";

    private static string CaseAndGain(Ratio ratio) => $"{ratio.Case} {FigureText.Times(ratio.Gain.Median)}";

    private static string Rounds(Ratio[] ratios) => Array.Exists(ratios, static ratio => ratio.Rounds == 1)
        ? string.Create(
            CultureInfo.InvariantCulture,
            $" (one round, so {Ratio.NoiseOfOneRound * 100:0} % more or less count as even; use --repeat 3 for a closer answer)")
        : string.Empty;

    private static int Number(Ratio[] ratios, Standing standing) => ratios.Count(ratio => ratio.Standing == standing);
}
