using System.Text.Json.Nodes;
using PlayChat.Benchmark.Cli;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Experiments.Stream;
using PlayChat.Benchmark.Experiments.Suite;
using PlayChat.Benchmark.Tests.Reports;

namespace PlayChat.Benchmark.Tests.Experiments;

/// <summary>Stream and request-reply: their runs can be asked for, and what is published finds its place beside them.</summary>
public sealed class PublishedExperimentTests
{
    private static readonly ExperimentSettings s_settings = SuiteSample.Settings();

    private static readonly Experiment[] s_all =
    [
        StreamExperiment.Create(StreamParameters.Quick, s_settings),
        StreamExperiment.Create(StreamParameters.Full, s_settings),
        RequestReplyExperiment.Create(RequestReplyParameters.Quick, s_settings),
        RequestReplyExperiment.Create(RequestReplyParameters.Full, s_settings),
    ];

    private static readonly IReadOnlyList<Experiment> s_smoke =
        SuiteExperiments.Create(SuiteSize.Smoke, s_settings with { Against = [] });

    [Fact]
    public async Task Every_run_is_a_command_line_that_can_be_run()
    {
        foreach (ExperimentRun run in s_all.Concat(s_smoke).SelectMany(static experiment => experiment.Runs))
        {
            var errors = new StringWriter();
            LoadRun? seen = null;

            await BenchmarkProgram.RunAsync([.. run.Arguments], TextWriter.Null, errors, (load, _) =>
            {
                seen = load;
                return Task.FromResult(0);
            });

            Assert.Equal(string.Empty, errors.ToString());
            // "kestrel, packets" is a setting of kestrel.
            string? baseline = Subjects.IsOurs(run.Subject) ? null : run.Subject.Split(',')[0];
            Assert.Equal(baseline, seen!.Target.Baseline);
        }
    }

    [Fact]
    public void Every_published_figure_belongs_to_a_case_and_a_figure()
    {
        foreach (Experiment experiment in s_all)
        {
            Assert.All(experiment.Published, published => Assert.Contains(experiment.Runs, run => run.Case == published.Case));
            Assert.All(experiment.Published, published => Assert.Contains(experiment.Figures, figure => figure.Key == published.Key));
        }
    }

    [Fact]
    public void The_smoke_suite_has_every_experiment_and_no_baseline()
    {
        Assert.Equal(6, s_smoke.Count);
        Assert.All(s_smoke, static experiment => Assert.NotEmpty(experiment.Runs));
        Assert.All(s_smoke.SelectMany(static experiment => experiment.Runs), static run => Assert.True(Subjects.IsOurs(run.Subject)));
    }

    [Fact]
    public void Kestrel_with_packets_is_compared_with_PlayChat_with_packets()
    {
        Experiment experiment = s_all[2];
        var result = new ExperimentResult(experiment, experiment.Runs
            .Select(static run => new RunResult(run, [new RoundResult(Report(run.Subject), Problem: null)]))
            .ToArray());

        IReadOnlyList<Ratio> ratios = Ratio.Of(result);

        Assert.Equal(3, ratios.First(static ratio => ratio.Against == Subjects.KestrelPackets).Range.Median);
        Assert.Equal(5, ratios.First(static ratio => ratio.Against == "kestrel").Range.Median);

        static JsonObject Report(string subject) => new()
        {
            ["messages_per_s"] = subject switch
            {
                ExperimentRun.Ours => 500d,
                Subjects.Packets => 90d,
                Subjects.KestrelPackets => 30d,
                _ => 100d,
            },
        };
    }

    [Fact]
    public void A_subject_has_each_case_at_most_once()
    {
        foreach (Experiment experiment in s_all)
        {
            Assert.Equal(experiment.Runs.Count, experiment.Runs.Select(static run => (run.Subject, run.Case)).Distinct().Count());
        }
    }

    [Fact]
    public void Server_and_load_have_as_many_threads_as_the_case_says()
    {
        ExperimentRun run = s_all[1].Runs.Single(static run => run.Case == "64 B, 24 threads");

        Assert.Equal(["--server", "Workers=24", "--load-threads", "24"], run.Arguments.TakeLast(4).ToArray());
        Assert.Equal([1, 2, 4, 8, 16, 24, 32], Assert.Single(s_all[1].Sweeps).Cases.Select(static entry => entry.Value));
    }

    [Fact]
    public void Large_frames_have_a_window_that_fits_the_memory()
    {
        Assert.Equal(30, StreamParameters.Full.InflightOf(4096));
        Assert.Equal(6, StreamParameters.Full.InflightOf(65_536));
        Assert.Equal(1, (StreamParameters.Full with { MaxOutstandingBytes = 1 }).InflightOf(64));
    }

    [Fact]
    public void Short_measuring_has_fewer_connections_where_much_would_be_outstanding()
    {
        StreamParameters preset = StreamParameters.Quick;
        Assert.All(preset.Sizes, size => Assert.True((long)preset.CcuOf(size) * preset.InflightOf(size) * size <= 64L << 20));
        Assert.Equal((1000, 34), (StreamParameters.Quick.CcuOf(64), StreamParameters.Quick.CcuOf(65_536)));
        Assert.Equal(10_000, StreamParameters.Full.CcuOf(65_536));
        Experiment quick = s_all[0];
        Assert.Contains("34 with bodies of 64 KB", quick.About, StringComparison.Ordinal);
        Assert.Contains("Published were 10,000 connections.", quick.About, StringComparison.Ordinal);
    }
}
