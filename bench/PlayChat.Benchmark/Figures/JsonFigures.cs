using System.Text.Json.Nodes;
using PlayChat.Benchmark.Servers;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Figures;

/// <summary>The parts of a report that several loads share. The keys are documented in bench/README.md.</summary>
internal static class JsonFigures
{
    /// <summary>Rounds a number; <see langword="null"/> for an unknown or infinite one.</summary>
    public static JsonNode? Round(double? value, int digits = 3) =>
        value is { } number && double.IsFinite(number) ? Math.Round(number, digits) : null;

    public static JsonObject Latency(LatencySummary latency) => new()
    {
        ["mean"] = Round(latency.MeanMicroseconds),
        ["p50"] = Round(latency.P50Microseconds),
        ["p90"] = Round(latency.P90Microseconds),
        ["p99"] = Round(latency.P99Microseconds),
        ["p999"] = Round(latency.P999Microseconds),
        ["max"] = Round(latency.MaxMicroseconds),
    };

    public static JsonObject Buckets(LatencySummary latency)
    {
        var buckets = new JsonObject();
        for (int i = 0; i < latency.BucketCounts.Count; i++)
        {
            buckets[LatencySummary.BucketKeys[i]] = latency.BucketCounts[i];
        }

        return buckets;
    }

    /// <summary>The server's figures; each is null when it is not known.</summary>
    public static JsonObject Server(ServerFigures? server) => new()
    {
        ["cpu_us_per_message"] = Round(server?.CpuMicrosecondsPerMessage),
        ["cpu_us_per_delivery"] = Round(server?.CpuMicrosecondsPerDelivery),
        ["cpu_percent"] = Round(server?.Interval.CpuPercent),
        ["peak_working_set_bytes"] = server?.Last.Process.PeakWorkingSetBytes,
        ["peak_working_set_mb"] = Round(server?.Last.Process.PeakWorkingSetBytes / 1e6, digits: 1),
        ["gc0"] = server?.Interval.Gc0,
        ["gc1"] = server?.Interval.Gc1,
        ["gc2"] = server?.Interval.Gc2,
        ["gc_pause_ms"] = Round(server?.Interval.GcPause.TotalMilliseconds),
        ["allocated_bytes_per_message"] = Round(server?.AllocatedBytesPerMessage),
        ["messages_per_s"] = Round(server?.Interval.FramesReceivedPerSecond),
        ["deliveries_per_s"] = Round(server?.Interval.DeliveriesPerSecond),
        ["sends_per_s"] = Round(server?.Interval.SendsPerSecond),
        ["frames_per_send"] = Round(server?.FramesPerSend),
        ["bytes_sent_per_s"] = Round(server?.Interval.BytesSentPerSecond),
        ["jobs_per_s"] = Round(server?.Interval.JobsExecutedPerSecond),
        ["job_queue_peak"] = server?.Interval.QueuePeak,
        ["pool_reuse_percent"] = Round(server?.Interval.PoolReusePercent),
        ["measured_s"] = Round(server?.Interval.Duration.TotalSeconds),
    };
}
