using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>A row of an <see cref="IntervalTable"/>: the figures of one moment, measured here or published by others.</summary>
/// <param name="Subject">The server.</param>
/// <param name="Published">Whether others published it.</param>
/// <param name="Values">In the order of <see cref="IntervalTable.Columns"/>; <see langword="null"/> when a figure is not known.</param>
internal sealed record IntervalRow(string Subject, bool Published, IReadOnlyList<double?> Values)
{
    /// <summary>Makes the rows: those of each measured server, as many as were published, then the published ones.</summary>
    public static IReadOnlyList<IntervalRow> Of(IntervalTable table, ExperimentResult result) =>
    [
        .. result.Runs.Where(run => run.Run.Case == table.Case).SelectMany(run => Measured(run, table)),
        .. table.Published.Select(row =>
            new IntervalRow(table.Subject, Published: true, row.Select(static value => (double?)value).ToArray())),
    ];

    // Evenly spread over the measurement, so that they show the same as the published ones however long it took.
    private static IEnumerable<IntervalRow> Measured(RunResult run, IntervalTable table)
    {
        JsonObject[] all = (run.Counted.FirstOrDefault()?.Report?["intervals"] as JsonArray ?? [])
            .OfType<JsonObject>()
            .Where(static interval => interval["phase"]?.ToString() == "measure")
            .ToArray();
        int wanted = Math.Min(all.Length, table.Published.Count);
        return Enumerable.Range(1, wanted)
            .Select(i => all[(all.Length * i / wanted) - 1])
            .Select(interval => new IntervalRow(
                run.Run.Subject,
                Published: false,
                table.Columns.Select(column => RunResult.Read(interval, column)).ToArray()));
    }
}
