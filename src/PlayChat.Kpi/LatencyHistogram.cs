namespace PlayChat.Kpi;

/// <summary>
/// Counts durations in nanoseconds, so that any percentile can be asked for later with a relative error below 1 % (at most 0.4 %; values
/// below 256 ns are exact).
/// </summary>
/// <remarks>
/// <para>Takes 35 KB, however much it counts. The range is 0 to 1,099 s (2^40 ns); longer durations are counted in the last bucket, while
/// the mean and the maximum stay exact.</para>
/// <para>Not thread-safe: one thread records, or a lock guards it. Many threads use a <see cref="LatencyRecorder"/>, or a histogram each
/// and <see cref="Add"/>.</para>
/// </remarks>
public sealed class LatencyHistogram
{
    private readonly LatencyBuckets _buckets;

    /// <summary>Makes an empty one.</summary>
    public LatencyHistogram()
        : this(new LatencyBuckets())
    {
    }

    internal LatencyHistogram(LatencyBuckets buckets) => _buckets = buckets;

    internal LatencyHistogram(MetricsReading reading)
        : this(new LatencyBuckets(
            reading.LatencyBuckets, reading.LatencyClasses, reading.LatencySumNanoseconds, reading.LatencyMaxNanoseconds))
    {
    }

    /// <summary>How many values were recorded.</summary>
    public long Count => _buckets.Count;

    /// <summary>The largest value, in nanoseconds; 0 when empty. Exact, but see <see cref="Subtract"/>.</summary>
    public long MaxNanoseconds => _buckets.MaxNanoseconds;

    /// <summary>The exact sum divided by the count, in nanoseconds; 0 when empty.</summary>
    public double MeanNanoseconds => _buckets.MeanNanoseconds;

    /// <summary>Counts a duration. Takes the same few nanoseconds whatever the value and count.</summary>
    /// <param name="nanoseconds">The duration; a negative one (a clock that went back) counts as 0.</param>
    /// <param name="count">How often it occurred; 0 records nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void Record(long nanoseconds, long count = 1) => _buckets.Record(nanoseconds, count);

    /// <summary>
    /// Returns the value that <paramref name="percentile"/> percent of the recorded ones do not exceed (nearest rank), in nanoseconds.
    /// </summary>
    /// <param name="percentile">0 to 100; 50 is the median, 100 the exact maximum.</param>
    /// <returns>Within 0.4 % of the true value; 0 when empty.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="percentile"/> is not in 0 to 100.</exception>
    public long GetPercentileNanoseconds(double percentile) => _buckets.GetPercentileNanoseconds(percentile);

    /// <summary>Returns how many values lie in one of the seven <see cref="LatencySummary">buckets</see>. Exact.</summary>
    /// <param name="bucket">0 (at most 100 µs) to 6 (more than 50 ms).</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bucket"/> is not in 0 to 6.</exception>
    public long GetBucketCount(int bucket)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bucket);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(bucket, LatencySummary.Buckets);
        return _buckets.Coarse[bucket];
    }

    /// <summary>Adds what <paramref name="other"/> has counted, which stays as it is.</summary>
    public void Add(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        _buckets.Add(other._buckets);
    }

    /// <summary>Takes away what <paramref name="earlier"/> had counted, so that what came after it remains.</summary>
    /// <param name="earlier">An earlier state of this histogram; it stays as it is.</param>
    /// <remarks>Afterwards <see cref="MaxNanoseconds"/> is known to within 1 %: it is never too low.</remarks>
    /// <exception cref="ArgumentException">
    /// <paramref name="earlier"/> has counted something that this one has not. Nothing has changed then.
    /// </exception>
    public void Subtract(LatencyHistogram earlier)
    {
        ArgumentNullException.ThrowIfNull(earlier);
        _buckets.Subtract(earlier._buckets);
    }

    /// <summary>The usual figures of what was recorded up to now, as a value of its own.</summary>
    public LatencySummary Summarize() => new(this);

    /// <summary>Writes everything that was counted, except the seven buckets (<see cref="GetBucketCount"/>).</summary>
    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteNumber("sum_ns", (decimal)_buckets.SumNanoseconds);
        writer.WriteNumber("max_ns", MaxNanoseconds);
        writer.WriteStartArray("fine");
        ReadOnlySpan<long> fine = _buckets.Fine;
        for (int i = 0; i < fine.Length; i++)
        {
            if (fine[i] > 0)
            {
                writer.WriteNumberValue(i);
                writer.WriteNumberValue(fine[i]);
            }
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    /// <summary>Reads what <see cref="Write"/> has written.</summary>
    /// <returns><see langword="null"/> when the object holds something that <see cref="Write"/> never writes.</returns>
    internal static LatencyHistogram? TryRead(JsonElement written, ReadOnlySpan<long> coarse)
    {
        long[] pairs = written.GetProperty("fine").EnumerateArray().Select(static number => number.GetInt64()).ToArray();
        long[] fine = new long[LatencyBuckets.FineBuckets];
        for (int i = 0; i + 1 < pairs.Length; i += 2)
        {
            if (pairs[i] is < 0 or >= LatencyBuckets.FineBuckets || pairs[i + 1] < 0)
            {
                return null;
            }

            fine[pairs[i]] = checked(fine[pairs[i]] + pairs[i + 1]);
        }

        decimal sum = written.GetProperty("sum_ns").GetDecimal();
        return sum < 0
            ? null
            : new LatencyHistogram(new LatencyBuckets(fine, coarse, (UInt128)sum, written.GetProperty("max_ns").GetInt64()));
    }

    /// <summary>Whether another has counted nothing that this one has not, as an earlier state of it.</summary>
    internal bool Contains(LatencyHistogram earlier) => _buckets.Contains(earlier._buckets);
}
