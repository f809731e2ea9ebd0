using System.Diagnostics.CodeAnalysis;
using System.Text.Json;

namespace PlayChat.Benchmark.Servers;

/// <summary>What the benchmark takes from one line of the server's KPI file. All but the last few are totals since the server's start.</summary>
internal sealed record KpiLine
{
    public required DateTimeOffset Timestamp { get; init; }

    public long Receives { get; init; }

    public long Sends { get; init; }

    public long BytesReceived { get; init; }

    public long BytesSent { get; init; }

    public long FramesReceived { get; init; }

    public long FramesSent { get; init; }

    public long Deliveries { get; init; }

    public long JobsEnqueued { get; init; }

    public long JobsExecuted { get; init; }

    public double CpuMilliseconds { get; init; }

    public long Gc0 { get; init; }

    public long Gc1 { get; init; }

    public long Gc2 { get; init; }

    public double GcPauseMilliseconds { get; init; }

    public long AllocatedBytes { get; init; }

    public long WorkingSetBytes { get; init; }

    public long PeakWorkingSetBytes { get; init; }

    public long Sessions { get; init; }

    public long Rooms { get; init; }

    public long QueuePeak { get; init; }

    /// <summary>Reads a line.</summary>
    /// <returns>False when it is no KPI line: cut off, or of something else.</returns>
    public static bool TryParse(ReadOnlyMemory<byte> json, [NotNullWhen(true)] out KpiLine? line)
    {
        line = null;
        try
        {
            using var document = JsonDocument.Parse(json);
            JsonElement root = document.RootElement;
            if (root.ValueKind != JsonValueKind.Object
                || !root.TryGetProperty("timestamp", out JsonElement timestamp)
                || !root.TryGetProperty("total", out JsonElement total)
                || !root.TryGetProperty("process", out JsonElement process)
                || !timestamp.TryGetDateTimeOffset(out DateTimeOffset at))
            {
                return false;
            }

            root.TryGetProperty("now", out JsonElement now);
            root.TryGetProperty("peak", out JsonElement peak);
            line = new KpiLine
            {
                Timestamp = at,
                Receives = Whole(total, "receives"),
                Sends = Whole(total, "sends"),
                BytesReceived = Whole(total, "bytes_received"),
                BytesSent = Whole(total, "bytes_sent"),
                FramesReceived = Whole(total, "frames_received"),
                FramesSent = Whole(total, "frames_sent"),
                Deliveries = Whole(total, "deliveries"),
                JobsEnqueued = Whole(total, "jobs_enqueued"),
                JobsExecuted = Whole(total, "jobs_executed"),
                CpuMilliseconds = Number(process, "cpu_ms"),
                Gc0 = Whole(process, "gc0"),
                Gc1 = Whole(process, "gc1"),
                Gc2 = Whole(process, "gc2"),
                GcPauseMilliseconds = Number(process, "gc_pause_ms"),
                AllocatedBytes = Whole(process, "allocated_bytes"),
                WorkingSetBytes = Whole(process, "working_set_bytes"),
                PeakWorkingSetBytes = Whole(process, "peak_working_set_bytes"),
                Sessions = Whole(now, "sessions"),
                Rooms = Whole(now, "rooms"),
                QueuePeak = Whole(peak, "queue"),
            };
            return true;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static long Whole(JsonElement owner, string key) => (long)Number(owner, key);

    private static double Number(JsonElement owner, string key) =>
        owner.ValueKind == JsonValueKind.Object
        && owner.TryGetProperty(key, out JsonElement value)
        && value.ValueKind == JsonValueKind.Number
            ? value.GetDouble()
            : 0;
}
