namespace PlayChat.Benchmark.Reports;

/// <summary>The report of one run, from which JSON and text are made.</summary>
/// <param name="Json">The figures; the keys are documented in bench/README.md.</param>
/// <param name="Good">Whether every message arrived, once and in order.</param>
internal sealed record RunReport(JsonObject Json, bool Good)
{
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

    private static JsonObject Interval(IntervalFigures row) => new()
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
