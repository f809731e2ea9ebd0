namespace PlayChat.Benchmark.Fanout;

/// <summary>What a crowd sent and received during the measurement.</summary>
internal sealed record CrowdFigures(
    long Messages, long Deliveries, long Expected, long Lost, long Duplicated, long Reordered, long Corrupted)
{
    /// <summary>Whether every message arrived once, in order and unchanged.</summary>
    public bool IsGood => Lost == 0 && Duplicated == 0 && Reordered == 0 && Corrupted == 0;

    /// <summary>Adds the figures to a report.</summary>
    public void Write(JsonObject report, RunOutcome outcome)
    {
        report["messages"] = Messages;
        report["app_in_per_s"] = PerSecond(Messages, outcome);
        report["deliveries"] = Deliveries;
        report["deliveries_per_s"] = PerSecond(Deliveries, outcome);
        report["expected_deliveries"] = Expected;
        report["fan_out"] = JsonFigures.Round(Messages == 0 ? null : (double)Deliveries / Messages);
        report["lost"] = Lost;
        report["duplicated"] = Duplicated;
        report["reordered"] = Reordered;
        report["corrupted"] = Corrupted;
    }

    private static JsonNode? PerSecond(long count, RunOutcome outcome) =>
        JsonFigures.Round(outcome.Seconds > 0 ? count / outcome.Seconds : 0);
}
