using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Connections;

public sealed class ReceiveBudgetTests
{
    private const long Second = 1000;

    [Fact]
    public void Without_limits_nothing_is_taken()
    {
        var budget = new ReceiveBudget(new ConnectionOptions(), Second);

        Assert.False(budget.IsLimited);
        Assert.Equal(0, budget.Take(int.MaxValue, int.MaxValue, 1));
    }

    [Theory]
    [InlineData(10_000, 0, 20_000, 1)] // bytes
    [InlineData(0, 100, 1, 200)] // frames
    [InlineData(10_000, 100, 20_000, 1)] // whichever is used up first
    [InlineData(10_000, 100, 1, 200)]
    public void A_budget_takes_two_seconds_at_once_and_no_more(int bytesPerSecond, int framesPerSecond, int bytes, int frames)
    {
        var options = new ConnectionOptions { BytesPerSecond = bytesPerSecond, FramesPerSecond = framesPerSecond };
        var budget = new ReceiveBudget(options, Second);

        Assert.Equal(0, budget.Take(bytes, frames, now: 50 * Second));
        Assert.True(budget.Take(bytes / 2, frames / 2, now: 50 * Second) > 0);
    }

    [Fact]
    public void Who_stays_below_the_rate_is_never_paused()
    {
        var budget = new ReceiveBudget(new ConnectionOptions { FramesPerSecond = 10 }, Second);

        for (long now = 0; now < 100 * Second; now += 100)
        {
            Assert.Equal(0, budget.Take(bytes: 1000, frames: 1, now));
        }
    }

    [Fact]
    public void Who_floods_has_the_rate_and_not_more()
    {
        var budget = new ReceiveBudget(new ConnectionOptions { FramesPerSecond = 10 }, Second);
        long now = 0;
        int frames = 0;

        while (now < 100 * Second)
        {
            frames += 5;
            now += budget.Take(bytes: 5, frames: 5, now);
        }

        Assert.InRange(frames, 900, 1030); // 100 seconds, and two at once
    }
}
