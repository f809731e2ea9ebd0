using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace PlayChat.Kpi;

/// <summary>The figures as one JSON object on one line. Keys are stable: new ones may come, none changes its meaning.</summary>
/// <remarks>docs/reference/metrics.md lists the keys. Their definitions are those of the properties of <see cref="KpiSnapshot"/> and
/// <see cref="KpiInterval"/>. Fractions are rounded to three digits; a figure that could not be read is null.</remarks>
public static class KpiJson
{
    /// <summary>The line for a snapshot, without a line end.</summary>
    public static string Format(KpiSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        return Format(snapshot, interval: null);
    }

    /// <summary>The line for an interval: the totals at its end, and its own figures under <c>interval</c>. Without a line end.</summary>
    public static string Format(KpiInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        return Format(interval.Later, interval);
    }

    /// <summary>Reads a line that <c>Format</c> has made, of a snapshot or of an interval, as the snapshot it tells of.</summary>
    /// <param name="line">The line, with or without its line end.</param>
    /// <param name="previous">
    /// The snapshot of the line before it in the same file, null for the first: two snapshots make a <see cref="KpiInterval"/> only when
    /// one was read after the other in this way, and the peaks of their interval come from the lines between them.
    /// </param>
    /// <param name="snapshot">
    /// What the server had then, durations to the microsecond. When its <see cref="KpiSnapshot.Elapsed"/> is less than that of
    /// <paramref name="previous"/>, another server continued the file, and the two make no interval.
    /// </param>
    /// <returns>
    /// False when it is no such line: cut off, of something else, or in contradiction to the one before. Never an exception.
    /// </returns>
    public static bool TryParse(string? line, KpiSnapshot? previous, [NotNullWhen(true)] out KpiSnapshot? snapshot) =>
        KpiJsonReader.TryParse(line, previous, out snapshot);

    private static string Format(KpiSnapshot snapshot, KpiInterval? interval)
    {
        var buffer = new ArrayBufferWriter<byte>(4096);
        using (var writer = new Utf8JsonWriter(buffer))
        {
            Write(writer, snapshot, interval);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static void Write(Utf8JsonWriter writer, KpiSnapshot snapshot, KpiInterval? interval)
    {
        writer.WriteStartObject();
        writer.WriteString("timestamp", snapshot.Timestamp.UtcDateTime);
        WriteNumber(writer, "uptime_s", snapshot.Elapsed.TotalSeconds);
        WriteObject(writer, "total", KpiKeys.Totals, snapshot);
        WriteObject(writer, "now", KpiKeys.Now, snapshot);
        WriteObject(writer, "peak", KpiKeys.Peaks, snapshot);
        writer.WriteStartObject("process");
        WriteNumbers(writer, KpiKeys.Process, snapshot);
        writer.WriteEndObject();
        WriteCloses(writer, snapshot);
        WriteLatency(writer, snapshot.Latency);
        writer.WritePropertyName("latency_histogram");
        snapshot.Histogram.Write(writer);
        WriteExtras(writer, snapshot.Extras);
        WriteExtraColumns(writer, snapshot.Extras);
        if (interval is not null)
        {
            writer.WriteStartObject("interval");
            WriteNumbers(writer, KpiKeys.Interval, interval);
            WriteLatency(writer, interval.Latency);
            WriteExtras(writer, interval.Extras);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    }

    private static void WriteObject(
        Utf8JsonWriter writer, string key, (string Key, Func<KpiSnapshot, long> Read)[] figures, KpiSnapshot snapshot)
    {
        writer.WriteStartObject(key);
        foreach ((string name, Func<KpiSnapshot, long> read) in figures)
        {
            writer.WriteNumber(name, read(snapshot));
        }

        writer.WriteEndObject();
    }

    private static void WriteCloses(Utf8JsonWriter writer, KpiSnapshot snapshot)
    {
        writer.WriteStartObject("closes");
        foreach (CloseReason reason in Enum.GetValues<CloseReason>())
        {
            if (reason != CloseReason.None)
            {
                writer.WriteNumber(KpiKeys.OfCloseReason(reason), snapshot.GetCloses(reason));
            }
        }

        writer.WriteEndObject();
    }

    private static void WriteLatency(Utf8JsonWriter writer, LatencySummary latency)
    {
        writer.WriteStartObject("latency_us");
        writer.WriteNumber("count", latency.Count);
        WriteNumbers(writer, KpiKeys.Latency, latency);
        writer.WriteEndObject();

        writer.WriteStartObject("latency_buckets");
        for (int i = 0; i < LatencySummary.Buckets; i++)
        {
            writer.WriteNumber(LatencySummary.BucketKeys[i], latency.BucketCounts[i]);
        }

        writer.WriteEndObject();
    }

    private static void WriteExtras(Utf8JsonWriter writer, IReadOnlyList<KpiExtra> extras)
    {
        writer.WriteStartObject("extras");
        foreach (KpiExtra extra in extras)
        {
            WriteNumber(writer, extra.Key, extra.Value);
        }

        writer.WriteEndObject();
    }

    private static void WriteExtraColumns(Utf8JsonWriter writer, IReadOnlyList<KpiExtra> extras)
    {
        writer.WriteStartArray("extra_columns");
        foreach (KpiExtra extra in extras)
        {
            writer.WriteStartObject();
            writer.WriteString("name", extra.Name);
            writer.WriteString("unit", extra.Unit);
            writer.WriteBoolean("is_total", extra.IsTotal);
            writer.WriteBoolean("is_detail", extra.IsDetail);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static void WriteNumbers<T>(Utf8JsonWriter writer, (string Key, Func<T, double> Read)[] figures, T source)
    {
        foreach ((string key, Func<T, double> read) in figures)
        {
            WriteNumber(writer, key, read(source));
        }
    }

    private static void WriteNumber(Utf8JsonWriter writer, string key, double value)
    {
        if (double.IsFinite(value))
        {
            writer.WriteNumber(key, Math.Round(value, 3));
        }
        else
        {
            writer.WriteNull(key);
        }
    }
}
