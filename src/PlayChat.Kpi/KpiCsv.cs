using System.Globalization;

namespace PlayChat.Kpi;

/// <summary>Intervals as lines of comma-separated values: numbers with a decimal point, no quotes, a missing figure is empty.</summary>
/// <remarks>
/// The columns, in this order, are named as in <see cref="KpiJson"/>: <c>timestamp</c> and <c>uptime_s</c> of the interval's end; all
/// of <c>interval</c>; its latency as <c>latency_count, latency_mean_us, latency_p50_us … latency_max_us</c> and
/// <c>latency_le_100us … latency_gt_50ms</c>; all of <c>now</c>; <c>working_set_bytes, peak_working_set_bytes</c>; then the extras.
/// </remarks>
public static class KpiCsv
{
    /// <summary>The names of the columns of <see cref="FormatRow"/>, without a line end.</summary>
    /// <param name="interval">Any interval of the server; it tells which extras there are.</param>
    public static string FormatHeader(KpiInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        return string.Join(',', Columns(interval).Select(static column => column.Name));
    }

    /// <summary>The values of an interval, without a line end.</summary>
    public static string FormatRow(KpiInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        return string.Join(',', Columns(interval).Select(static column => column.Value));
    }

    private static IEnumerable<(string Name, string Value)> Columns(KpiInterval interval)
    {
        KpiSnapshot end = interval.Later;
        yield return ("timestamp", end.Timestamp.UtcDateTime.ToString("O", CultureInfo.InvariantCulture));
        yield return ("uptime_s", Number(end.Elapsed.TotalSeconds));
        foreach ((string key, Func<KpiInterval, double> read) in KpiKeys.Interval)
        {
            yield return (key, Number(read(interval)));
        }

        yield return ("latency_count", Number(interval.Latency.Count));
        foreach ((string key, Func<LatencySummary, double> read) in KpiKeys.Latency)
        {
            yield return ($"latency_{key}_us", Number(read(interval.Latency)));
        }

        for (int i = 0; i < LatencySummary.Buckets; i++)
        {
            yield return ($"latency_{LatencySummary.BucketKeys[i]}", Number(interval.Latency.BucketCounts[i]));
        }

        foreach ((string key, Func<KpiSnapshot, long> read) in KpiKeys.Now)
        {
            yield return (key, Number(read(end)));
        }

        yield return ("working_set_bytes", Number(end.Process.WorkingSetBytes));
        yield return ("peak_working_set_bytes", Number(end.Process.PeakWorkingSetBytes));
        foreach (KpiExtra extra in interval.Extras)
        {
            yield return (extra.Key, Number(extra.Value));
        }
    }

    private static string Number(double value) =>
        double.IsFinite(value) ? value.ToString("0.###", CultureInfo.InvariantCulture) : string.Empty;
}
