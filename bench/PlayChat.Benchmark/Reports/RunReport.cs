using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Machine;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Reports;

/// <summary>The report of one run, from which JSON, CSV and text are made.</summary>
/// <param name="Json">The figures; the keys are documented in bench/README.md.</param>
/// <param name="Good">Whether every message arrived, once and in order.</param>
internal sealed record RunReport(JsonObject Json, bool Good)
{
    private static readonly JsonSerializerOptions s_readable =
        new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Makes the report of a run.</summary>
    /// <param name="scenario">The load.</param>
    /// <param name="plan">The length of each phase.</param>
    /// <param name="outcome">The outcome.</param>
    /// <param name="commandLine">The command line, to repeat the run.</param>
    public static RunReport Create(IScenario scenario, RunPlan plan, RunOutcome outcome, string commandLine)
    {
        var json = new JsonObject { ["mode"] = scenario.Name };
        scenario.WriteSettings(json);
        json["warmup_s"] = JsonFigures.Round(outcome.WarmedUp.TotalSeconds);
        json["duration_s"] = JsonFigures.Round(outcome.Seconds);
        bool good = scenario.WriteFigures(json, outcome);
        json["server"] = JsonFigures.Server(outcome.Server);
        if (outcome.Cluster is { } cluster)
        {
            json["cluster"] = ClusterJson.Of(cluster, (double?)json["deliveries_per_s"] ?? 0);
        }

        json["client"] = JsonFigures.Client(outcome.Client);
        json["interrupted"] = outcome.Interrupted;
        json["started_at"] = outcome.MeasuredFrom.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
        json["command_line"] = commandLine;
        json["machine"] = MachineInfo.ToJson();
        json["intervals"] = new JsonArray(outcome.Intervals.Select(static row => (JsonNode)Interval(row)).ToArray());
        return new RunReport(json, good);
    }

    /// <summary>Writes the JSON and the CSV file. A file without a path is left out.</summary>
    /// <exception cref="RunFailedException">The system does not let a file be written.</exception>
    public async Task WriteAsync(string? jsonPath, string? csvPath)
    {
        await WriteAsync(jsonPath, () => Json.ToJsonString(s_readable) + "\n");
        await WriteAsync(csvPath, () => CsvReport.Format(Json));
    }

    private static async Task WriteAsync(string? path, Func<string> format)
    {
        if (path is null)
        {
            return;
        }

        try
        {
            await File.WriteAllTextAsync(path, format());
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RunFailedException($"Cannot write the report to '{path}': {e.Message}");
        }
    }

    private static JsonObject Interval(IntervalFigures row)
    {
        JsonObject json = WithoutNodes(row);
        if (row.Nodes.Count > 0)
        {
            json["nodes"] = ClusterJson.Interval(row.Nodes);
        }

        return json;
    }

    private static JsonObject WithoutNodes(IntervalFigures row) => new()
    {
        ["phase"] = row.Phase.ToString().ToLowerInvariant(),
        ["at_s"] = JsonFigures.Round(row.AtSeconds),
        ["sent_per_s"] = JsonFigures.Round(row.SentPerSecond),
        ["received_per_s"] = JsonFigures.Round(row.ReceivedPerSecond),
        ["latency_us"] = JsonFigures.Latency(row.Latency),
        ["connections"] = row.Connections,
        ["server"] = row.Server is null ? null : JsonFigures.Server(row.Server),
        ["server_cpu_percent"] = JsonFigures.Round(row.Server?.Interval.CpuPercent),
        ["server_working_set_bytes"] = row.Server?.Last.Process.WorkingSetBytes,
    };
}
