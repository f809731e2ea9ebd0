using System.Numerics;

namespace PlayChat.Core.Diagnostics;

/// <summary>A latency histogram that many threads record into while others read it.</summary>
/// <remarks>
/// Thread-safe. Each processor has a histogram of its own (35 KB each, 16 at most) behind a lock that is practically never
/// contended; so a snapshot is whole, its count, sum and buckets always agree, and no value is seen twice or lost.
/// </remarks>
public sealed class LatencyRecorder
{
    // Bounds the memory at 560 KB; beyond it processors share.
    private const int MaxStripes = 16;

    private readonly LatencyHistogram[] _stripes;

    /// <summary>Makes an empty one.</summary>
    public LatencyRecorder()
    {
        int stripes = Math.Min(MaxStripes, (int)BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount));
        _stripes = new LatencyHistogram[stripes];
        for (int i = 0; i < stripes; i++)
        {
            _stripes[i] = new LatencyHistogram();
        }
    }

    /// <summary>Counts a duration.</summary>
    /// <param name="nanoseconds">The duration; a negative one counts as 0.</param>
    /// <param name="count">How often it occurred; 0 records nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void Record(long nanoseconds, long count = 1)
    {
        LatencyHistogram stripe = _stripes[Thread.GetCurrentProcessorId() & (_stripes.Length - 1)];
        lock (stripe)
        {
            stripe.Record(nanoseconds, count);
        }
    }

    /// <summary>What was recorded since the start, as a histogram of the caller's own.</summary>
    public LatencyHistogram Snapshot()
    {
        var sum = new LatencyHistogram();
        foreach (LatencyHistogram stripe in _stripes)
        {
            lock (stripe)
            {
                sum.Add(stripe);
            }
        }

        return sum;
    }
}
