using System.Numerics;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>How often durations were at most as long as each of <see cref="Bounds"/>. Immutable.</summary>
/// <param name="Counts">For each bound the number of durations up to it, those of smaller bounds included.</param>
/// <param name="Count">The number of all durations.</param>
/// <param name="Sum">Their sum in seconds.</param>
internal sealed record HistogramValue(long[] Counts, long Count, double Sum)
{
    // The buckets of LatencyBuckets in Core: see MetricsReading.LatencyBuckets.
    private const int BucketsPerPower = 128;

    /// <summary>The upper bounds of the buckets in seconds, from 10 µs to 5 s. The last bucket, +Inf, has none.</summary>
    public static double[] Bounds { get; } = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

    /// <summary>Converts fine buckets of Core.</summary>
    /// <param name="fine">As <c>MetricsReading.LatencyBuckets</c> describes them.</param>
    /// <param name="sumNanoseconds">The sum of the durations.</param>
    /// <remarks>
    /// A fine bucket that contains a bound counts as longer than it. A fine bucket is at most 0.8 % wide, so a duration is misplaced only
    /// when it is within 0.8 % of a bound.
    /// </remarks>
    public static HistogramValue FromBuckets(ReadOnlySpan<long> fine, UInt128 sumNanoseconds)
    {
        long[] counts = new long[Bounds.Length];
        long seen = 0;
        int next = 0;
        for (int i = 0; i < Bounds.Length; i++)
        {
            long bound = (long)Math.Round(Bounds[i] * 1e9);
            // The durations up to the bound fill the buckets in front of the one that contains the first longer duration.
            for (int end = Math.Min(IndexOf(bound + 1), fine.Length); next < end; next++)
            {
                seen += fine[next];
            }

            counts[i] = seen;
        }

        for (; next < fine.Length; next++)
        {
            seen += fine[next];
        }

        return new HistogramValue(counts, seen, (double)sumNanoseconds / 1e9);
    }

    private static int IndexOf(long nanoseconds)
    {
        if (nanoseconds < BucketsPerPower)
        {
            return (int)nanoseconds;
        }

        int shift = BitOperations.Log2((ulong)nanoseconds) - BitOperations.Log2(BucketsPerPower);
        return (shift * BucketsPerPower) + (int)(nanoseconds >> shift);
    }
}
