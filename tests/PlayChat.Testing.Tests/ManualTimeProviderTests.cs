using PlayChat.TestUtilities;

namespace PlayChat.Testing.Tests;

public sealed class ManualTimeProviderTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void Timers_fire_in_order_with_the_clock_at_their_due_time()
    {
        DateTimeOffset start = _time.GetUtcNow();
        var fired = new List<(string Name, double Seconds)>();
        using ITimer late = Start("late", 3);
        using ITimer every = Start("every", 1, period: 2);
        using ITimer early = Start("early", 1);

        _time.Advance(TimeSpan.FromSeconds(3));

        Assert.Equal([("every", 1), ("early", 1), ("late", 3), ("every", 3)], fired);
        Assert.Equal(start.AddSeconds(3), _time.GetUtcNow());
        Assert.Equal(TimeSpan.FromSeconds(3), _time.GetElapsedTime(0));

        ITimer Start(string name, double due, double? period = null) => _time.CreateTimer(
            _ => fired.Add((name, (_time.GetUtcNow() - start).TotalSeconds)),
            state: null,
            TimeSpan.FromSeconds(due),
            period is { } seconds ? TimeSpan.FromSeconds(seconds) : Timeout.InfiniteTimeSpan);
    }

    [Fact]
    public async Task A_delay_ends_when_the_clock_reaches_it_and_not_before()
    {
        Task delay = Task.Delay(TimeSpan.FromSeconds(10), _time);
        await _time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);

        _time.Advance(TimeSpan.FromSeconds(9.999));
        Assert.False(delay.IsCompleted);

        _time.Advance(TimeSpan.FromSeconds(0.001));
        await delay.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, _time.PendingTimers);
    }
}
