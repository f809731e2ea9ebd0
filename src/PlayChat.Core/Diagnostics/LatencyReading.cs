namespace PlayChat.Core.Diagnostics;

/// <summary>The durations that a server has measured since its start, as counts. Immutable.</summary>
/// <remarks>
/// For programs that need more than the quantiles of <c>playchat.message.duration</c>: the difference of two readings of one server tells
/// of the time between them.
/// </remarks>
public sealed class LatencyReading
{
    private readonly LatencyBuckets _buckets;

    internal LatencyReading(LatencyBuckets buckets) => _buckets = buckets;

    /// <summary>Counts by duration in nanoseconds, with 128 buckets of equal width for each power of two.</summary>
    /// <remarks>
    /// Bucket i below 128 counts the duration i. Above, with s = i / 128 − 1, bucket i counts the 2^s durations from
    /// (128 + i mod 128) · 2^s on. The last bucket also counts everything longer.
    /// </remarks>
    public ReadOnlySpan<long> Fine => _buckets.Fine;

    /// <summary>
    /// Exact counts of the same durations in seven classes: up to 100 µs, 500 µs, 1 ms, 5 ms, 10 ms, 50 ms, and longer. Each duration is in
    /// one class.
    /// </summary>
    public ReadOnlySpan<long> Coarse => _buckets.Coarse;

    /// <summary>The sum of all durations in nanoseconds.</summary>
    public UInt128 SumNanoseconds => _buckets.SumNanoseconds;

    /// <summary>The longest duration in nanoseconds; 0 when there was none.</summary>
    public long MaxNanoseconds => _buckets.MaxNanoseconds;

    internal LatencyBuckets Buckets => _buckets;
}
