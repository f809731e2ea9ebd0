using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The report as JSON. The keys are documented in bench/README.md.</summary>
internal static class SuiteJson
{
    /// <summary>Grows when a key changes its meaning or goes; new keys do not change it.</summary>
    public const int Schema = 1;

    private static readonly JsonSerializerOptions s_readable = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static string Format(SuiteReport report) => ToJson(report).ToJsonString(s_readable) + "\n";

    public static JsonObject ToJson(SuiteReport report) => new()
    {
        ["schema"] = Schema,
        ["command_line"] = report.CommandLine,
        ["started_at"] = report.StartedAt.UtcDateTime.ToString("O", CultureInfo.InvariantCulture),
        ["duration_s"] = Round(report.Duration.TotalSeconds),
        ["interrupted"] = report.Interrupted,
        ["not_run"] = report.NotRun,
        ["rounds"] = report.Plan.Settings.Rounds,
        ["server_cpus"] = report.Plan.Settings.ServerCpus,
        ["client_cpus"] = report.Plan.Settings.ClientCpus,
        ["machine"] = report.Machine.DeepClone(),
        ["experiments"] = List(report.Results, result => Experiment(result, report.Plan.Settings)),
        ["problems"] = List(report.Problems, static problem => problem),
        ["fail_if"] = List(report.Verdicts, static verdict => new JsonObject
        {
            ["condition"] = verdict.Condition.ToString(),
            ["where"] = verdict.Where,
            ["value"] = Round(verdict.Value),
            ["failed"] = verdict.Failed,
        }),
        ["compared"] = report.Comparison is { } comparison ? Compared(comparison) : null,
    };

    private static JsonObject Experiment(ExperimentResult result, ExperimentSettings settings) => new()
    {
        ["name"] = result.Experiment.Name,
        ["title"] = result.Experiment.Title,
        ["source"] = result.Experiment.Source,
        ["figures"] = List(result.Experiment.Figures, static figure => new JsonObject
        {
            ["key"] = figure.Key,
            ["title"] = figure.Title,
            ["unit"] = figure.Unit,
            ["path"] = figure.Path,
            ["better"] = figure.Better == Better.Higher ? "higher" : "lower",
        }),
        ["runs"] = List(result.Runs, run => Run(run, result.Experiment, settings)),
        ["ratios"] = List(Ratio.Of(result), static ratio => new JsonObject
        {
            ["case"] = ratio.Case,
            ["against"] = ratio.Against,
            ["figure"] = ratio.Figure.Key,
            ["ratio"] = Range(ratio.Range),
            ["standing"] = ratio.Standing == Standing.NotValid ? "not valid" : ratio.Standing.ToString().ToLowerInvariant(),
        }),
        ["published"] = List(result.Experiment.Published, static published => new JsonObject
        {
            ["subject"] = published.Subject,
            ["case"] = published.Case,
            ["figure"] = published.Key,
            ["value"] = published.Value,
        }),
    };

    private static JsonObject Run(RunResult run, Experiment experiment, ExperimentSettings settings)
    {
        var figures = new JsonObject();
        foreach (Figure figure in experiment.Figures)
        {
            JsonObject? range = Range(run.Range(figure));
            if (range is not null)
            {
                range["rounds"] = List(run.Rounds, round => Round(RunResult.Read(round.Report, figure)));
            }

            figures[figure.Key] = range;
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

    private static JsonObject Compared(Comparison comparison) => new()
    {
        ["started_at"] = comparison.EarlierStartedAt,
        ["other_machine"] = comparison.OtherMachine,
        ["changes"] = List(comparison.Changes, static change => new JsonObject
        {
            ["where"] = change.Where,
            ["figure"] = change.Key,
            ["earlier"] = Round(change.Earlier),
            ["now"] = Round(change.Now),
            ["change_percent"] = Round(change.Percent),
        }),
    };

    private static JsonObject? Range(FigureRange? range) => range is not { } known ? null : new JsonObject
    {
        ["median"] = Round(known.Median),
        ["min"] = Round(known.Min),
        ["max"] = Round(known.Max),
    };

    // Ratios of what is lost are small.
    private static JsonNode? Round(double? value) => JsonFigures.Round(value, 6);

    private static JsonArray List<T>(IEnumerable<T> items, Func<T, JsonNode?> convert) => new(items.Select(convert).ToArray());
}
