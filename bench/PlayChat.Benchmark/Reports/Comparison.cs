namespace PlayChat.Benchmark.Reports;

/// <param name="Where">Experiment, server and case; empty for a single run.</param>
/// <param name="Unit">The unit; empty for a count, or where it is in the key.</param>
/// <param name="Earlier">The value, or the median, in the earlier report.</param>
/// <param name="Standing">Whether it became better. <see cref="Standing.Even"/> also when the better direction is not known.</param>
internal sealed record Change(string Where, string Key, string Unit, double Earlier, double Now, Standing Standing);

/// <summary>The changes from an earlier report to a later one, both of a single run or both of experiments.</summary>
/// <param name="Heading">When the earlier run began, and how its machine differs.</param>
internal sealed record Comparison(string Heading, IReadOnlyList<Change> Changes)
{
    // The amount of memory is not compared: it differs by a few bytes after each start of a virtual machine.
    private static readonly string[] s_machine = ["processor", "processors", "os", "architecture", "runtime"];

    public static Comparison OfFiles(string earlier, string later)
    {
        JsonObject before = ReportFiles.Read(earlier);
        JsonObject now = ReportFiles.Read(later);
        return before.ContainsKey("experiments") && now.ContainsKey("experiments")
            ? Of(SuiteReport.Read(earlier), SuiteReport.Read(later))
            : Of(before, now);
    }

    public static Comparison Of(JsonObject earlier, JsonObject later)
    {
        UsageException.Unless(
            earlier["mode"] is { } mode && mode.ToString() == later["mode"]?.ToString(),
            $"compare takes two reports of one kind, not of '{earlier["mode"] ?? "unknown"}' and '{later["mode"] ?? "unknown"}'.");
        ILookup<string, double?> before = ReportFigures.All(earlier)
            .ToLookup(static figure => figure.Path, static figure => figure.Value, StringComparer.Ordinal);
        Change[] changes =
        [
            .. from now in ReportFigures.All(later)
               from old in before[now.Path]
               where now.Value is not null && old is not null
               select new Change(string.Empty, now.Path, string.Empty, old!.Value, now.Value!.Value, Standing.Even),
        ];
        return Of(earlier["started_at"]?.ToString(), earlier["machine"], later["machine"], changes);
    }

    public static Comparison Of(SuiteReport earlier, SuiteReport later)
    {
        Change[] changes =
        [
            .. from now in Ranges(later)
               join before in Ranges(earlier) on (now.Where, now.Figure.Key) equals (before.Where, before.Figure.Key)
               select Compare(now.Where, now.Figure, before.Range, now.Range),
        ];
        string startedAt = earlier.StartedAt.UtcDateTime.ToString("u", CultureInfo.InvariantCulture);
        return Of(startedAt, earlier.Machine, later.Machine, changes);
    }

    public string Format()
    {
        var table = new Table(["of", "figure", "earlier", "now", "change", ""], Changes.Select(static change => (string[])
        [
            change.Where,
            change.Key,
            FigureText.Format(change.Earlier, change.Unit),
            FigureText.Format(change.Now, change.Unit),
            FigureText.PercentChange(change.Earlier, change.Now),
            change.Standing switch { Standing.Ahead => "▲", Standing.Behind => "▼", _ => string.Empty },
        ]).ToArray());
        return $"{Heading}\n\n{table.ToMarkdown()}";
    }

    private static IEnumerable<(string Where, Figure Figure, FigureRange Range)> Ranges(SuiteReport report) =>
        from result in report.Results
        from run in result.Runs
        where run.IsValid
        from figure in result.Experiment.Figures
        let range = run.Range(figure)
        where range is not null
        select ($"{result.Experiment.Name}, {run.Run.Subject}, {run.Run.Case}", figure, range.Value);

    // Ranges that overlap may differ by the machine's noise alone.
    private static Change Compare(string where, Figure figure, FigureRange before, FigureRange now)
    {
        bool overlaps = now.Min <= before.Max && before.Min <= now.Max;
        bool better = now.Median > before.Median == (figure.Better == Better.Higher);
        Standing standing = overlaps ? Standing.Even : better ? Standing.Ahead : Standing.Behind;
        return new Change(where, figure.Key, figure.Unit, before.Median, now.Median, standing);
    }

    private static Comparison Of(string? startedAt, JsonNode? earlier, JsonNode? now, Change[] changes)
    {
        UsageException.Unless(changes.Length > 0, "compare takes two reports that have figures in common; these have none.");
        string[] differences = s_machine
            .Where(key => earlier?[key]?.ToString() != now?[key]?.ToString())
            .Select(key => $"{key} {earlier?[key]?.ToString() ?? "unknown"}, then {now?[key]?.ToString() ?? "unknown"}")
            .ToArray();
        string machine = differences.Length == 0
            ? "."
            : $", which was measured on another machine or runtime ({string.Join("; ", differences)}). That may explain the changes.";
        return new Comparison($"Compared with the report of {startedAt ?? "an unknown time"}{machine}", changes);
    }
}
