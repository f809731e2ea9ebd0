namespace PlayChat.Kpi.Tests;

public sealed class LatencyHistogramTests
{
    private const long Second = 1_000_000_000;

    private static readonly double[] s_percentiles = [0, 0.1, 1, 10, 25, 50, 75, 90, 99, 99.9, 99.99, 100];

    [Theory]
    [InlineData("uniform")]
    [InlineData("exponential")]
    [InlineData("logarithmic")]
    [InlineData("two peaks")]
    [InlineData("small")]
    [InlineData("constant")]
    public void Percentiles_are_within_one_percent_of_those_of_the_sorted_values(string distribution)
    {
        var random = new Random(4711);
        long[] values = new long[50_000];
        var histogram = new LatencyHistogram();
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = Draw(distribution, random);
            histogram.Record(values[i]);
        }

        Array.Sort(values);

        foreach (double percentile in s_percentiles)
        {
            int rank = Math.Max(1, (int)Math.Ceiling((decimal)percentile * values.Length / 100));
            long expected = values[rank - 1];
            long actual = histogram.GetPercentileNanoseconds(percentile);
            Assert.True(
                Math.Abs(actual - expected) <= 0.01 * expected,
                $"p{percentile} of {distribution}: {actual} instead of {expected}");
        }
    }

    [Fact]
    public void Every_value_up_to_a_thousand_seconds_is_within_one_percent()
    {
        for (long value = 1; value < 1000 * Second; value += 1 + (value / 97))
        {
            var histogram = new LatencyHistogram();
            histogram.Record(value);
            histogram.Record(2000 * Second);

            long actual = histogram.GetPercentileNanoseconds(50);

            Assert.True(Math.Abs(actual - value) <= 0.01 * value, $"{actual} instead of {value}");
        }
    }

    [Fact]
    public void Mean_and_maximum_are_exact()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(100_001, 3);
        histogram.Record(7);
        histogram.Record(90 * Second + 1);

        Assert.Equal(5, histogram.Count);
        Assert.Equal(90 * Second + 1, histogram.MaxNanoseconds);
        Assert.Equal((90 * Second + 300_011) / 5.0, histogram.MeanNanoseconds);
    }

    [Fact]
    public void A_sum_beyond_64_bits_keeps_the_mean_exact()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(100 * Second, 1_000_000_000_000);

        Assert.Equal(100d * Second, histogram.MeanNanoseconds, tolerance: 0.001);
    }

    [Fact]
    public void Values_beyond_the_range_keep_mean_maximum_and_bucket()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(long.MaxValue);

        Assert.Equal(long.MaxValue, histogram.MaxNanoseconds);
        Assert.Equal(long.MaxValue, histogram.GetPercentileNanoseconds(50));
        Assert.Equal(1, histogram.GetBucketCount(6));
    }

    [Theory]
    [InlineData(100_000, 0)]
    [InlineData(500_000, 1)]
    [InlineData(1_000_000, 2)]
    [InlineData(5_000_000, 3)]
    [InlineData(10_000_000, 4)]
    [InlineData(50_000_000, 5)]
    public void Buckets_are_exact_at_their_bounds(long bound, int bucket)
    {
        var histogram = new LatencyHistogram();

        histogram.Record(bound - 1, 10);
        histogram.Record(bound, 20);
        histogram.Record(bound + 1, 30);

        Assert.Equal(30, histogram.GetBucketCount(bucket));
        Assert.Equal(30, histogram.GetBucketCount(bucket + 1));
        Assert.Equal(60, histogram.Summarize().BucketCounts.Sum());
    }

    [Fact]
    public void An_empty_histogram_answers_zero()
    {
        var histogram = new LatencyHistogram();

        Assert.Equal(0, histogram.Count);
        Assert.Equal(0, histogram.MeanNanoseconds);
        Assert.Equal(0, histogram.MaxNanoseconds);
        Assert.Equal(0, histogram.GetPercentileNanoseconds(99));
    }

    [Fact]
    public void A_negative_duration_counts_as_zero_and_a_count_of_zero_not_at_all()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(-5);
        histogram.Record(1000, 0);

        Assert.Equal(1, histogram.Count);
        Assert.Equal(0, histogram.MaxNanoseconds);
        Assert.Throws<ArgumentOutOfRangeException>(() => histogram.Record(1, -1));
    }

    [Theory]
    [InlineData(-0.1)]
    [InlineData(100.1)]
    [InlineData(double.NaN)]
    public void A_percentile_outside_of_0_to_100_is_refused(double percentile) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new LatencyHistogram().GetPercentileNanoseconds(percentile));

    [Fact]
    public void Adding_equals_recording_in_one()
    {
        var random = new Random(1);
        var one = new LatencyHistogram();
        var two = new LatencyHistogram();
        var both = new LatencyHistogram();
        for (int i = 0; i < 10_000; i++)
        {
            long value = Draw("exponential", random);
            (i % 3 == 0 ? one : two).Record(value, 2);
            both.Record(value, 2);
        }

        one.Add(two);

        AssertSame(both, one);
        Assert.Equal(both.MaxNanoseconds, one.MaxNanoseconds);
    }

    [Fact]
    public void Subtracting_an_earlier_state_leaves_what_came_after_it()
    {
        var random = new Random(2);
        var total = new LatencyHistogram();
        for (int i = 0; i < 5000; i++)
        {
            total.Record(Draw("logarithmic", random));
        }

        total.Record(500 * Second);
        var earlier = new LatencyHistogram();
        earlier.Add(total);
        var after = new LatencyHistogram();
        for (int i = 0; i < 5000; i++)
        {
            long value = Draw("exponential", random);
            total.Record(value);
            after.Record(value);
        }

        total.Subtract(earlier);

        AssertSame(after, total);
        Assert.InRange(total.MaxNanoseconds, after.MaxNanoseconds, after.MaxNanoseconds * 1.01);
    }

    [Fact]
    public void Subtracting_everything_leaves_an_empty_histogram()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(123_456, 7);

        histogram.Subtract(histogram);

        AssertSame(new LatencyHistogram(), histogram);
        Assert.Equal(0, histogram.MaxNanoseconds);
    }

    [Fact]
    public void Subtracting_what_was_never_recorded_is_refused_and_changes_nothing()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(1000);
        var other = new LatencyHistogram();
        other.Record(2000);

        Assert.Throws<ArgumentException>(() => histogram.Subtract(other));

        Assert.Equal(1, histogram.Count);
        Assert.Equal(1000, histogram.MaxNanoseconds);
    }

    private static void AssertSame(LatencyHistogram expected, LatencyHistogram actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        Assert.Equal(expected.MeanNanoseconds, actual.MeanNanoseconds);
        Assert.Equal(expected.Summarize().BucketCounts, actual.Summarize().BucketCounts);
        // Beyond p99.9 the rank is the last one: the maximum, which is not exact after a subtraction.
        foreach (double percentile in s_percentiles.Where(static p => p <= 99.9))
        {
            Assert.Equal(expected.GetPercentileNanoseconds(percentile), actual.GetPercentileNanoseconds(percentile));
        }
    }

    private static long Draw(string distribution, Random random) => distribution switch
    {
        "uniform" => random.NextInt64(1, 10_000_000),
        "exponential" => (long)(-Math.Log(1 - random.NextDouble()) * 250_000),
        "logarithmic" => (long)Math.Pow(10, random.NextDouble() * 11),
        "two peaks" => random.Next(100) < 95 ? random.NextInt64(40_000, 60_000) : random.NextInt64(40_000_000, 60_000_000),
        "small" => random.NextInt64(0, 300),
        "constant" => 123_456_789,
        _ => throw new ArgumentOutOfRangeException(nameof(distribution)),
    };
}
