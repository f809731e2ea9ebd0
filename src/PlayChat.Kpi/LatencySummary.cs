namespace PlayChat.Kpi;

/// <summary>The usual figures of a <see cref="LatencyHistogram"/> at one moment. Immutable.</summary>
/// <remarks>
/// Every value lies in exactly one of seven buckets, the first whose bound it does not exceed:
/// 0: at most 100 µs, 1: at most 500 µs, 2: at most 1 ms, 3: at most 5 ms, 4: at most 10 ms, 5: at most 50 ms, 6: more than 50 ms.
/// The buckets' counts are exact and add up to <see cref="Count"/>; percentiles are within 1 %.
/// </remarks>
public sealed class LatencySummary
{
    internal const int Buckets = LatencyBuckets.CoarseBuckets;

    internal LatencySummary(LatencyHistogram histogram)
    {
        Count = histogram.Count;
        MeanMicroseconds = histogram.MeanNanoseconds / 1000;
        P50Microseconds = histogram.GetPercentileNanoseconds(50) / 1000d;
        P90Microseconds = histogram.GetPercentileNanoseconds(90) / 1000d;
        P95Microseconds = histogram.GetPercentileNanoseconds(95) / 1000d;
        P99Microseconds = histogram.GetPercentileNanoseconds(99) / 1000d;
        P999Microseconds = histogram.GetPercentileNanoseconds(99.9) / 1000d;
        MaxMicroseconds = histogram.MaxNanoseconds / 1000d;
        BucketCounts = [.. Enumerable.Range(0, Buckets).Select(histogram.GetBucketCount)];
    }

    /// <summary>What the seven buckets are called in a table, for example <c>&lt;=100 µs</c>.</summary>
    public static IReadOnlyList<string> BucketNames { get; } =
        ["<=100 µs", "<=500 µs", "<=1 ms", "<=5 ms", "<=10 ms", "<=50 ms", ">50 ms"];

    /// <summary>What the seven buckets are called in JSON: <c>le_100us, le_500us, le_1ms, le_5ms, le_10ms, le_50ms, gt_50ms</c>.</summary>
    public static IReadOnlyList<string> BucketKeys { get; } =
        ["le_100us", "le_500us", "le_1ms", "le_5ms", "le_10ms", "le_50ms", "gt_50ms"];

    /// <summary>How many values were recorded.</summary>
    public long Count { get; }

    /// <summary>The exact mean in µs; like all figures here 0 when nothing was recorded.</summary>
    public double MeanMicroseconds { get; }

    /// <summary>The median in µs.</summary>
    public double P50Microseconds { get; }

    /// <summary>The 90th percentile in µs.</summary>
    public double P90Microseconds { get; }

    /// <summary>The 95th percentile in µs.</summary>
    public double P95Microseconds { get; }

    /// <summary>The 99th percentile in µs.</summary>
    public double P99Microseconds { get; }

    /// <summary>The 99.9th percentile in µs.</summary>
    public double P999Microseconds { get; }

    /// <summary>The largest value in µs: exact since the start, within 1 % (never too low) for an interval.</summary>
    public double MaxMicroseconds { get; }

    /// <summary>How many values lie in each of the seven buckets.</summary>
    public IReadOnlyList<long> BucketCounts { get; }
}
