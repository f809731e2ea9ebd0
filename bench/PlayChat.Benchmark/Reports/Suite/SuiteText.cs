using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>What all forms of the report say alike.</summary>
internal static class SuiteText
{
    /// <summary>How it went, in a few sentences.</summary>
    public static IEnumerable<string> State(SuiteReport report)
    {
        int problems = report.Problems.Count();
        yield return problems == 0
            ? "Every run was as it must be: everything arrived, once and in order."
            : $"{Count(problems, "problem", "problems")}, named with the experiment; {report.OwnProblems.Count().ToString(CultureInfo.InvariantCulture)} of PlayChat's own runs.";
        int invalid = report.Results.Sum(static result => result.Runs.Count(static run => !run.IsValid));
        if (invalid > 0)
        {
            yield return $"{Count(invalid, "run has", "runs have")} no good round (failed, not valid or ended early): figures and ratios that rest on such a run are marked {Mark}, and count for nothing.";
        }

        if (report.Interrupted || report.NotRun > 0)
        {
            yield return $"It was ended early: {Count(report.NotRun, "run was", "runs were")} not reached.";
        }

        (Experiment Experiment, Ratio Ratio)[] ratios = MainRatios(report.Results).ToArray();
        Ratio[] main = ratios.Select(static pair => pair.Ratio).Where(static ratio => ratio.Standing != Standing.NotValid).ToArray();
        if (main.Length > 0)
        {
            yield return $"In the experiments' main figures PlayChat is ahead in {Number(main, Standing.Ahead)}, even in {Number(main, Standing.Even)} and behind in {Number(main, Standing.Behind)} of {Count(main.Length, "comparison", "comparisons")} with other servers on this machine{Rounds(main)}.";
        }

        if (Number(main, Standing.Behind) > 0)
        {
            yield return "Behind, by how many times as good: " + string.Join("; ", ratios
                .Where(static pair => pair.Ratio.Standing == Standing.Behind)
                .GroupBy(static pair => (pair.Experiment.Name, pair.Ratio.Against))
                .Select(static group => $"{group.Key.Name} against {group.Key.Against} ({string.Join(", ", group.Select(static pair => $"{pair.Ratio.Case} {FigureText.Times(pair.Ratio.Gain.Median)}"))})")) + ".";
        }
    }

    /// <summary>The ratios of each experiment's first figure to other servers: not to another setting of PlayChat.</summary>
    public static IEnumerable<(Experiment Experiment, Ratio Ratio)> MainRatios(IEnumerable<ExperimentResult> results) => results
        .SelectMany(static result => Ratio.Of(result).Where(ratio => ratio.Figure == result.Experiment.Figures[0] && !Subjects.IsOurs(ratio.Against)).Select(ratio => (result.Experiment, ratio)));

    /// <summary>Before a figure that is not to be relied on.</summary>
    public const string Mark = "(!)";

    /// <summary>What a row shows of each figure.</summary>
    public static IEnumerable<string> Cells(CaseRow row) => row.Figures.Select(figure => (figure is null || row.Valid ? string.Empty : Mark + " ") + Cell(figure));

    /// <summary>A figure's title with its unit.</summary>
    public static string Heading(Figure figure) => figure.Unit.Length == 0 ? figure.Title : $"{figure.Title} ({figure.Unit})";

    /// <summary>Median, and the range where there is one.</summary>
    private static string Cell(FigureRange? range) => range is not { } known ? "-" : FigureText.Number(known.Median) + Between(known, FigureText.Number);

    /// <summary>A ratio, with its range where there is one, and its mark where it is not valid.</summary>
    public static string Times(Ratio ratio) =>
        (ratio.Standing == Standing.NotValid ? Mark + " " : string.Empty) + FigureText.Times(ratio.Range.Median) + Between(ratio.Range, FigureText.Times);

    /// <summary>A time of minutes.</summary>
    public static string Duration(TimeSpan time) => time.TotalMinutes < 1
        ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0} s")
        : time.TotalHours >= 1 ? string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalHours} h {time.Minutes} min")
        : string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalMinutes} min {time.Seconds} s");

    /// <summary>The machine in a line.</summary>
    public static string Machine(JsonObject machine) => string.Create(
        CultureInfo.InvariantCulture,
        $"{machine["processors"]} processors ({machine["processor"] ?? "unknown"}), {(machine["memory_bytes"]?.GetValue<long>() ?? 0) / 1e9:0} GB, {machine["os"]}, {machine["runtime"]}");

    /// <summary>One, or several.</summary>
    public static string Count(int count, string one, string several) => string.Create(CultureInfo.InvariantCulture, $"{count} {(count == 1 ? one : several)}");

    private static string Between(FigureRange range, Func<double, string> format) =>
        format(range.Min) == format(range.Max) ? string.Empty : $" ({format(range.Min)}–{format(range.Max)})";

    private static string Rounds(Ratio[] ratios) => ratios.Any(static ratio => ratio.Rounds == 1)
        ? string.Create(CultureInfo.InvariantCulture, $" (one round, so {Ratio.NoiseOfOneRound * 100:0} % more or less count as even: --repeat 3 tells more)")
        : string.Empty;

    private static int Number(Ratio[] ratios, Standing standing) => ratios.Count(ratio => ratio.Standing == standing);
}
