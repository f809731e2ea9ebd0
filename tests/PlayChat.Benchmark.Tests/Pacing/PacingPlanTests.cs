namespace PlayChat.Benchmark.Tests.Pacing;

public sealed class PacingPlanTests
{
    [Fact]
    public void The_same_seed_makes_the_same_plan_and_another_seed_another()
    {
        Assert.Equal(Take(new PacingPlan(50, 10, seed: 3), 500), Take(new PacingPlan(50, 10, seed: 3), 500));
        Assert.NotEqual(Take(new PacingPlan(50, 10, seed: 3), 500), Take(new PacingPlan(50, 10, seed: 4), 500));
    }

    [Fact]
    public void Each_client_sends_once_a_period_and_time_never_goes_back()
    {
        const long Period = 100_000_000; // 10 a second
        var plan = new PacingPlan(50, 10, seed: 3);

        (int Client, long Nanoseconds)[] sends = Take(plan, 50 * 20);

        Assert.Equal(sends.Select(send => send.Nanoseconds).Order(), sends.Select(send => send.Nanoseconds));
        Assert.All(sends.GroupBy(send => send.Client), client =>
        {
            long[] times = client.Select(send => send.Nanoseconds).ToArray();
            Assert.Equal(20, times.Length);
            Assert.InRange(times[0], 0, Period);
            Assert.All(times.Zip(times.Skip(1)), pair => Assert.InRange(pair.Second - pair.First, Period - 1, Period + 1));
        });
    }

    private static (int Client, long Nanoseconds)[] Take(PacingPlan plan, int count) =>
        Enumerable.Range(0, count).Select(k => plan[k]).ToArray();
}
