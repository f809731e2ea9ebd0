using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>The changes from an earlier report to this one.</summary>
/// <param name="EarlierStartedAt">When the earlier run began, as its report says.</param>
/// <param name="OtherMachine">How its machine differs; <see langword="null"/> when it is the same.</param>
/// <param name="Changes">Each figure that both reports have.</param>
internal sealed record Comparison(string? EarlierStartedAt, string? OtherMachine, IReadOnlyList<Change> Changes)
{
    // The amount of memory is not compared: it differs by a few bytes after each start of a virtual machine.
    private static readonly string[] s_machine = ["processor", "processors", "os", "architecture", "runtime"];

    /// <summary>Checks that an earlier report is of the kind that the command makes.</summary>
    /// <param name="earlier">The report.</param>
    /// <param name="experiments">Whether the command runs experiments, not one load.</param>
    /// <exception cref="UsageException">The report is of another kind, or of a schema that this version cannot read.</exception>
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

        if (experiments && !IsReadable(earlier["schema"]))
        {
            throw new UsageException(
                $"--compare cannot read a report of schema {earlier["schema"]?.ToJsonString() ?? "none"}. "
                + $"This version reads {SuiteJson.OldestReadableSchema} to {SuiteJson.Schema}.");
        }
    }

    /// <summary>Compares two reports of a single run.</summary>
    /// <exception cref="UsageException">The reports are of different loads.</exception>
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
                .Join(
                    before,
                    static figure => figure.Path,
                    static figure => figure.Path,
                    static (later, sooner) => (later.Path, Earlier: sooner.Value, Now: later.Value),
                    StringComparer.Ordinal)
                .Where(static figure => figure is { Earlier: not null, Now: not null })
                .Select(static figure => new Change(
                    string.Empty, figure.Path, string.Empty, figure.Earlier!.Value, figure.Now!.Value, Standing.Even))
                .ToArray());
    }

    /// <summary>Compares experiments with an earlier <c>results.json</c>.</summary>
    public static Comparison Of(JsonObject earlier, IReadOnlyList<ExperimentResult> results, JsonObject machine)
    {
        IReadOnlyDictionary<FigurePlace, FigureRange> before = EarlierFigures.Read(earlier);
        return new Comparison(
            Text(earlier["started_at"]),
            Difference(earlier["machine"], machine),
            results
                .SelectMany(static result => result.Runs.Where(static run => run.IsValid).SelectMany(run => Ranges(result.Experiment, run)))
                .Where(now => before.ContainsKey(now.Place))
                .Select(now => Compare(now.Place, now.Figure, before[now.Place], now.Range))
                .ToArray());
    }

    /// <summary>Formats the changes for a terminal.</summary>
    public string Format()
    {
        var text = new StringBuilder();
        text.Append(Heading);
        int places = Changes.Select(static change => change.Where.Length).DefaultIfEmpty().Max();
        int keys = Changes.Select(static change => change.Key.Length).DefaultIfEmpty().Max();
        foreach (Change change in Changes)
        {
            string earlier = FigureText.Format(change.Earlier, change.Unit);
            string now = FigureText.Format(change.Now, change.Unit);
            string percent = FigureText.PercentChange(change.Earlier, change.Now);
            text.Append("\n  ").Append(change.Where.PadRight(places)).Append(places > 0 ? "  " : string.Empty);
            text.Append(change.Key.PadRight(keys));
            text.Append(CultureInfo.InvariantCulture, $"  {earlier,16} -> {now,-16} {percent,9}");
        }

        return text.ToString();
    }

    /// <summary>The time of the earlier report, and whether it is of the same machine.</summary>
    public string Heading => $"Compared with the report of {EarlierStartedAt ?? "an unknown time"}"
        + (OtherMachine is null
            ? "."
            : $", which was measured on another machine or runtime ({OtherMachine}). The machine may explain the changes.")
        + (Changes.Count == 0 ? " The reports have no figure in common." : string.Empty);

    private static IEnumerable<(FigurePlace Place, Figure Figure, FigureRange Range)> Ranges(Experiment experiment, RunResult run) =>
        from figure in experiment.Figures
        let range = run.Range(figure)
        where range is not null
        select (new FigurePlace(experiment.Name, run.Run.Subject, run.Run.Case, figure.Key), figure, range.Value);

    // Ranges that overlap may differ by the machine's noise alone.
    private static Change Compare(FigurePlace place, Figure figure, FigureRange before, FigureRange now)
    {
        bool overlaps = now.Min <= before.Max && before.Min <= now.Max;
        bool better = now.Median > before.Median == (figure.Better == Better.Higher);
        Standing standing = overlaps ? Standing.Even : better ? Standing.Ahead : Standing.Behind;
        return new Change(place.Where, figure.Key, figure.Unit, before.Median, now.Median, standing);
    }

    private static string? Difference(JsonNode? earlier, JsonNode? now)
    {
        string[] differences = s_machine
            .Where(key => earlier?[key]?.ToString() != now?[key]?.ToString())
            .Select(key => $"{key} {earlier?[key]?.ToString() ?? "unknown"}, here {now?[key]?.ToString() ?? "unknown"}")
            .ToArray();
        return differences.Length == 0 ? null : string.Join("; ", differences);
    }

    private static bool IsReadable(JsonNode? schema) =>
        schema is JsonValue value
        && value.TryGetValue(out int number)
        && number is >= SuiteJson.OldestReadableSchema and <= SuiteJson.Schema;

    private static string? Text(JsonNode? node) => node?.ToString();
}
