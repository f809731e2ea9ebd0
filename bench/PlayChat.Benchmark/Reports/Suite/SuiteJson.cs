using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The file <c>results.json</c>: what <c>--compare</c> reads, and each run's whole report.</summary>
/// <remarks>
/// Ratios, conditions and changes are in the page and in the Markdown only: they follow from what is here, and no program reads them.
/// Published figures are here too, so that a comparison needs no other file. The keys are documented in bench/README.md.
/// </remarks>
internal static class SuiteJson
{
    /// <summary>The version of the keys. It grows when a key changes its meaning or is removed; a new key does not change it.</summary>
    public const int Schema = 2;

    /// <summary>The oldest version that <see cref="Comparison"/> reads: 2 only removed keys that it does not need.</summary>
    public const int OldestReadableSchema = 1;

    private static readonly JsonSerializerOptions s_readable =
        new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Formats the file.</summary>
    public static string Format(SuiteReport report) => ToJson(report).ToJsonString(s_readable) + "\n";

    private static JsonObject ToJson(SuiteReport report) => new()
    {
        ["schema"] = Schema,
        ["command_line"] = report.CommandLine,
        ["started_at"] = report.StartedAt.UtcDateTime.ToString("O", CultureInfo.InvariantCulture),
        ["duration_s"] = Round(report.Duration.TotalSeconds),
        ["interrupted"] = report.Interrupted,
        ["not_run"] = report.NotRun,
        ["skipped"] = List(report.Plan.Skipped, static sentence => sentence),
        ["machine"] = report.Machine.DeepClone(),
        ["experiments"] = List(report.Results, result => new JsonObject
        {
            ["name"] = result.Experiment.Name,
            ["runs"] = List(result.Runs, run => Run(run, result.Experiment, report.Plan.Settings)),
            ["published"] = List(result.Experiment.Published, static figure => new JsonObject
            {
                ["subject"] = figure.Subject,
                ["case"] = figure.Case,
                ["key"] = figure.Key,
                ["value"] = figure.Value,
            }),
            ["published_intervals"] = result.Experiment.Intervals is { } table
                ? List(table.Published, row => Interval(table, row))
                : new JsonArray(),
        }),
        ["problems"] = List(report.Problems, static problem => problem),
    };

    private static JsonObject Interval(IntervalTable table, IReadOnlyList<double> row)
    {
        var figures = new JsonObject();
        for (int i = 0; i < row.Count; i++)
        {
            figures[table.Columns[i].Key] = row[i];
        }

        return new JsonObject { ["subject"] = table.Subject, ["case"] = table.Case, ["figures"] = figures };
    }

    private static JsonObject Run(RunResult run, Experiment experiment, ExperimentSettings settings)
    {
        var figures = new JsonObject();
        foreach (Figure figure in experiment.Figures)
        {
            figures[figure.Key] = Range(run.Range(figure));
        }

        return new JsonObject
        {
            ["subject"] = run.Run.Subject,
            ["case"] = run.Run.Case,
            ["command_line"] = CommandLineText.Of(run.Run, settings),
            ["figures"] = figures,
            ["problems"] = List(run.Problems, static problem => problem),
            ["good"] = List(run.Rounds, static round => round.IsGood),
            ["reports"] = List(run.Rounds, static round => round.Report?.DeepClone()),
        };
    }

    private static JsonObject? Range(FigureRange? range) => range is not { } known ? null : new JsonObject
    {
        ["median"] = Round(known.Median),
        ["min"] = Round(known.Min),
        ["max"] = Round(known.Max),
    };

    // Six digits: a ratio of lost messages may be as small as one in a million.
    private static JsonNode? Round(double? value) => JsonFigures.Round(value, 6);

    private static JsonArray List<T>(IEnumerable<T> items, Func<T, JsonNode?> convert) => new(items.Select(convert).ToArray());
}
