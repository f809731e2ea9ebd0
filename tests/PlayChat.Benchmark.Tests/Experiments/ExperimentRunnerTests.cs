using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Tests.Reports;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Experiments;

public sealed class ExperimentRunnerTests
{
    private static readonly Figure s_rate = new("rate", "rate", "/s", "rate", Better.Higher);

    private readonly List<string> _started = [];
    private readonly StringWriter _shown = new();

    [Fact]
    public async Task Every_run_is_made_once_a_round_so_that_neighbours_are_compared()
    {
        IReadOnlyList<ExperimentResult> results = await RunAsync(rounds: 2, (arguments, _) => Outcome(arguments[0] == "a" ? 100 + _started.Count : 50));

        Assert.Equal(["a", "b", "a", "b"], _started);
        RunResult ours = Assert.Single(results).Runs[0];
        Assert.Equal(new FigureRange(102, 101, 103), ours.Range(s_rate));
        Assert.Equal(new FigureRange(2.04, 2.02, 2.06), ours.RatioTo(results[0].Runs[1], s_rate));
        Assert.All(results[0].Runs, static run => Assert.Empty(run.Problems));
        Assert.Contains("run 4 of 4, round 2", _shown.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_run_that_fails_is_a_problem_and_the_others_go_on()
    {
        IReadOnlyList<ExperimentResult> results = await RunAsync(rounds: 1, static (arguments, _) => arguments[0] == "a"
            ? new ChildOutcome(2, Report: null, "The port is taken.")
            : new ChildOutcome(1, JsonNode.Parse("""{"rate": 50, "lost": 3, "errors": 0, "invalid_because": "the load was late"}""")!.AsObject(), Complaint: null));

        Assert.Equal(["round 1: The port is taken."], results[0].Runs[0].Problems);
        Assert.Equal(["round 1: 3 lost; the load was late"], results[0].Runs[1].Problems);
        Assert.Null(results[0].Runs[0].Range(s_rate));
        Assert.Equal(50, results[0].Runs[1].Range(s_rate)!.Value.Median);
    }

    [Fact]
    public async Task An_interrupted_experiment_has_what_was_measured_until_then()
    {
        using var interrupt = new CancellationTokenSource();

        IReadOnlyList<ExperimentResult> results = await RunAsync(
            rounds: 3,
            (_, _) =>
            {
                if (_started.Count == 3)
                {
                    interrupt.Cancel();
                }

                return Outcome(_started.Count);
            },
            interrupt.Token);

        Assert.Equal(["a", "b", "a"], _started);
        Assert.Equal([1, 3], results[0].Runs[0].Values(s_rate));
        Assert.Equal(3, results[0].Runs[0].Reports.Count);
        Assert.Equal(["round 2: interrupted: what it measured until then"], results[0].Runs[0].Problems);
        Assert.Equal([2], results[0].Runs[1].Values(s_rate));
    }

    [Fact]
    public async Task Pinned_runs_name_the_processors_of_both_sides()
    {
        string? loads = null;
        IReadOnlyList<string>? line = null;

        await RunAsync(rounds: 1, (arguments, cpus) =>
        {
            (line, loads) = (arguments, cpus);
            return Outcome(1);
        });

        Assert.Equal("0", loads);
        Assert.Equal(["b", "--server-cores", "1"], line);
        Assert.StartsWith("taskset -c 0 dotnet run ", CommandLineText.Of(new ExperimentRun("x", "y", ["b c"]), SuiteSample.Settings()), StringComparison.Ordinal);
        Assert.EndsWith("-- 'b c' --server-cores 1", CommandLineText.Of(new ExperimentRun("x", "y", ["b c"]), SuiteSample.Settings()), StringComparison.Ordinal);
    }

    [Fact]
    public void The_time_left_is_what_runs_took_or_what_they_say()
    {
        var left = new TimeLeft();
        var first = new ExperimentRun("x", "1", ["echo", "--warmup", "2", "--duration", "10"]);
        var second = new ExperimentRun("x", "2", ["echo", "--warmup", "2", "--duration", "20"]);

        Assert.Equal(TimeSpan.FromSeconds(12 + 4 + 22 + 4), left.For([first, second]));
        left.Took(first, TimeSpan.FromSeconds(13));
        Assert.Equal(TimeSpan.FromSeconds(13 + 22 + 1), left.For([first, second]));
    }

    [Fact]
    public void Progress_survives_its_line()
    {
        var progress = new RunProgress("measure", 0.5, 5, 1234.5, null, 2);

        Assert.Equal(progress, RunProgress.Parse(progress.Format()));
        Assert.Null(RunProgress.Parse("progress {\"Phase\":"));
        Assert.Null(RunProgress.Parse("measured 10 s"));
    }

    private static ChildOutcome Outcome(double rate) => new(0, new JsonObject { ["rate"] = rate }, Complaint: null);

    private Task<IReadOnlyList<ExperimentResult>> RunAsync(
        int rounds, Func<IReadOnlyList<string>, string?, ChildOutcome> child, CancellationToken interrupted = default)
    {
        var experiment = new Experiment("e", "E", string.Empty, string.Empty, [new(ExperimentRun.Ours, "c", ["a"]), new("kestrel", "c", ["b"])], [s_rate], [], []);
        var runner = new ExperimentRunner(SuiteSample.Settings(rounds), new PlainExperimentView(_shown), (arguments, cpus, _, _) =>
        {
            _started.Add(arguments[0]);
            return Task.FromResult(child(arguments, cpus));
        });
        return runner.RunAsync([experiment], interrupted).WaitAsync(TestTimeouts.Hang, CancellationToken.None);
    }
}
