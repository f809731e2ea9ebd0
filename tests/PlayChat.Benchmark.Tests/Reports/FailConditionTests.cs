using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Tests.Reports;

public sealed class FailConditionTests
{
    private const string Json =
        """
        {"mode": "echo", "messages": 10, "latency_us": {"p99": 900, "max": null}, "send_lag_us": {"p99": 5}, "drain_timeout": true,
        "server": {"cpu_percent": 50}, "machine": {"processors": 2}}
        """;

    [Theory]
    [InlineData("p99_us>899", true)]
    [InlineData("p99_us>900", false)]
    [InlineData("p99_us >= 900", true)]
    [InlineData("latency_us.p99<900", false)]
    [InlineData("latency_us.p99<=900", true)]
    [InlineData("send_lag_us.p99==5", true)]
    [InlineData("cpu_percent!=50", false)]
    [InlineData("server.cpu_percent>4.95e1", true)]
    [InlineData("drain_timeout==true", true)]
    [InlineData("max_us>0", true)] // not known is no pass
    public void A_condition_fails_when_it_is_true(string condition, bool fails)
    {
        Verdict verdict = Assert.Single(Verdict.Judge([FailCondition.Parse(condition)], Report()));

        Assert.Equal(fails, verdict.Failed);
    }

    [Fact]
    public void A_verdict_names_condition_and_value() =>
        Assert.Equal(
            "p99_us is 900 (fails --fail-if \"p99_us>5\")", Verdict.Judge([FailCondition.Parse("p99_us>5")], Report())[0].ToString());

    [Fact]
    public void A_wrong_key_is_told_with_those_that_are_there()
    {
        UsageException e = Assert.Throws<UsageException>(() => Verdict.Judge([FailCondition.Parse("p98_us>5")], Report()));

        Assert.Equal(
            "--fail-if: 'p98_us' is no figure of this report. "
            + "It has messages, latency_us.p99, latency_us.max, send_lag_us.p99, drain_timeout, server.cpu_percent.",
            e.Message);
    }

    [Theory]
    [InlineData("p99_us")]
    [InlineData("p99_us>")]
    [InlineData("p99_us=5")]
    [InlineData("p99_us>5ms")]
    [InlineData(">5")]
    public void What_is_no_condition_is_refused(string text) => Assert.Throws<UsageException>(() => FailCondition.Parse(text));

    [Fact]
    public void Experiments_are_judged_by_every_round_of_PlayChats_own_runs()
    {
        ExperimentResult[] results = [SuiteSample.Stream(rounds: 3)];

        IReadOnlyList<Verdict> verdicts = Verdict.Judge(
            [FailCondition.Parse("messages_per_s<1000000"), FailCondition.Parse("lost>0")], results);

        Assert.Equal(10, verdicts.Count);
        Assert.Equal(
            ["stream, 1 KB, round 3", "stream, 4 KB, round 3", "stream, 64 KB, round 1"],
            verdicts.Where(static verdict => verdict.Failed).Select(static verdict => verdict.Where).ToArray());
        Assert.Throws<UsageException>(() => Verdict.Judge([FailCondition.Parse("nothing>0")], results));
    }

    [Fact]
    public void One_round_is_enough_and_a_run_without_the_figure_is_not_judged()
    {
        Figure[] figures =
        [
            new("p99_us", "p99", "µs", "latency_us.p99", Better.Lower),
            new("lost", "lost", string.Empty, "lost", Better.Lower),
        ];
        RunResult chat = Run("chat", new RoundResult(Report(), Problem: null), new RoundResult(Lossy(), "2 lost"), RoundResult.NotReached);
        RunResult capacity = Run(
            "capacity", new RoundResult(new JsonObject { ["p99_us"] = 40_000, ["deliveries_per_s"] = 5 }, Problem: null));
        var experiment = new Experiment("e", "E", string.Empty, string.Empty, [chat.Run, capacity.Run], []) { Figures = figures };
        ExperimentResult[] results = [new(experiment, [chat, capacity])];

        Verdict p99 = Assert.Single(Verdict.Judge([FailCondition.Parse("p99_us>5000")], results));
        Verdict lost = Assert.Single(Verdict.Judge([FailCondition.Parse("lost>0")], results));

        Assert.Equal((false, "e, chat, round 1", 900), (p99.Failed, p99.Where, p99.Value));
        Assert.Equal((true, "e, chat, round 2", 2), (lost.Failed, lost.Where, lost.Value));
        Assert.True(Assert.Single(Verdict.Judge([FailCondition.Parse("deliveries_per_s<6")], results)).Failed);
        Assert.Throws<UsageException>(() => Verdict.Judge([FailCondition.Parse("nothing>0")], results));

        static RunResult Run(string name, params RoundResult[] rounds) => new(new ExperimentRun(Subjects.Ours, name, []), rounds);

        static JsonObject Lossy()
        {
            JsonObject report = Report();
            report["lost"] = 2;
            return report;
        }
    }

    [Fact]
    public void A_single_run_is_compared_with_an_earlier_one_of_its_kind()
    {
        JsonObject now = Report();
        now["messages"] = 15;

        var comparison = Comparison.Of(Report(), now);

        Assert.Contains("+50.0 %", comparison.Format(), StringComparison.Ordinal);
        Assert.DoesNotContain("another machine", comparison.Heading, StringComparison.Ordinal);
        Assert.Throws<UsageException>(() => Comparison.Of(new JsonObject { ["mode"] = "chat" }, now));
    }

    [Fact]
    public void Reports_without_a_common_figure_are_refused()
    {
        UsageException e = Assert.Throws<UsageException>(() => Comparison.Of(new JsonObject { ["mode"] = "echo" }, Report()));

        Assert.Equal("compare takes two reports that have figures in common; these have none.", e.Message);
    }

    private static JsonObject Report() => JsonNode.Parse(Json)!.AsObject();
}
