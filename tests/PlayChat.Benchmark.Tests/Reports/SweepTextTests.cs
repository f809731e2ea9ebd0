using System.Text.Json.Nodes;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Tests.Reports;

public sealed class SweepTextTests
{
    [Fact]
    public void The_best_value_is_named_with_those_that_may_be_as_good()
    {
        ExperimentResult result = Measured((1, [100, 110, 105]), (2, [200, 210, 190]), (4, [195, 202, 180]), (8, [150, 160, 140]));

        Assert.Equal(
            ["Best number of threads, 64 B, on this machine: 2 (throughput 200 msg/s). Within the noise 4 is as good."],
            SuiteText.Sweeps(result),
            StringComparer.Ordinal);
    }

    [Fact]
    public void A_single_value_is_not_the_best_of_anything() => Assert.Empty(SuiteText.Sweeps(Measured((2, [200, 210, 190]))));

    [Fact]
    public void A_bad_run_is_not_the_best()
    {
        ExperimentResult result = Measured((1, [100]), (2, [200]), (4, [900]));
        RunResult bad = result.Runs.Single(static run => run.Run.Case.Contains(", 4 threads", StringComparison.Ordinal));
        RunResult[] runs = result.Runs
            .Select(run => run == bad ? bad with { Rounds = [bad.Rounds[0] with { Problem = "1 lost" }] } : run)
            .ToArray();

        Assert.StartsWith(
            "Best number of threads, 64 B, on this machine: 2 ",
            Assert.Single(SuiteText.Sweeps(new ExperimentResult(result.Experiment, runs))),
            StringComparison.Ordinal);
    }

    private static ExperimentResult Measured(params (int Threads, double[] Rates)[] runs)
    {
        Assert.SkipUnless(LinuxTransport.IsSupported, "The load has a number of threads on the Linux transport alone.");
        Experiment experiment = StreamExperiment.Kind.Create(SuiteSize.Full, SuiteSample.Settings());
        return new ExperimentResult(experiment, runs
            .Select(run => new RunResult(
                experiment.Runs.Single(known => known.Case == experiment.Sweeps[0].Cases[run.Threads]),
                run.Rates
                    .Select(static rate => new RoundResult(new JsonObject { ["messages_per_s"] = rate }, Problem: null))
                    .ToArray()))
            .ToArray());
    }
}
