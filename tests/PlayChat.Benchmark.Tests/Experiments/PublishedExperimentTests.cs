using PlayChat.Benchmark.Cli;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Experiments.Stream;
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

    [Fact]
    public async Task Every_run_is_a_command_line_that_can_be_run()
    {
        foreach (ExperimentRun run in s_all.SelectMany(static experiment => experiment.Runs))
        {
            var errors = new StringWriter();
            LoadRun? seen = null;

            await BenchmarkProgram.RunAsync([.. run.Arguments], TextWriter.Null, errors, (load, _) =>
            {
                seen = load;
                return Task.FromResult(0);
            });

            Assert.Equal(string.Empty, errors.ToString());
            Assert.Equal(Subjects.Baselines.Contains(run.Subject, StringComparer.Ordinal) ? run.Subject : null, seen!.Target.Baseline);
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
    public void A_subject_has_each_case_at_most_once()
    {
        foreach (Experiment experiment in s_all)
        {
            Assert.Equal(experiment.Runs.Count, experiment.Runs.Select(static run => (run.Subject, run.Case)).Distinct().Count());
        }
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
