using System.Diagnostics.Metrics;
using PlayChat.Chat.Operations.Metrics;

namespace PlayChat.Server.Tests.Operations;

public sealed class HistogramValueTests
{
    // The layout that MetricsReading.LatencyBuckets describes.
    private const int FineBuckets = 34 * 128;

    [Theory]
    [InlineData(0, 0)]
    [InlineData(127, 0)]
    [InlineData(9_900, 0)]
    [InlineData(10_100, 1)]
    [InlineData(99_000, 2)]
    [InlineData(101_000, 3)]
    [InlineData(990_000_000, 10)]
    [InlineData(4_950_000_000, 11)]
    [InlineData(5_050_000_000, 12)]
    [InlineData(1_000_000_000_000, 12)]
    public void A_duration_is_in_the_bucket_of_the_next_bound(long nanoseconds, int bucket)
    {
        long[] fine = new long[FineBuckets];
        fine[IndexOf(nanoseconds)] = 3;

        var histogram = HistogramValue.FromBuckets(fine, (UInt128)(3 * nanoseconds));

        Assert.Equal(3, histogram.Count);
        Assert.Equal(3 * nanoseconds / 1e9, histogram.Sum, 1e-9);
        Assert.Equal(
            Enumerable.Range(0, HistogramValue.Bounds.Length).Select(i => i >= bucket ? 3L : 0L),
            histogram.Counts);
    }

    [Fact]
    public void Without_buckets_there_is_nothing()
    {
        var histogram = HistogramValue.FromBuckets([], UInt128.Zero);

        Assert.Equal(0, histogram.Count);
        Assert.All(histogram.Counts, static count => Assert.Equal(0, count));
    }

    [Fact]
    public void The_text_escapes_labels_and_adds_the_units()
    {
        using var meter = new Meter("PlayChat.Tests");
        var series = new InstrumentSeries(meter.CreateHistogram<double>("playchat.test.wait", "s", "Waits."));
        series.Record(0.0001, [new("who", "a\"b\\c\nd")]);
        series.Record(7, [new("who", "a\"b\\c\nd")]);

        string text = PrometheusText.Write([series.Read()], isOpenMetrics: true);

        Assert.StartsWith(
            "# HELP playchat_test_wait_seconds Waits.\n# TYPE playchat_test_wait_seconds histogram\n"
                + "# UNIT playchat_test_wait_seconds seconds\n",
            text,
            StringComparison.Ordinal);
        const string Labels = "who=\"a\\\"b\\\\c\\nd\"";
        Assert.Contains($"playchat_test_wait_seconds_bucket{{{Labels},le=\"0.00005\"}} 0\n", text, StringComparison.Ordinal);
        Assert.Contains($"playchat_test_wait_seconds_bucket{{{Labels},le=\"0.0001\"}} 1\n", text, StringComparison.Ordinal);
        Assert.Contains($"playchat_test_wait_seconds_bucket{{{Labels},le=\"5.0\"}} 1\n", text, StringComparison.Ordinal);
        Assert.Contains($"playchat_test_wait_seconds_bucket{{{Labels},le=\"+Inf\"}} 2\n", text, StringComparison.Ordinal);
        Assert.Contains($"playchat_test_wait_seconds_sum{{{Labels}}} 7.0001\n", text, StringComparison.Ordinal);
        Assert.EndsWith($"playchat_test_wait_seconds_count{{{Labels}}} 2\n# EOF\n", text, StringComparison.Ordinal);
    }

    private static int IndexOf(long nanoseconds)
    {
        int shift = 0;
        while (nanoseconds >> shift >= 256)
        {
            shift++;
        }

        return nanoseconds < 128 ? (int)nanoseconds : (shift * 128) + (int)(nanoseconds >> shift);
    }
}
