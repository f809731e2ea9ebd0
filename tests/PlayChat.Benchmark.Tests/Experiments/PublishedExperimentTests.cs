using System.Text.Json.Nodes;
using PlayChat.Benchmark.Tests.Reports;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Tests.Experiments;

/// <summary>Stream and request-reply: their runs can be asked for, and what is published finds its place beside them.</summary>
public sealed class PublishedExperimentTests
{
    private static readonly ExperimentSettings s_settings = SuiteSample.Settings();

    private static readonly Experiment[] s_all =
    [
        StreamExperiment.Kind.Create(SuiteSize.Quick, s_settings),
        StreamExperiment.Kind.Create(SuiteSize.Full, s_settings),
        RequestReplyExperiment.Kind.Create(SuiteSize.Quick, s_settings),
        RequestReplyExperiment.Kind.Create(SuiteSize.Full, s_settings),
    ];

    private static readonly IReadOnlyList<Experiment> s_smoke =
        [.. ExperimentKind.All.Select(static kind => kind.Create(SuiteSize.Smoke, s_settings with { Against = [] }))];

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
            Assert.Equal(baseline, seen!.Server.Baseline);
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

        Assert.Equal(3, ratios.First(static ratio => ratio.Other.Run.Subject == "kestrel, packets").Range.Median);
        Assert.Equal(5, ratios.First(static ratio => ratio.Other.Run.Subject == "kestrel").Range.Median);

        static JsonObject Report(string subject) => new()
        {
            ["messages_per_s"] = subject switch
            {
                Subjects.Ours => 500d,
                RequestReplyExperiment.Packets => 90d,
                "kestrel, packets" => 30d,
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
        Assert.SkipUnless(LinuxTransport.IsSupported, "The load has a number of threads on the Linux transport alone.");
        ExperimentRun run = s_all[1].Runs.Single(static run => run.Case == "64 B, 24 threads");

        Assert.Equal(["--server", "Workers=24", "--load-threads", "24"], run.Arguments.TakeLast(4).ToArray());
        Assert.Equal([1, 2, 4, 8, 16, 24, 32], Assert.Single(s_all[1].Sweeps).Cases.Keys);
    }

    [Fact]
    public void Threads_are_refused_where_the_load_cannot_have_a_number_of_them()
    {
        Assert.SkipWhen(LinuxTransport.IsSupported, "Here it can.");
        var given = new Dictionary<string, string>(StringComparer.Ordinal) { ["--threads"] = "2" };

        Assert.Throws<UsageException>(() => StreamExperiment.Kind.Create(SuiteSize.Quick, s_settings, given));
    }

    [Fact]
    public void Large_frames_have_a_window_that_fits_the_memory()
    {
        Preset full = Stream(SuiteSize.Full);
        Assert.Equal((10_000, 30), StreamExperiment.LoadOf(full, 4096));
        Assert.Equal((10_000, 6), StreamExperiment.LoadOf(full, 65_536));
        Assert.Contains(s_all[1].Runs, static run => run.Case == "64 KB, window 6");
        Assert.Contains("another load", s_all[1].About, StringComparison.Ordinal);
    }

    [Fact]
    public void Short_measuring_has_fewer_connections_where_much_would_be_outstanding()
    {
        Preset preset = Stream(SuiteSize.Quick);
        Assert.All(preset.Ints("--sizes"), size =>
            Assert.True(StreamExperiment.LoadOf(preset, size) is var (ccu, inflight) && (long)ccu * inflight * size <= 64L << 20));
        Assert.Equal((1000, 30), StreamExperiment.LoadOf(preset, 64));
        Assert.Equal((34, 30), StreamExperiment.LoadOf(preset, 65_536));
        Experiment quick = s_all[0];
        Assert.Contains("34 with bodies of 64 KB", quick.About, StringComparison.Ordinal);
        Assert.Contains("Published were 10,000 connections.", quick.About, StringComparison.Ordinal);
    }

    private static Preset Stream(SuiteSize size) =>
        new(size, StreamExperiment.Kind.Options, new Dictionary<string, string>(StringComparer.Ordinal));
}
