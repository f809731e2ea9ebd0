namespace PlayChat.Benchmark.Limit;

/// <summary>Reads what loads and servers wrote, as reports with the figures of <see cref="LimitRow.Figures"/>.</summary>
internal static class LimitFigures
{
    private const int CountedLines = 10;

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
        if (ReportFigures.TryParse(output.TrimEnd().Split('\n')[^1]) is not { } load)
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

    /// <summary>Collections and allocations over the last lines, one a second; null when there are too few, or no messages.</summary>
    public static JsonObject? OfKpis(KpiFile kpis)
    {
        KpiSnapshot? last = kpis.ReadNew();
        ServerFigures? figures = kpis.Between(kpis.Lines.ElementAtOrDefault(kpis.Lines.Count - 1 - CountedLines), last);
        return figures?.AllocatedBytesPerMessage is not { } bytes ? null : new JsonObject
        {
            ["gc0"] = figures.Interval.Gc0,
            ["bytes"] = JsonFigures.Round(bytes, 4),
            ["bytes_s"] = JsonFigures.Round(figures.Interval.AllocatedBytesPerSecond / 1024),
        };
    }
}
