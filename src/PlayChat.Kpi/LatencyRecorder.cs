namespace PlayChat.Kpi;

/// <summary>A latency histogram that many threads record into while others read it.</summary>
/// <remarks>
/// Thread-safe. A snapshot is consistent: its count, sum and buckets always agree, and it neither counts a value twice nor loses one.
/// </remarks>
public sealed class LatencyRecorder
{
    private readonly StripedLatency _latency = new();

    /// <summary>Counts a duration.</summary>
    /// <param name="nanoseconds">The duration; a negative one counts as 0.</param>
    /// <param name="count">How often it occurred; 0 records nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void Record(long nanoseconds, long count = 1) => _latency.Record(nanoseconds, count);

    /// <summary>What was recorded since the start, as a histogram that the caller owns.</summary>
    public LatencyHistogram Snapshot() => new(_latency.Snapshot());
}
