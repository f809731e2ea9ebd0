using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>The report of one run for a terminal: one line per topic.</summary>
internal static class SummaryText
{
    /// <summary>Formats the summary.</summary>
    /// <param name="report">The report.</param>
    /// <param name="faults">The first few faults, one line each.</param>
    public static string Format(RunReport report, IReadOnlyList<string> faults)
    {
        JsonObject json = report.Json;
        string mode = json["mode"]!.GetValue<string>();
        bool hasDeliveries = mode is "chat" or "broadcast" or "classroom";
        var lines = new SummaryLines();
        lines.Add("run", json, mode switch
        {
            "ramp" => "ramp, {ramp} more connections each {ramp_interval_s} s up to {connections}, "
                + "{size} bytes each {message_interval_s} s",
            "capacity" => "capacity, {clients} clients in {rooms} rooms, mix {mix}, p99 at most {p99_limit_ms} ms",
            _ when hasDeliveries => "{mode}, {clients} clients in {rooms} rooms, {rps} messages/s each, mix {mix}",
            _ => "echo, {ccu} connections, {inflight} outstanding on each, {size} bytes, {framing}"
                + (json["rate"] is null ? string.Empty : ", open loop at {rate}/s"),
        });
        lines.Add(
            "measured",
            json,
            "{duration_s} s" + (json["warmup_s"] is null ? string.Empty : " after {warmup_s} s of warm-up")
            + (json["interrupted"]!.GetValue<bool>() ? ", interrupted" : string.Empty));
        if (hasDeliveries)
        {
            DeliverySummary.Add(lines, json);
        }
        else if (mode == "capacity")
        {
            AddCapacity(lines, json);
        }
        else if (mode == "ramp")
        {
            AddRamp(lines, json);
        }
        else
        {
            AddEcho(lines, json);
        }

        if (json["invalid_because"] is JsonNode invalid)
        {
            lines.Add("NOT VALID", invalid.GetValue<string>());
        }

        if (json["cluster"] is JsonObject cluster)
        {
            AddCluster(lines, cluster);
        }
        else
        {
            AddServer(lines, json["server"]!.AsObject(), hasDeliveries);
        }

        foreach (string fault in faults)
        {
            lines.Add("fault", fault);
        }

        return lines.ToString();
    }

    private static void AddCapacity(SummaryLines lines, JsonObject json)
    {
        foreach (JsonObject step in json["steps"]!.AsArray().Cast<JsonObject>())
        {
            string outcome = step["why_not"]?.GetValue<string>() ?? "held";
            lines.Add("step", SummaryLines.Fill(step, "{rps}/s each: {deliveries_per_s} deliveries/s, p99 {p99_us} µs, ") + outcome);
        }

        lines.Add(
            "capacity",
            json,
            "{deliveries_per_s} deliveries/s at {rps} messages/s each, p99 {p99_at_capacity_us} µs; limited by {limited_by}");
    }

    private static void AddRamp(SummaryLines lines, JsonObject json)
    {
        lines.Add("connections", json, "{accepted} of {connections} accepted, {refused} refused, {open} open at the end");
        lines.Add("messages", json, "{messages}, {errors} errors, {incomplete} incomplete");
        lines.Add(
            "server",
            json,
            "CPU {cpu_percent_average} % on average, {cpu_percent_max} % at most, {cpu_percent_held} % when all were there; "
            + "{memory_bytes_per_connection} bytes a connection");
        lines.AddLatency("rtt", json["rtt_us"]);
    }

    private static void AddEcho(SummaryLines lines, JsonObject json)
    {
        lines.Add("messages", json, "{messages} ({messages_per_s}/s)");
        lines.Add("checked", json, "{errors} errors, {incomplete} incomplete, {gating_violation} over the window");
        lines.AddLatency("rtt", json["rtt_us"]);
        if (json["uncorrected_rtt_us"] is JsonObject uncorrected)
        {
            lines.AddLatency("uncorrected", uncorrected);
            lines.AddLatency("send lag", json["send_lag_us"]);
        }
    }

    private static void AddCluster(SummaryLines lines, JsonObject cluster)
    {
        lines.Add(
            "CPU",
            cluster,
            "{nodes_cpu_us_per_delivery} µs a delivery of all nodes, {log_and_database_cpu_us_per_delivery} µs of log and database");
        if ((int)cluster["nodes"]! > 0)
        {
            lines.Add(
                "log",
                cluster,
                "{engine}: lag {log_lag_ms_mean} ms on average, {log_lag_ms_max} ms at most; {unconfirmed_batches_max} batches unconfirmed "
                + "at most, {redeliveries} delivered again");
            lines.Add("nodes", cluster, "{nodes}: {redirects} redirects, lease age {lease_age_ms_max} ms at most");
        }
    }

    private static void AddServer(SummaryLines lines, JsonObject server, bool hasDeliveries)
    {
        if (server["cpu_percent"] is null)
        {
            lines.Add("server", "not known");
            return;
        }

        string delivery = hasDeliveries ? ", {cpu_us_per_delivery} µs a delivery" : string.Empty;
        lines.Add("server", server, "{cpu_us_per_message} µs CPU a message" + delivery + ", {frames_per_send} frames per send");
    }
}
