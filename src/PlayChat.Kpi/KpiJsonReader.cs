using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Kpi;

/// <summary>
/// Reads a line of <see cref="KpiJson"/> as a snapshot. A missing key means 0, so that lines with fewer keys are read too.
/// </summary>
internal static class KpiJsonReader
{
    internal static bool TryParse(string? line, KpiSnapshot? previous, [NotNullWhen(true)] out KpiSnapshot? snapshot)
    {
        snapshot = null;
        if (string.IsNullOrWhiteSpace(line))
        {
            return false;
        }

        try
        {
            using var document = JsonDocument.Parse(line);
            snapshot = Read(document.RootElement, previous);
            return snapshot is not null;
        }
        catch (Exception e) when (
            e is JsonException or FormatException or InvalidOperationException or KeyNotFoundException or OverflowException)
        {
            // A key is missing, or its value is of another kind: another program wrote the line.
            return false;
        }
    }

    private static KpiSnapshot? Read(JsonElement root, KpiSnapshot? previous)
    {
        JsonElement totals = root.GetProperty("total");
        JsonElement process = root.GetProperty("process");
        JsonElement now = Part(root, "now");
        var elapsed = TimeSpan.FromSeconds(root.GetProperty("uptime_s").GetDouble());
        KpiSnapshot? before = previous is not null && elapsed >= previous.Elapsed ? previous : null;

        LatencyHistogram? histogram = ReadHistogram(root);
        if (histogram is null || (before is not null && !histogram.Contains(before.Histogram)))
        {
            return null;
        }

        return new KpiSnapshot(
            before?.Source ?? new object(),
            KpiKeys.OfTotals.ToDictionary(static total => total.Name, total => Whole(totals, total.Key), StringComparer.Ordinal),
            ReadCloses(Part(root, "closes")),
            histogram,
            ReadMark(root, before),
            ReadExtras(root))
        {
            Timestamp = root.GetProperty("timestamp").GetDateTimeOffset(),
            Elapsed = elapsed,
            SendBuffersInUse = Whole(now, "send_buffers_in_use"),
            PoolInUse = Whole(now, "pool_in_use"),
            Process = ReadProcess(process),
        };
    }

    private static ProcessFigures ReadProcess(JsonElement process) => new(
        Milliseconds(process, "cpu_ms"),
        Whole(process, "working_set_bytes"),
        Whole(process, "peak_working_set_bytes"),
        checked((int)Whole(process, "gc0")),
        checked((int)Whole(process, "gc1")),
        checked((int)Whole(process, "gc2")),
        Milliseconds(process, "gc_pause_ms"),
        Whole(process, "allocated_bytes"));

    private static long[] ReadCloses(JsonElement closes) =>
        Array.ConvertAll(Enum.GetValues<CloseReason>(), reason => Whole(closes, KpiKeys.OfCloseReason(reason)));

    private static LatencyHistogram? ReadHistogram(JsonElement root)
    {
        JsonElement written = Part(root, "latency_histogram");
        if (written.ValueKind == JsonValueKind.Undefined)
        {
            return new LatencyHistogram();
        }

        JsonElement buckets = Part(root, "latency_buckets");
        long[] coarse = LatencySummary.BucketKeys.Select(key => Whole(buckets, key)).ToArray();
        return LatencyHistogram.TryRead(written, coarse);
    }

    private static PeakMark ReadMark(JsonElement root, KpiSnapshot? before)
    {
        JsonElement peak = Part(root, "peak");
        var sinceStart = new Peaks(Whole(peak, "queue"), Whole(peak, "send_buffers"), Whole(peak, "pool"));
        if (before is null)
        {
            return new PeakMark(0, sinceStart, []);
        }

        // The line of a snapshot does not tell when its peaks were: they are never too low.
        JsonElement interval = Part(root, "interval");
        Peaks peaks = interval.ValueKind == JsonValueKind.Undefined
            ? sinceStart
            : new Peaks(Whole(interval, "queue_peak"), Whole(interval, "send_buffers_peak"), Whole(interval, "pool_peak"));
        return before.Mark.Next(peaks, sinceStart);
    }

    private static KpiExtra[] ReadExtras(JsonElement root)
    {
        JsonElement columns = Part(root, "extra_columns");
        return columns.ValueKind == JsonValueKind.Undefined
            ? []
            : columns.EnumerateArray().Select(column => ReadExtra(column, root.GetProperty("extras"))).ToArray();
    }

    private static KpiExtra ReadExtra(JsonElement column, JsonElement values)
    {
        var extra = new KpiExtra(
            column.GetProperty("name").GetString() ?? string.Empty,
            column.GetProperty("unit").GetString() ?? string.Empty,
            double.NaN,
            column.GetProperty("is_total").GetBoolean())
        {
            IsDetail = column.TryGetProperty("is_detail", out JsonElement isDetail) && isDetail.GetBoolean(),
        };
        JsonElement value = values.GetProperty(extra.Key);
        return value.ValueKind == JsonValueKind.Null ? extra : extra with { Value = value.GetDouble() };
    }

    private static JsonElement Part(JsonElement owner, string key) => owner.TryGetProperty(key, out JsonElement part) ? part : default;

    private static long Whole(JsonElement owner, string key) =>
        owner.ValueKind != JsonValueKind.Undefined && owner.TryGetProperty(key, out JsonElement value) ? value.GetInt64() : 0;

    private static TimeSpan Milliseconds(JsonElement owner, string key) =>
        owner.TryGetProperty(key, out JsonElement value) ? TimeSpan.FromMilliseconds(value.GetDouble()) : TimeSpan.Zero;
}
