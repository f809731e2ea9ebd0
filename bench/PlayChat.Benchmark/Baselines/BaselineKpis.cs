namespace PlayChat.Benchmark.Baselines;

/// <summary>Writes a baseline's figures to a file, in the keys of PlayChat's KPI lines that it knows.</summary>
internal sealed class BaselineKpis(string path, BaselineCounters counters)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Writes a line now and each interval, until it is cancelled, and a last one then.</summary>
    public async Task RunAsync(TimeSpan interval, CancellationToken cancellationToken)
    {
        await using var file = new StreamWriter(path, append: true) { AutoFlush = true };
        for (bool ended = false; !ended; ended = cancellationToken.IsCancellationRequested)
        {
            await file.WriteAsync(Line().ToJsonString() + "\n");
            await Task.Delay(interval, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await file.WriteAsync(Line().ToJsonString() + "\n");
    }

    private JsonObject Line()
    {
        var process = ProcessFigures.Read();
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
                ["cpu_ms"] = process.CpuTime.TotalMilliseconds,
                ["working_set_bytes"] = process.WorkingSetBytes,
                ["peak_working_set_bytes"] = process.PeakWorkingSetBytes,
                ["gc0"] = process.Gc0,
                ["gc1"] = process.Gc1,
                ["gc2"] = process.Gc2,
                ["gc_pause_ms"] = process.GcPause.TotalMilliseconds,
                ["allocated_bytes"] = process.AllocatedBytes,
            },
        };
    }
}

/// <summary>What a baseline server counts: a few interlocked additions a read and a send, none a message. Thread-safe.</summary>
internal sealed class BaselineCounters
{
    public long Accepted;
    public long Closed;
    public long Receives;
    public long BytesReceived;
    public long FramesReceived;
    public long Sends; // 0 where the server does not see them (kestrel)
    public long BytesSent;
    public long FramesSent;
    public long Deliveries;
    public long SlowConsumers; // connections closed because too much waited for them

    public void OnAccepted() => Interlocked.Increment(ref Accepted);

    public void OnClosed() => Interlocked.Increment(ref Closed);

    public void OnSlowConsumer() => Interlocked.Increment(ref SlowConsumers);

    public void OnReceived(long bytes, int frames)
    {
        Interlocked.Increment(ref Receives);
        Interlocked.Add(ref BytesReceived, bytes);
        Interlocked.Add(ref FramesReceived, frames);
    }

    public void OnSent(long bytes, int operations = 1)
    {
        Interlocked.Add(ref Sends, operations);
        Interlocked.Add(ref BytesSent, bytes);
    }

    public void OnEchoed(int frames) => Interlocked.Add(ref FramesSent, frames);

    public void OnDelivered(long deliveries)
    {
        Interlocked.Add(ref FramesSent, deliveries);
        Interlocked.Add(ref Deliveries, deliveries);
    }
}
