using System.Numerics;

namespace PlayChat.Core.Diagnostics;

/// <summary>Latencies that many threads record while others read them.</summary>
/// <remarks>
/// Thread-safe. Each processor has buckets of its own (35 KB each, 16 at most) behind a lock that is practically never contended. So a
/// snapshot is consistent: its count, sum and buckets always agree, and it neither counts a value twice nor loses one.
/// </remarks>
internal sealed class StripedLatency
{
    // Bounds the memory at 560 KB; beyond it processors share.
    private const int MaxStripes = 16;

    private readonly LatencyBuckets[] _stripes;

    internal StripedLatency()
    {
        int stripes = Math.Min(MaxStripes, (int)BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount));
        _stripes = new LatencyBuckets[stripes];
        for (int i = 0; i < stripes; i++)
        {
            _stripes[i] = new LatencyBuckets();
        }
    }

    /// <summary>Counts a duration.</summary>
    /// <param name="nanoseconds">The duration; a negative one counts as 0.</param>
    /// <param name="count">How often it occurred; 0 records nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    internal void Record(long nanoseconds, long count = 1)
    {
        LatencyBuckets stripe = _stripes[Thread.GetCurrentProcessorId() & (_stripes.Length - 1)];
        lock (stripe)
        {
            stripe.Record(nanoseconds, count);
        }
    }

    /// <summary>What was recorded since the start, as an instance that the caller owns.</summary>
    internal LatencyBuckets Snapshot()
    {
        var sum = new LatencyBuckets();
        foreach (LatencyBuckets stripe in _stripes)
        {
            lock (stripe)
            {
                sum.Add(stripe);
            }
        }

        return sum;
    }
}
