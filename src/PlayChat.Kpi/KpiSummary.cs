using System.Text;

namespace PlayChat.Kpi;

/// <summary>The summary of an interval as some lines of text: see <see cref="KpiTable.FormatSummary"/>.</summary>
internal sealed class KpiSummary(KpiInterval interval)
{
    private readonly StringBuilder _text = new();
    private readonly KpiSnapshot _from = interval.Earlier;
    private readonly KpiSnapshot _to = interval.Later;
    private readonly LatencySummary _latency = interval.Latency;

    internal string Format()
    {
        Line("duration", $"{interval.Duration.TotalSeconds:N1} s");
        Begin("received");
        Add($"{Growth(static s => s.FramesReceived):N0} frames ({interval.FramesReceivedPerSecond:N0}/s), ");
        Add($"{Growth(static s => s.BytesReceived):N0} bytes in {Growth(static s => s.Receives):N0} receives\n");
        Begin("sent");
        Add($"{Growth(static s => s.FramesSent):N0} frames ({interval.FramesSentPerSecond:N0}/s), ");
        Add($"{Growth(static s => s.BytesSent):N0} bytes in {Growth(static s => s.Sends):N0} sends, ");
        Add($"{Growth(static s => s.FramesDropped):N0} dropped\n");
        Begin("deliveries");
        Add($"{Growth(static s => s.Deliveries):N0} ({interval.DeliveriesPerSecond:N0}/s), {interval.DeliveriesPerSend:N1} per send\n");
        Begin("latency");
        Add($"avg {_latency.MeanMicroseconds:N1}, p50 {_latency.P50Microseconds:N1}, p90 {_latency.P90Microseconds:N1}, ");
        Add($"p99 {_latency.P99Microseconds:N1}, p99.9 {_latency.P999Microseconds:N1}, max {_latency.MaxMicroseconds:N1} µs\n");
        Line("buckets", $"{Buckets()}");
        Begin("rooms");
        Add($"{Growth(static s => s.JobsEnqueued):N0} jobs posted, {Growth(static s => s.JobsExecuted):N0} executed, ");
        Add($"{Growth(static s => s.JobsRefused):N0} refused, deepest queue {interval.QueuePeak:N0}\n");
        Begin("buffers");
        Add($"pool peak {interval.PoolPeak:N0}, reuse {interval.PoolReusePercent:N1} %; ");
        Add($"waiting to be sent: peak {interval.SendBuffersPeak:N0}\n");
        Begin("process");
        Add($"cpu {interval.CpuTime.TotalSeconds:N2} s ({interval.CpuPercent:N0} % of one processor), ");
        Add($"peak working set {_to.Process.PeakWorkingSetBytes / KpiColumn.Megabyte:N1} MB, ");
        Add($"gc {interval.Gc0}/{interval.Gc1}/{interval.Gc2}, pause {interval.GcPause.TotalMilliseconds:N1} ms\n");
        Begin("connections");
        Add($"{Growth(static s => s.ConnectionsAccepted):N0} accepted, {Growth(static s => s.ConnectionsRefused):N0} refused, ");
        Add($"{_to.Connections:N0} open; closed: {Closes()}\n");
        foreach (KpiExtra extra in interval.Extras.Where(static extra => !extra.IsDetail))
        {
            Line(extra.Name, $"{KpiColumn.Adapt(extra.Value)} {extra.Unit}");
        }

        return _text.ToString(0, _text.Length - 1);
    }

    private long Growth(Func<KpiSnapshot, long> total) => total(_to) - total(_from);

    private void Begin(string title) => _text.Append(title.PadRight(12)).Append(' ');

    // FormattableString: a number looks the same on every machine.
    private void Add(FormattableString value) => _text.Append(FormattableString.Invariant(value));

    private void Line(string title, FormattableString value)
    {
        Begin(title);
        Add(value);
        _text.Append('\n');
    }

    private string Buckets() => string.Join(", ", LatencySummary.BucketNames.Select(
        (name, i) => FormattableString.Invariant($"{name}: {_latency.BucketCounts[i]:N0}")));

    private string Closes()
    {
        string text = string.Join(", ", Enum.GetValues<CloseReason>()
            .Select(reason => (Reason: reason, Count: _to.GetCloses(reason) - _from.GetCloses(reason)))
            .Where(static close => close.Count > 0)
            .Select(static close => FormattableString.Invariant($"{close.Reason} {close.Count:N0}")));
        return text.Length == 0 ? "none" : text;
    }
}
