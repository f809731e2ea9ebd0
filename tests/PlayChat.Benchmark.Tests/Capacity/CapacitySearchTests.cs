using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Tests.Capacity;

public sealed class CapacitySearchTests
{
    [Theory]
    [InlineData(100, 10)]
    [InlineData(71, 10)]
    [InlineData(3, 10)]
    [InlineData(10, 10)]
    public async Task The_limit_is_found_from_below_and_from_above(double limit, double first)
    {
        var search = new CapacitySearch(precision: 0.05, maxSteps: 100);

        await search.RunAsync(first, rate => Task.FromResult(Step(rate, rate <= limit)));

        Assert.InRange(search.Best!.Rate, limit / 1.05, limit);
        Assert.Equal((true, "p99"), (search.Converged, search.LimitedBy));
    }

    [Fact]
    public async Task What_does_not_hold_is_tried_once_more()
    {
        int tries = 0;
        var search = new CapacitySearch(precision: 1, maxSteps: 100);

        await search.RunAsync(10, rate => Task.FromResult(Step(rate, rate < 15 || (rate < 25 && tries++ == 1))));

        Assert.Equal([10, 20, 20, 40, 40], search.Steps.Select(static step => step.Rate));
        Assert.Equal(20, search.Best!.Rate);
    }

    [Fact]
    public async Task Where_nothing_holds_there_is_an_end_and_no_best()
    {
        var search = new CapacitySearch(precision: 0.1, maxSteps: 100);

        await search.RunAsync(16, static rate => Task.FromResult(Step(rate, held: false)));

        Assert.Null(search.Best);
        Assert.Equal(1, search.Steps[^1].Rate);
        Assert.Equal((false, "p99"), (search.Converged, search.LimitedBy));
    }

    [Fact]
    public async Task Where_all_holds_the_number_of_steps_is_the_end()
    {
        var search = new CapacitySearch(precision: 0.1, maxSteps: 5);

        await search.RunAsync(1, static rate => Task.FromResult(Step(rate, held: true)));

        Assert.Equal(16, search.Best!.Rate);
        Assert.Equal((false, "steps"), (search.Converged, search.LimitedBy));
    }

    [Theory]
    [InlineData("""{}""", null, null)]
    [InlineData("""{ "lost": 3 }""", "lost", "3 lost")]
    [InlineData("""{ "drain_timeout": true }""", "lost", "not all had come when the drain ended")]
    [InlineData("""{ "reordered": 1, "errors": 2 }""", "faults", "3 faults")]
    [InlineData("""{ "invalid_because": "the load fell behind" }""", "load_behind", "the load fell behind")]
    [InlineData("""{ "latency_us": { "p99": 50000.1 } }""", "p99", "p99 50 ms is over 50 ms")]
    public void A_step_says_why_it_did_not_hold(string change, string? limit, string? whyNot)
    {
        JsonObject report = JsonNode.Parse(
            """
            { "latency_us": { "p99": 50000 }, "send_lag_us": { "p99": 10 }, "deliveries_per_s": 1000, "lost": 0,
              "duplicated": 0, "reordered": 0,
              "corrupted": 0, "errors": 0, "drain_timeout": false, "invalid_because": null }
            """)!.AsObject();
        foreach ((string key, JsonNode? value) in JsonNode.Parse(change)!.AsObject())
        {
            report[key] = value?.DeepClone();
        }

        CapacityStep step = CapacityStep.Of(10, report, TimeSpan.FromMilliseconds(50));

        Assert.Equal(limit, step.Limit);
        Assert.Equal(whyNot, step.WhyNot);
        Assert.Equal(whyNot is null, step.Held);
    }

    private static CapacityStep Step(double rate, bool held) =>
        new(rate, rate * 100, 1_000, 10, Lost: 0, held ? null : "p99", held ? null : "too slow");
}
