using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>The summary of a load whose messages are delivered to rooms: chat, broadcast and classroom.</summary>
internal static class DeliverySummary
{
    private const string Checked = "{lost} lost, {duplicated} duplicated, {reordered} reordered, {corrupted} corrupted";

    /// <summary>Adds its lines.</summary>
    public static void Add(SummaryLines lines, JsonObject report)
    {
        lines.Add("messages", report, "{messages} in ({app_in_per_s}/s)");
        lines.Add(
            "deliveries", report, "{deliveries} of {expected_deliveries} expected ({deliveries_per_s}/s), {deliveries_per_io} per send");
        lines.Add("checked", report, Checked + ", {errors} errors");
        lines.AddLatency("latency", report["latency_us"]);
        IEnumerable<string> buckets = report["latency_buckets"]!.AsObject()
            .Select(static bucket => $"{bucket.Key} {SummaryLines.Format(bucket.Value)}");
        lines.Add("buckets", string.Join(", ", buckets));
        lines.AddLatency("send lag", report["send_lag_us"]);
        AddFanout(lines, report["fanout"]!.AsObject());
        AddParts(lines, report);
    }

    private static void AddFanout(SummaryLines lines, JsonObject fanout)
    {
        lines.Add(
            "fan-out",
            fanout,
            "{delivered} of {expected} expected, {late} late (over {late_limit_ms} ms), {twice} twice, {out_of_order} out of order, "
            + "{stalled_readers} stalled readers");
        if (fanout["last_member_us"] is { } lastMember)
        {
            lines.AddLatency("last member", lastMember);
        }

        lines.Add(
            "rooms",
            fanout,
            "p99 {median_room_p99_us} µs in the median room, {slowest_room_p99_us} µs in the slowest ({slowest_room}), "
            + "{slowest_by_median} times as long");
    }

    // Parts that only some loads have.
    private static void AddParts(SummaryLines lines, JsonObject report)
    {
        if (report["observer"] is JsonObject observer)
        {
            lines.Add(
                "observer", observer, "Sum {sum_ms} ms, Count {count}, Max {max_ms} ms, Min {min_ms} ms, Average {average_ms} ms");
        }

        if (report["client_processes"] is JsonObject clients)
        {
            lines.Add("clients", clients, "{processes} processes, CPU {cpu_percent} %, peak memory {peak_working_set_mb} MB in all");
        }

        if (report["connecting"] is JsonObject connecting)
        {
            lines.Add("connecting", connecting, "{served} of {asked} served in {seconds} s, {at_once} at once");
        }

        if (report["stalled"] is JsonObject stalled)
        {
            lines.Add("stalled", stalled, "{reset} of {clients} reset by the server");
        }

        if (report["silent"] is JsonObject silent)
        {
            lines.Add("silent", silent, "{reset} of {clients} reset, {closed_as_slow_consumer} closed as SlowConsumer");
        }

        if (report["flood"] is JsonObject flood)
        {
            lines.Add("flood", flood, "{deliveries} of {expected_deliveries} deliveries expected ({deliveries_per_s}/s), " + Checked);
            lines.AddLatency("its latency", flood["latency_us"]);
        }
    }
}
