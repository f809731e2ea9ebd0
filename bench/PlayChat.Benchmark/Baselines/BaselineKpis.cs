namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// Writes a baseline's figures to a file, in those keys of PlayChat's KPI lines that it knows, so that they are read like those of
/// PlayChat.Server.
/// </summary>
internal sealed class BaselineKpis(string path, BaselineCounters counters)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Writes a line now and each interval, until it is cancelled, and a last one then.</summary>
    public async Task RunAsync(TimeSpan interval, CancellationToken cancellationToken)
    {
        await using var file = new StreamWriter(path, append: true) { AutoFlush = true };
        await WriteAsync(file);
        using var timer = new PeriodicTimer(interval);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken))
            {
                await WriteAsync(file);
            }
        }
        catch (OperationCanceledException)
        {
            await WriteAsync(file);
        }
    }

    private Task WriteAsync(StreamWriter file) => file.WriteAsync(Line().ToJsonString() + "\n");

    private JsonObject Line()
    {
        using var process = Process.GetCurrentProcess();
        return new JsonObject
        {
            ["timestamp"] = DateTime.UtcNow,
            ["uptime_s"] = Stopwatch.GetElapsedTime(_start).TotalSeconds,
            ["total"] = new JsonObject
            {
                ["receives"] = counters.Receives,
                ["sends"] = counters.Sends,
                ["bytes_received"] = counters.BytesReceived,
                ["bytes_sent"] = counters.BytesSent,
                ["frames_received"] = counters.FramesReceived,
                ["frames_sent"] = counters.FramesSent,
                ["deliveries"] = counters.Deliveries,
                ["connections_accepted"] = counters.Accepted,
                ["slow_consumers"] = counters.SlowConsumers,
            },
            ["closes"] = new JsonObject { ["peer_closed"] = counters.Closed },
            ["process"] = new JsonObject
            {
                ["cpu_ms"] = process.TotalProcessorTime.TotalMilliseconds,
                ["working_set_bytes"] = process.WorkingSet64,
                ["peak_working_set_bytes"] = Math.Max(process.PeakWorkingSet64, process.WorkingSet64),
                ["gc0"] = GC.CollectionCount(0),
                ["gc1"] = GC.CollectionCount(1),
                ["gc2"] = GC.CollectionCount(2),
                ["gc_pause_ms"] = GC.GetTotalPauseDuration().TotalMilliseconds,
                ["allocated_bytes"] = GC.GetTotalAllocatedBytes(),
            },
        };
    }
}
