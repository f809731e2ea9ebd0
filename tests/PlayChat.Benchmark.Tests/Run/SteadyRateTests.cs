namespace PlayChat.Benchmark.Tests.Run;

public sealed class SteadyRateTests
{
    [Theory]
    [InlineData(new double[] { 100 }, false)]
    [InlineData(new double[] { 100, 104 }, false)] // one second without a rise
    [InlineData(new double[] { 100, 104, 103 }, true)]
    [InlineData(new double[] { 100, 103, 200, 195 }, false)] // the rise goes on behind a pause
    [InlineData(new double[] { 100, 103, 200, 195, 60 }, true)] // slower is no rise
    [InlineData(new double[] { 0, 0, 0 }, true)]
    public void A_rate_is_steady_after_two_seconds_without_a_rise(double[] seconds, bool expected)
    {
        var rate = new SteadyRate();
        foreach (double second in seconds)
        {
            rate.Add(second);
        }

        Assert.Equal(expected, rate.IsSteady);
    }

    [Fact]
    public void A_window_that_begins_later_counts_nothing_before()
    {
        MeasureWindow window = MeasureWindow.NotKnown();
        Assert.False(window.Contains(1_000));
        Assert.Equal(0, window.Seconds);

        window.BeginAt(2_000, 3_000);

        Assert.False(window.Contains(1_999));
        Assert.True(window.Contains(2_000));
        Assert.False(window.Contains(3_000));
    }
}
