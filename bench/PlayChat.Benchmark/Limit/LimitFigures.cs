namespace PlayChat.Benchmark.Limit;

/// <summary>Reads what loads, strace and servers wrote, as reports with the figures of <see cref="LimitRow.Figures"/>.</summary>
internal static class LimitFigures
{
    private const int FewestBatches = 100; // fewer say nothing
    private const int CountedLines = 10;

    private static readonly List<string> s_receives = ["recv", "recvfrom", "recvmsg", "read"];
    private static readonly List<string> s_sends = ["send", "sendto", "sendmsg", "write", "writev"];

    // Counts of a load's report that must be 0, beside those that every run is judged by.
    private static readonly string[] s_faults = ["closed", "connect_failures", "dup", "bad", "misrouted"];

    // Figure, the keys of a load's report that may have it, and its scale. A delivery, or a handshake with a message, counts as a message.
    private static readonly (string Figure, string Keys, double Scale)[] s_read =
    [
        ("cpu", "cpu_us_msg cpu_us_deliv cpu_us_hs", 1), ("rate", "msg_s deliv_s hs_s", 1), ("p50", "p50_us", 1e-3),
        ("p99", "p99_us", 1e-3), ("p999", "p999_us", 1e-3),
        ("server", "server_cpu", 1), ("load", "client_cpu", 1), ("others", "others_cpu", 1),
        ("stalled", "stalled_closed", 1), ("peak", "hwm_kb", 1.0 / 1024), ("kb", "kb_per_conn", 1), ("rss", "rss_after_kb", 1.0 / 1024),
        ("echoed", "all_echoed_s", 1), ("connected", "connect_s", 1),
    ];

    /// <summary>The figures of a load: its JSON line; <see langword="null"/> without one.</summary>
    public static JsonObject? OfLoad(string output)
    {
        if (Parse(output.TrimEnd().Split('\n')[^1]) is not { } load)
        {
            return null;
        }

        foreach ((string figure, string keys, double scale) in s_read)
        {
            load[figure] = JsonFigures.Round(keys.Split(' ').Select(Read).FirstOrDefault(static value => value is not null) * scale, 5);
        }

        load["spread"] = JsonFigures.Round(Read("p99_us") / Read("p50_us"));
        load["even"] = JsonFigures.Round(Read("conn_msgs_max") / Math.Max(Read("conn_msgs_min") ?? 0, 0.01));
        return load;

        double? Read(string key) => ReportFigures.Read(load, key);
    }

    /// <summary>What the counts of a load say that went wrong; <see langword="null"/> when nothing did.</summary>
    public static string? FaultsOf(JsonObject report)
    {
        string[] faults = s_faults.Where(key => ReportFigures.Read(report, key) > 0).Select(key => $"{report[key]} {key}").ToArray();
        return faults.Length == 0 ? null : string.Join(", ", faults);
    }

    /// <summary>
    /// System calls a batch, from strace's table: % time, seconds, µs a call, calls, errors (if any), name. A batch is a receive that
    /// brought something; <see langword="null"/> with too few of them.
    /// </summary>
    public static JsonObject? OfStrace(string table)
    {
        (string Name, double Calls, double Errors)[] calls = table.Split('\n')
            .Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(static fields => fields.Length > 4 && fields[^1] != "total" && char.IsAsciiDigit(fields[0][0]))
            .Select(static fields => (fields[^1], Number(fields[3]), fields.Length > 5 ? Number(fields[4]) : 0))
            .ToArray();
        double batches = calls.Where(static call => s_receives.Contains(call.Name)).Sum(static call => call.Calls - call.Errors);
        return batches < FewestBatches ? null : new JsonObject
        {
            ["receives"] = Of(static name => s_receives.Contains(name)),
            ["sends"] = Of(static name => s_sends.Contains(name)),
            ["calls"] = Of(static name => !s_receives.Contains(name) && !s_sends.Contains(name)),
            ["batches"] = batches,
        };

        JsonNode? Of(Func<string, bool> isOne) =>
            JsonFigures.Round(calls.Where(call => isOne(call.Name)).Sum(static call => call.Calls) / batches);

        static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// Collections and allocations over the last lines, one a second, of a server's figures; <see langword="null"/> when it wrote too
    /// few, or received nothing.
    /// </summary>
    public static JsonObject? OfKpis(IEnumerable<string> lines)
    {
        JsonObject[] last = lines.Select(Parse).OfType<JsonObject>().TakeLast(CountedLines + 1).ToArray();
        return last.Length <= CountedLines || Growth("total.frames_received") is not > 0 ? null : new JsonObject
        {
            ["gc0"] = JsonFigures.Round(Growth("process.gc0")),
            ["bytes"] = JsonFigures.Round(Growth("process.allocated_bytes") / Growth("total.frames_received"), 4),
            ["bytes_s"] = JsonFigures.Round(Growth("process.allocated_bytes") / Growth("uptime_s") / 1024),
        };

        double? Growth(string key) => ReportFigures.Read(last[^1], key) - ReportFigures.Read(last[0], key);
    }

    private static JsonObject? Parse(string line)
    {
        try
        {
            return JsonNode.Parse(line) as JsonObject;
        }
        catch (JsonException)
        {
            return null; // no report, or a line that was cut off
        }
    }
}
