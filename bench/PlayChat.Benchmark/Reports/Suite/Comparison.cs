using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>This report beside an earlier one.</summary>
/// <param name="EarlierStartedAt">When that one began, as it says.</param>
/// <param name="OtherMachine">How its machine differs; <see langword="null"/>: it is the same.</param>
/// <param name="Changes">Each figure that both have.</param>
internal sealed record Comparison(string? EarlierStartedAt, string? OtherMachine, IReadOnlyList<Change> Changes)
{
    // Memory differs by a few bytes from one start of a virtual machine to the next, so it is not asked.
    private static readonly string[] s_machine = ["processor", "processors", "os", "architecture", "runtime"];

    /// <summary>Checks that an earlier report is of the kind that a command makes.</summary>
    /// <param name="earlier">The report.</param>
    /// <param name="experiments">Whether it must be of experiments, not of one run.</param>
    /// <exception cref="UsageException">It is of another kind.</exception>
    public static void Check(JsonObject earlier, bool experiments)
    {
        if (experiments && earlier["experiments"] is not JsonArray)
        {
            throw new UsageException("--compare takes the results.json of an experiment's or the suite's report.");
        }

        if (!experiments && earlier["mode"] is null)
        {
            throw new UsageException("--compare takes the JSON report of a single run (--json).");
        }

        if (experiments && (earlier["schema"] is not JsonValue schema || !schema.TryGetValue(out int number) || number != SuiteJson.Schema))
        {
            throw new UsageException($"--compare: schema {earlier["schema"]?.ToJsonString() ?? "none"} is not the present one, {SuiteJson.Schema}.");
        }
    }

    /// <summary>Two reports of a single run.</summary>
    /// <exception cref="UsageException">They are of different kinds of run.</exception>
    public static Comparison Of(JsonObject earlier, JsonObject now)
    {
        if (earlier["mode"]?.ToString() != now["mode"]?.ToString())
        {
            throw new UsageException($"--compare: the earlier report is of '{earlier["mode"]}', not of '{now["mode"]}'.");
        }

        IReadOnlyList<(string Path, double? Value)> before = ReportFigures.All(earlier);
        return new Comparison(
            Text(earlier["started_at"]),
            Difference(earlier["machine"], now["machine"]),
            ReportFigures.All(now)
                .Join(before, static figure => figure.Path, static figure => figure.Path, static (later, sooner) => (later.Path, Earlier: sooner.Value, Now: later.Value), StringComparer.Ordinal)
                .Where(static figure => figure is { Earlier: not null, Now: not null })
                .Select(static figure => new Change(string.Empty, figure.Path, string.Empty, figure.Earlier!.Value, figure.Now!.Value, Standing.Even))
                .ToArray());
    }

    /// <summary>Experiments and an earlier results.json.</summary>
    public static Comparison Of(JsonObject earlier, IReadOnlyList<ExperimentResult> results, JsonObject machine)
    {
        Dictionary<(string Experiment, string Subject, string Case, string Key), FigureRange> before = Ranges(earlier);
        return new Comparison(
            Text(earlier["started_at"]),
            Difference(earlier["machine"], machine),
            results
                .SelectMany(static result => result.Runs.Where(static run => run.IsValid).SelectMany(run => result.Experiment.Figures.Select(figure => (result.Experiment, run.Run, Figure: figure, Range: run.Range(figure)))))
                .Where(now => now.Range is not null && before.ContainsKey((now.Experiment.Name, now.Run.Subject, now.Run.Case, now.Figure.Key)))
                .Select(now => Compare(
                    $"{now.Experiment.Name}, {now.Run.Subject}, {now.Run.Case}",
                    now.Figure,
                    before[(now.Experiment.Name, now.Run.Subject, now.Run.Case, now.Figure.Key)],
                    now.Range!.Value))
                .ToArray());
    }

    /// <summary>For a terminal.</summary>
    public string Format()
    {
        var text = new StringBuilder();
        text.Append(Heading);
        int places = Changes.Select(static change => change.Where.Length).DefaultIfEmpty().Max();
        int keys = Changes.Select(static change => change.Key.Length).DefaultIfEmpty().Max();
        foreach (Change change in Changes)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n  {change.Where.PadRight(places)}{(places > 0 ? "  " : string.Empty)}{change.Key.PadRight(keys)}");
            text.Append(CultureInfo.InvariantCulture, $"  {FigureText.Format(change.Earlier, change.Unit),16} -> {FigureText.Format(change.Now, change.Unit),-16} {FigureText.Change(change.Earlier, change.Now),9}");
        }

        return text.ToString();
    }

    /// <summary>What the changes are against, and whether they mean anything.</summary>
    public string Heading => $"Compared with the report of {EarlierStartedAt ?? "an unknown time"}"
        + (OtherMachine is null ? "." : $", which is of another machine or runtime ({OtherMachine}): the changes are not the program's alone.")
        + (Changes.Count == 0 ? " They have no figure in common." : string.Empty);

    // What overlaps may be the machine's noise.
    private static Change Compare(string where, Figure figure, FigureRange before, FigureRange now)
    {
        bool overlaps = now.Min <= before.Max && before.Min <= now.Max;
        bool better = now.Median > before.Median == (figure.Better == Better.Higher);
        return new Change(where, figure.Key, figure.Unit, before.Median, now.Median, overlaps ? Standing.Even : better ? Standing.Ahead : Standing.Behind);
    }

    private static Dictionary<(string Experiment, string Subject, string Case, string Key), FigureRange> Ranges(JsonObject report)
    {
        var ranges = new Dictionary<(string, string, string, string), FigureRange>();
        foreach (JsonObject experiment in Objects(report["experiments"]))
        {
            foreach (JsonObject run in Objects(experiment["runs"]).Where(IsValid))
            {
                foreach ((string key, JsonNode? figure) in run["figures"] as JsonObject ?? [])
                {
                    if (figure is JsonObject && Number(figure["median"]) is { } median && Number(figure["min"]) is { } min && Number(figure["max"]) is { } max)
                    {
                        ranges[(Text(experiment["name"]) ?? string.Empty, Text(run["subject"]) ?? string.Empty, Text(run["case"]) ?? string.Empty, key)] = new FigureRange(median, min, max);
                    }
                }
            }
        }

        return ranges;
    }

    private static string? Difference(JsonNode? earlier, JsonNode? now)
    {
        string[] differences = s_machine
            .Where(key => earlier?[key]?.ToString() != now?[key]?.ToString())
            .Select(key => $"{key} {earlier?[key]?.ToString() ?? "unknown"}, here {now?[key]?.ToString() ?? "unknown"}")
            .ToArray();
        return differences.Length == 0 ? null : string.Join("; ", differences);
    }

    private static bool IsValid(JsonObject run) => run["good"] is not JsonArray rounds || rounds.Any(static good => good?.ToJsonString() == "true");

    private static IEnumerable<JsonObject> Objects(JsonNode? list) => (list as JsonArray)?.OfType<JsonObject>() ?? [];

    private static string? Text(JsonNode? node) => node?.ToString();

    private static double? Number(JsonNode? node) => node is JsonValue value && value.TryGetValue(out double number) ? number : null;
}
