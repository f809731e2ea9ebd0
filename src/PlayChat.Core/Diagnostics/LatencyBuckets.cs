using System.Numerics;

namespace PlayChat.Core.Diagnostics;

/// <summary>Counts durations in nanoseconds, so that any percentile can be computed later with a relative error of at most 0.4 %.</summary>
/// <remarks>
/// <para>Each power of two is divided into 128 fine buckets of equal width; values below 256 ns are exact. The range is 0 to 1,099 s (2^40
/// ns). Longer durations are counted in the last bucket, while the mean and the maximum stay exact. An instance takes 35 KB, however much
/// it counts.</para>
/// <para>Seven coarse buckets are counted beside them, because their bounds (100 µs, 500 µs, 1 ms, 5 ms, 10 ms, 50 ms) are not bounds of
/// fine buckets.</para>
/// <para>Not thread-safe: a lock guards it, as in <see cref="StripedLatency"/>. PlayChat.Kpi compiles this file too, so that both count
/// alike.</para>
/// </remarks>
internal sealed class LatencyBuckets
{
    // 2^7 = 128 buckets for each power of two: a bucket is at most 1/128 of its values wide, its middle at most 0.4 % off.
    private const int PrecisionBits = 7;
    private const int BucketsPerPower = 1 << PrecisionBits;
    private const int RangeBits = 40;

    internal const int FineBuckets = (RangeBits - PrecisionBits + 1) * BucketsPerPower;
    internal const int CoarseBuckets = 7;

    private readonly long[] _fine = new long[FineBuckets];
    private readonly long[] _coarse = new long[CoarseBuckets];
    private UInt128 _sum;

    internal LatencyBuckets()
    {
    }

    /// <summary>Takes what another instance, or a file, has counted.</summary>
    /// <param name="fine">At most <see cref="FineBuckets"/> counts; missing ones are 0.</param>
    /// <param name="coarse">At most <see cref="CoarseBuckets"/> counts.</param>
    /// <param name="sum">The sum of all durations in nanoseconds.</param>
    /// <param name="maxNanoseconds">The longest duration.</param>
    /// <exception cref="OverflowException">The counts add up to more than a <see langword="long"/> holds.</exception>
    internal LatencyBuckets(ReadOnlySpan<long> fine, ReadOnlySpan<long> coarse, UInt128 sum, long maxNanoseconds)
    {
        fine.CopyTo(_fine);
        coarse.CopyTo(_coarse);
        _sum = sum;
        MaxNanoseconds = maxNanoseconds;
        foreach (long count in fine)
        {
            Count = checked(Count + count);
        }
    }

    internal ReadOnlySpan<long> Fine => _fine;

    internal ReadOnlySpan<long> Coarse => _coarse;

    internal UInt128 SumNanoseconds => _sum;

    internal long Count { get; private set; }

    /// <summary>The largest value, in nanoseconds; 0 when empty. Exact, but see <see cref="Subtract"/>.</summary>
    internal long MaxNanoseconds { get; private set; }

    /// <summary>The exact sum divided by the count, in nanoseconds; 0 when empty.</summary>
    internal double MeanNanoseconds => Count == 0 ? 0 : (double)_sum / Count;

    /// <summary>Counts a duration. Takes the same few nanoseconds whatever the value and count.</summary>
    /// <param name="nanoseconds">The duration; a negative one (a clock that went back) counts as 0.</param>
    /// <param name="count">How often it occurred; 0 records nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    internal void Record(long nanoseconds, long count = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count == 0)
        {
            return;
        }

        long value = Math.Max(nanoseconds, 0);
        _fine[FineIndexOf(value)] += count;
        _coarse[CoarseIndexOf(value)] += count;
        _sum += (UInt128)(ulong)value * (ulong)count;
        Count += count;
        if (value > MaxNanoseconds)
        {
            MaxNanoseconds = value;
        }
    }

    /// <summary>
    /// The value that <paramref name="percentile"/> percent of the recorded ones do not exceed (nearest rank), in nanoseconds.
    /// </summary>
    /// <param name="percentile">0 to 100; 50 is the median, 100 the exact maximum.</param>
    /// <returns>Within 0.4 % of the true value; 0 when empty.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="percentile"/> is not in 0 to 100.</exception>
    internal long GetPercentileNanoseconds(double percentile)
    {
        if (!(percentile is >= 0 and <= 100))
        {
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "A percentile lies between 0 and 100.");
        }

        // Decimal: 99.9 % of 1,000 is rank 999; in binary it is a little more and would be rounded up to 1,000.
        long rank = Math.Max(1, (long)Math.Ceiling((decimal)percentile * Count / 100m));
        if (rank >= Count)
        {
            return MaxNanoseconds;
        }

        long seen = 0;
        int index = 0;
        while ((seen += _fine[index]) < rank)
        {
            index++;
        }

        (long lowest, long highest) = RangeOf(index);
        return Math.Min(lowest + ((highest - lowest) / 2), MaxNanoseconds);
    }

    /// <summary>Adds what <paramref name="other"/> has counted, which stays as it is.</summary>
    internal void Add(LatencyBuckets other)
    {
        for (int i = 0; i < FineBuckets; i++)
        {
            _fine[i] += other._fine[i];
        }

        for (int i = 0; i < _coarse.Length; i++)
        {
            _coarse[i] += other._coarse[i];
        }

        _sum += other._sum;
        Count += other.Count;
        MaxNanoseconds = Math.Max(MaxNanoseconds, other.MaxNanoseconds);
    }

    /// <summary>Takes away what <paramref name="earlier"/> had counted, so that what came after it remains.</summary>
    /// <param name="earlier">An earlier state of this histogram; it stays as it is.</param>
    /// <remarks>Afterwards <see cref="MaxNanoseconds"/> is known to within 1 %: it is never too low.</remarks>
    /// <exception cref="ArgumentException">
    /// <paramref name="earlier"/> has counted something that this one has not. Nothing has changed then.
    /// </exception>
    internal void Subtract(LatencyBuckets earlier)
    {
        if (!Contains(earlier))
        {
            throw new ArgumentException("These buckets do not hold everything that the other has counted.", nameof(earlier));
        }

        int highestIndex = -1;
        for (int i = 0; i < FineBuckets; i++)
        {
            _fine[i] -= earlier._fine[i];
            highestIndex = _fine[i] == 0 ? highestIndex : i;
        }

        for (int i = 0; i < _coarse.Length; i++)
        {
            _coarse[i] -= earlier._coarse[i];
        }

        _sum -= earlier._sum;
        Count -= earlier.Count;
        MaxNanoseconds = highestIndex < 0 ? 0 : Math.Min(MaxNanoseconds, RangeOf(highestIndex).Highest);
    }

    /// <summary>Whether another has counted nothing that this one has not, as an earlier state of it.</summary>
    internal bool Contains(LatencyBuckets earlier)
    {
        for (int i = 0; i < FineBuckets; i++)
        {
            if (earlier._fine[i] > _fine[i])
            {
                return false;
            }
        }

        return earlier._sum <= _sum;
    }

    // In order of likelihood: a served message stays below the first bound, so this is one well-predicted comparison.
    private static int CoarseIndexOf(long nanoseconds) => nanoseconds switch
    {
        <= 100_000 => 0,
        <= 500_000 => 1,
        <= 1_000_000 => 2,
        <= 5_000_000 => 3,
        <= 10_000_000 => 4,
        <= 50_000_000 => 5,
        _ => 6,
    };

    private static int FineIndexOf(long value)
    {
        if (value < BucketsPerPower)
        {
            return (int)value;
        }

        int shift = BitOperations.Log2((ulong)value) - PrecisionBits;
        // value >> shift is 128 to 255, so the buckets of each power of two follow those of the one below.
        return Math.Min((shift << PrecisionBits) + (int)(value >> shift), FineBuckets - 1);
    }

    private static (long Lowest, long Highest) RangeOf(int index)
    {
        if (index < BucketsPerPower)
        {
            return (index, index);
        }

        int shift = (index >> PrecisionBits) - 1;
        long lowest = (long)((index & (BucketsPerPower - 1)) + BucketsPerPower) << shift;
        // Whatever is longer than the range is in the last bucket.
        return (lowest, index == FineBuckets - 1 ? long.MaxValue : lowest + (1L << shift) - 1);
    }
}
