using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Reports;

/// <summary>A report for a person: a line for each subject.</summary>
internal static class SummaryText
{
    private const int TitleWidth = 12;

    private static readonly string[] s_percentiles = ["mean", "p50", "p90", "p99", "p999", "max"];

    public static string Format(RunReport report, IReadOnlyList<string> faults)
    {
        JsonObject json = report.Json;
        var text = new StringBuilder();
        string mode = json["mode"]!.GetValue<string>();
        bool chat = mode is "chat" or "broadcast" or "classroom"; // all that have deliveries
        Line(text, "run", mode switch
        {
            _ when chat => $"{mode}, {Number(json, "clients")} clients in {Number(json, "rooms")} rooms, {Number(json, "rps")} messages/s each, mix {json["mix"]}",
            "ramp" => $"ramp, {Number(json, "ramp")} more connections each {Number(json, "ramp_interval_s")} s up to {Number(json, "connections")}, {Number(json, "size")} bytes each {Number(json, "message_interval_s")} s",
            "capacity" => $"capacity, {Number(json, "clients")} clients in {Number(json, "rooms")} rooms, mix {json["mix"]}, p99 at most {Number(json, "p99_limit_ms")} ms",
            _ => $"echo, {Number(json, "ccu")} connections, {Number(json, "inflight")} outstanding on each, {Number(json, "size")} bytes, {json["framing"]}{(json["rate"] is null ? string.Empty : $", open loop at {Number(json, "rate")}/s")}",
        });
        Line(text, "measured", $"{Number(json, "duration_s")} s{(json["interrupted"]!.GetValue<bool>() ? ", interrupted" : string.Empty)}");
        if (chat)
        {
            Line(text, "messages", $"{Number(json, "messages")} in ({Number(json, "app_in_per_s")}/s)");
            Line(text, "deliveries", $"{Number(json, "deliveries")} of {Number(json, "expected_deliveries")} expected ({Number(json, "deliveries_per_s")}/s), {Number(json, "deliveries_per_io")} per send");
            Line(text, "checked", $"{Number(json, "lost")} lost, {Number(json, "duplicated")} duplicated, {Number(json, "reordered")} reordered, {Number(json, "corrupted")} corrupted, {Number(json, "errors")} errors");
            Latency(text, "latency", json["latency_us"]!.AsObject());
            Line(text, "buckets", string.Join(", ", json["latency_buckets"]!.AsObject().Select(static bucket => $"{bucket.Key} {Format(bucket.Value)}")));
            Latency(text, "send lag", json["send_lag_us"]!.AsObject());
            Fanout(text, json["fanout"]!.AsObject());
            if (json["observer"] is JsonObject observer)
            {
                Line(text, "observer", $"Sum {Number(observer, "sum_ms")} ms, Count {Number(observer, "count")}, Max {Number(observer, "max_ms")} ms, Min {Number(observer, "min_ms")} ms, Average {Number(observer, "average_ms")} ms");
            }

            if (json["connecting"] is JsonObject connecting)
            {
                Line(text, "connecting", $"{Number(connecting, "served")} of {Number(connecting, "asked")} served in {Number(connecting, "seconds")} s, {Number(connecting, "at_once")} at once");
            }

            if (json["stalled"] is JsonObject stalled)
            {
                Line(text, "stalled", $"{Number(stalled, "reset")} of {Number(stalled, "clients")} reset by the server");
            }

            if (json["silent"] is JsonObject silent)
            {
                Line(text, "silent", $"{Number(silent, "reset")} of {Number(silent, "clients")} reset, {Number(silent, "closed_as_slow_consumer")} closed as SlowConsumer");
            }

            if (json["flood"] is JsonObject flood)
            {
                Line(text, "flood", $"{Number(flood, "deliveries")} of {Number(flood, "expected_deliveries")} deliveries expected ({Number(flood, "deliveries_per_s")}/s), {Number(flood, "lost")} lost, {Number(flood, "duplicated")} duplicated, {Number(flood, "reordered")} reordered, {Number(flood, "corrupted")} corrupted");
                Latency(text, "its latency", flood["latency_us"]!.AsObject());
            }
        }
        else if (mode == "capacity")
        {
            foreach (JsonObject step in json["steps"]!.AsArray().Cast<JsonObject>())
            {
                Line(text, "step", $"{Number(step, "rps")}/s each: {Number(step, "deliveries_per_s")} deliveries/s, p99 {Number(step, "p99_us")} µs, {(step["why_not"] is { } why ? why.GetValue<string>() : "held")}");
            }

            Line(text, "capacity", $"{Number(json, "deliveries_per_s")} deliveries/s at {Number(json, "rps")} messages/s each, p99 {Number(json, "p99_at_capacity_us")} µs; limited by {json["limited_by"]?.GetValue<string>() ?? "-"}");
        }
        else if (mode == "ramp")
        {
            Line(text, "connections", $"{Number(json, "accepted")} of {Number(json, "connections")} accepted, {Number(json, "refused")} refused, {Number(json, "open")} open at the end");
            Line(text, "messages", $"{Number(json, "messages")}, {Number(json, "errors")} errors, {Number(json, "incomplete")} incomplete");
            Line(text, "server", $"CPU {Number(json, "cpu_percent_average")} % on average, {Number(json, "cpu_percent_max")} % at most, {Number(json, "cpu_percent_held")} % when all were there; {Number(json, "memory_bytes_per_connection")} bytes a connection");
            Latency(text, "rtt", json["rtt_us"]!.AsObject());
        }
        else
        {
            Line(text, "messages", $"{Number(json, "messages")} ({Number(json, "messages_per_s")}/s)");
            Line(text, "checked", $"{Number(json, "errors")} errors, {Number(json, "incomplete")} incomplete, {Number(json, "gating_violation")} over the window");
            Latency(text, "rtt", json["rtt_us"]!.AsObject());
            if (json["uncorrected_rtt_us"] is JsonObject uncorrected)
            {
                Latency(text, "uncorrected", uncorrected);
                Latency(text, "send lag", json["send_lag_us"]!.AsObject());
            }
        }

        if (json["invalid_because"] is JsonNode invalid)
        {
            Line(text, "NOT VALID", invalid.GetValue<string>());
        }

        JsonObject server = json["server"]!.AsObject();
        Line(text, "server", server["cpu_percent"] is null
            ? "not known"
            : $"{Number(server, "cpu_us_per_message")} µs CPU a message{(chat ? $", {Number(server, "cpu_us_per_delivery")} µs a delivery" : string.Empty)}, {Number(server, "frames_per_send")} frames per send");
        foreach (string fault in faults)
        {
            Line(text, "fault", fault);
        }

        return text.ToString(0, text.Length - 1);
    }

    private static void Fanout(StringBuilder text, JsonObject fanout)
    {
        Line(text, "fan-out", $"{Number(fanout, "delivered")} of {Number(fanout, "expected")} expected, {Number(fanout, "late")} late (over {Number(fanout, "late_limit_ms")} ms), {Number(fanout, "twice")} twice, {Number(fanout, "out_of_order")} out of order, {Number(fanout, "stalled_readers")} stalled readers");
        Latency(text, "last member", fanout["last_member_us"]!.AsObject());
        Line(text, "rooms", $"p99 {Number(fanout, "median_room_p99_us")} µs in the median room, {Number(fanout, "slowest_room_p99_us")} µs in the slowest ({Number(fanout, "slowest_room")}), {Number(fanout, "slowest_by_median")} times as long");
    }

    private static void Line(StringBuilder text, string title, string value) =>
        text.Append(title.PadRight(TitleWidth)).Append(' ').Append(value).Append('\n');

    private static void Latency(StringBuilder text, string title, JsonObject latency) =>
        Line(text, title, string.Join(", ", s_percentiles.Select(key => $"{key} {Number(latency, key)}")) + " µs");

    private static string Number(JsonObject owner, string key) => Format(owner[key]);

    private static string Format(JsonNode? value) =>
        value is null ? "-" : Format(double.Parse(value.ToJsonString(), CultureInfo.InvariantCulture));

    private static string Format(double value) => value.ToString(Math.Abs(value) < 1000 ? "#,0.###" : "#,0", CultureInfo.InvariantCulture);
}
