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
        ["p95"] = Round(latency.P95Microseconds),
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
        ["latency_us"] = server is null ? null : Latency(server.Interval.Latency),
        ["receives_per_s"] = Round(server?.Interval.ReceivesPerSecond),
        ["bytes_received_per_s"] = Round(server?.Interval.BytesReceivedPerSecond),
        ["mb_received_per_s"] = Round(server?.Interval.BytesReceivedPerSecond / 1e6),
        ["messages_per_s"] = Round(server?.Interval.FramesReceivedPerSecond),
        ["frames_sent_per_s"] = Round(server?.Interval.FramesSentPerSecond),
        ["deliveries_per_s"] = Round(server?.Interval.DeliveriesPerSecond),
        ["sends_per_s"] = Round(server?.Interval.SendsPerSecond),
        ["bytes_sent_per_s"] = Round(server?.Interval.BytesSentPerSecond),
        ["deliveries_per_send"] = Round(server?.DeliveriesPerSend),
        ["jobs_enqueued_per_s"] = Round(server?.Interval.JobsEnqueuedPerSecond),
        ["jobs_per_s"] = Round(server?.Interval.JobsExecutedPerSecond),
        ["job_queue_peak"] = server?.Interval.QueuePeak,
        ["send_buffers_in_use"] = server?.Last.SendBuffersInUse,
        ["send_buffers_peak"] = server?.Interval.SendBuffersPeak,
        ["send_buffer_pushes_per_s"] = Round(server?.Interval.SendBufferPushesPerSecond),
        ["send_buffer_pops_per_s"] = Round(server?.Interval.SendBufferPopsPerSecond),
        ["pool_in_use"] = server?.Last.PoolInUse,
        ["pool_peak"] = server?.Interval.PoolPeak,
        ["pool_new_per_s"] = Round(server?.NewBuffersPerSecond),
        ["pool_returns_per_s"] = Round(server?.Interval.PoolReturnsPerSecond),
        ["pool_reuse_percent"] = Round(server?.Interval.PoolReusePercent),
        ["measured_s"] = Round(server?.Interval.Duration.TotalSeconds),
    };

    public static JsonObject Client(ClientFigures client) => new()
    {
        ["cpu_percent"] = Round(100 * (client.Last.CpuTime - client.First.CpuTime).TotalSeconds / client.Seconds),
        ["peak_working_set_mb"] = Round(client.Last.PeakWorkingSetBytes / 1e6, digits: 1),
        ["gc0"] = client.Last.Gc0 - client.First.Gc0,
        ["gc1"] = client.Last.Gc1 - client.First.Gc1,
        ["gc2"] = client.Last.Gc2 - client.First.Gc2,
        ["gc_pause_ms"] = Round((client.Last.GcPause - client.First.GcPause).TotalMilliseconds),
        ["allocated_mb"] = Round((client.Last.AllocatedBytes - client.First.AllocatedBytes) / 1e6, digits: 1),
    };
}

/// <summary>What the load's own process used between two moments.</summary>
internal sealed record ClientFigures(ProcessFigures First, ProcessFigures Last, double Seconds);

/// <summary>The figures of a cluster in a report. The keys are documented in bench/README.md.</summary>
internal static class ClusterJson
{
    private const double Microseconds = 1e6;

    public static JsonObject Of(ClusterFigures cluster, double deliveriesPerSecond)
    {
        return new JsonObject
        {
            ["nodes"] = cluster.Settings.Nodes,
            ["engine"] = cluster.Settings.Nodes == 0 ? null : cluster.Settings.Engine.ToString(),
            ["nodes_cpu_us_per_delivery"] = PerDelivery(cluster.Sum(static node => node.Interval.CpuPercent / 100)),
            ["log_and_database_cpu_us_per_delivery"] = PerDelivery(cluster.DatabaseCpu + (cluster.BrokerCpu ?? 0)),
            ["database_cpu_us_per_delivery"] = PerDelivery(cluster.DatabaseCpu),
            ["broker_cpu_us_per_delivery"] = PerDelivery(cluster.BrokerCpu),
            ["nodes_peak_working_set_mb"] =
                JsonFigures.Round(cluster.Sum(static node => node.Last.Process.PeakWorkingSetBytes) / 1e6, digits: 1),
            ["each"] = new JsonArray(
                cluster.Nodes.Select(static node => node is null ? null : (JsonNode)JsonFigures.Server(node)).ToArray()),
        };

        JsonNode? PerDelivery(double? processors) => JsonFigures.Round(processors * Microseconds / deliveriesPerSecond);
    }
}
