using System.Numerics;
using System.Text.Json;

namespace PlayChat.Core.Diagnostics;

/// <summary>
/// Counts durations in nanoseconds so that any percentile can be asked for afterwards, with a relative error below 1 %
/// (at most 0.4 %; values below 256 ns are exact).
/// </summary>
/// <remarks>
/// <para>Each power of two is divided in 128 buckets of equal width. The range is 0 to 1,099 s (2^40 ns); longer durations are
/// counted in the last bucket, while the mean and the maximum stay exact. It takes 35 KB, however much it counts.</para>
/// <para>Not thread-safe: one thread records, or a lock guards it. Many threads use a <see cref="LatencyRecorder"/>, or a
/// histogram each and <see cref="Add"/>.</para>
/// </remarks>
public sealed class LatencyHistogram
{
    // 2^7 = 128 buckets for each power of two: a bucket is at most 1/128 of its values wide, its middle at most 0.4 % off.
    private const int PrecisionBits = 7;
    private const int BucketsPerPower = 1 << PrecisionBits;
    private const int RangeBits = 40;
    private const int FineBuckets = (RangeBits - PrecisionBits + 1) * BucketsPerPower;

    private readonly long[] _fine = new long[FineBuckets];

    // Counted on their own, since the bounds (100 µs …) do not fall on bounds of the fine buckets.
    private readonly long[] _coarse = new long[LatencySummary.Buckets];
    private UInt128 _sum;

    /// <summary>How many values were recorded.</summary>
    public long Count { get; private set; }

    /// <summary>The largest value, in nanoseconds; 0 when empty. Exact, but see <see cref="Subtract"/>.</summary>
    public long MaxNanoseconds { get; private set; }

    /// <summary>The exact sum divided by the count, in nanoseconds; 0 when empty.</summary>
    public double MeanNanoseconds => Count == 0 ? 0 : (double)_sum / Count;

    /// <summary>Counts a duration. Takes the same few nanoseconds whatever the value and count.</summary>
    /// <param name="nanoseconds">The duration; a negative one (a clock that went back) counts as 0.</param>
    /// <param name="count">How often it occurred; 0 records nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void Record(long nanoseconds, long count = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count == 0)
        {
            return;
        }

        long value = Math.Max(nanoseconds, 0);
        _fine[FineIndexOf(value)] += count;
        _coarse[LatencySummary.BucketOf(value)] += count;
        _sum += (UInt128)(ulong)value * (ulong)count;
        Count += count;
        if (value > MaxNanoseconds)
        {
            MaxNanoseconds = value;
        }
    }

    /// <summary>The value that <paramref name="percentile"/> percent of the recorded ones do not exceed (nearest rank), in nanoseconds.</summary>
    /// <param name="percentile">0 to 100; 50 is the median, 100 the exact maximum.</param>
    /// <returns>Within 0.4 % of the true value; 0 when empty.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="percentile"/> is not in 0 to 100.</exception>
    public long GetPercentileNanoseconds(double percentile)
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

    /// <summary>How many values lie in one of the seven <see cref="LatencySummary">buckets</see>. Exact.</summary>
    /// <param name="bucket">0 (at most 100 µs) to 6 (more than 50 ms).</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bucket"/> is not in 0 to 6.</exception>
    public long GetBucketCount(int bucket)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bucket);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(bucket, LatencySummary.Buckets);
        return _coarse[bucket];
    }

    /// <summary>Adds what <paramref name="other"/> has counted, which stays as it is.</summary>
    public void Add(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
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
    /// <exception cref="ArgumentException"><paramref name="earlier"/> has counted something that this one has not. Nothing has changed then.</exception>
    public void Subtract(LatencyHistogram earlier)
    {
        ArgumentNullException.ThrowIfNull(earlier);
        if (!Contains(earlier))
        {
            throw new ArgumentException("This histogram does not hold everything that the other has counted.", nameof(earlier));
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

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        Array.Clear(_fine);
        Array.Clear(_coarse);
        _sum = UInt128.Zero;
        Count = 0;
        MaxNanoseconds = 0;
    }

    /// <summary>The usual figures of what was recorded up to now, as a value of its own.</summary>
    public LatencySummary Summarize() => new(this);

    /// <summary>Everything that was counted, as an object that <see cref="TryRead"/> takes.</summary>
    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteNumber("sum_ns", (decimal)_sum);
        writer.WriteNumber("max_ns", MaxNanoseconds);
        writer.WriteStartArray("fine");
        for (int i = 0; i < FineBuckets; i++)
        {
            if (_fine[i] > 0)
            {
                writer.WriteNumberValue(i);
                writer.WriteNumberValue(_fine[i]);
            }
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    /// <summary>Takes what <see cref="Write"/> has written; for an empty histogram.</summary>
    /// <param name="written">The object.</param>
    /// <param name="coarse">The counts of the seven buckets.</param>
    /// <returns>False when the object holds something that cannot have been written.</returns>
    internal bool TryRead(JsonElement written, ReadOnlySpan<long> coarse)
    {
        long[] fine = written.GetProperty("fine").EnumerateArray().Select(static number => number.GetInt64()).ToArray();
        for (int i = 0; i + 1 < fine.Length; i += 2)
        {
            if (fine[i] is < 0 or >= FineBuckets || fine[i + 1] < 0)
            {
                return false;
            }

            _fine[fine[i]] += fine[i + 1];
            Count = checked(Count + fine[i + 1]);
        }

        decimal sum = written.GetProperty("sum_ns").GetDecimal();
        if (sum < 0)
        {
            return false;
        }

        coarse.CopyTo(_coarse);
        _sum = (UInt128)sum;
        MaxNanoseconds = written.GetProperty("max_ns").GetInt64();
        return true;
    }

    /// <summary>Whether another has counted nothing that this one has not, as an earlier state of it.</summary>
    internal bool Contains(LatencyHistogram earlier)
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
