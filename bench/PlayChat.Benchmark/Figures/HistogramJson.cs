using System.Buffers;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Figures;

/// <summary>A latency histogram on its way to another process of the benchmark.</summary>
internal static class HistogramJson
{
    private const string Counts = "counts";
    private const string Buckets = "buckets";

    /// <summary>Writes it.</summary>
    public static JsonObject Write(LatencyHistogram histogram)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer))
        {
            histogram.Write(writer);
        }

        JsonNode[] buckets = Enumerable.Range(0, LatencySummary.BucketKeys.Count)
            .Select(bucket => (JsonNode)histogram.GetBucketCount(bucket)).ToArray();
        return new JsonObject { [Counts] = JsonNode.Parse(buffer.WrittenSpan), [Buckets] = new JsonArray(buckets) };
    }

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <exception cref="RunFailedException">It is something else.</exception>
    public static LatencyHistogram Read(JsonNode written)
    {
        long[] buckets = [.. written[Buckets]!.AsArray().Select(static count => (long)count!)];
        using JsonDocument counts = JsonDocument.Parse(written[Counts]!.ToJsonString());
        return LatencyHistogram.TryRead(counts.RootElement, buckets)
            ?? throw new RunFailedException("A client process wrote an invalid histogram.");
    }
}
