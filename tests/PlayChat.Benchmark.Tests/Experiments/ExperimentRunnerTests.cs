using System.Text.Json.Nodes;
using PlayChat.Benchmark.Tests.Reports;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Experiments;

public sealed class ExperimentRunnerTests
{
    private static readonly Figure s_rate = new("rate", "rate", "/s", "rate", Better.Higher);

    private static readonly Experiment s_experiment =
        new("e", "E", string.Empty, string.Empty, [new(Subjects.Ours, "c", ["a"]), new("kestrel", "c", ["a", "--baseline", "kestrel"])], [])
        {
            Figures = [s_rate],
        };

    private readonly List<string> _started = [];
    private readonly StringWriter _shown = new();

    [Fact]
    public async Task Every_run_is_made_once_a_round_so_that_neighbours_are_compared()
    {
        IReadOnlyList<ExperimentResult> results = await RunAsync(
            rounds: 2, (arguments, _) => Outcome(Name(arguments) == "a" ? 100 + _started.Count : 50));

        Assert.Equal(["a", "b", "a", "b"], _started);
        RunResult ours = Assert.Single(results).Runs[0];
        Assert.Equal(new FigureRange(102, 101, 103), ours.Range(s_rate));
        Assert.Equal((new FigureRange(2.04, 2.02, 2.06), 2), ours.RatioTo(results[0].Runs[1], s_rate));
        Assert.All(results[0].Runs, static run => Assert.Empty(run.Problems));
        Assert.Contains("run 4 of 4, round 2", _shown.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cases_are_compared_with_one_of_them_in_the_same_round()
    {
        Figure added = new("added", "added", "µs", "compared.added_p99_us", Better.Lower);
        Figure ratio = new("ratio", "ratio", "×", "compared.nodes_cpu_ratio", Better.Lower);
        Experiment experiment = s_experiment with
        {
            Runs = [new(Subjects.Ours, "base", ["a"]), new(Subjects.Ours, "other", ["b"])],
            ComparedWith = "base",
        };

        // In rounds of 10 and 15, 20 and 50; the base of the third fails.
        IReadOnlyList<ExperimentResult> results = await RunAsync(
            rounds: 3,
            (arguments, _) => (arguments[0], _started.Count) switch
            {
                ("a", 1) => Outcome(10),
                ("a", 3) => Outcome(20),
                ("a", _) => Outcome(1) with { ExitCode = 1, Complaint = "It failed." },
                (_, 2) => Outcome(15),
                _ => Outcome(50),
            },
            experiment: experiment);

        RunResult other = results[0].Runs[1];
        Assert.Equal(new FigureRange(17.5, 5, 30), other.Range(added));
        Assert.Equal(new FigureRange(2, 1.5, 2.5), other.Range(ratio));
        Assert.Equal(new FigureRange(1, 1, 1), results[0].Runs[0].Range(ratio));
        Assert.Null(other.Rounds[2].Report!["compared"]!["nodes_cpu_ratio"]);

        static ChildOutcome Outcome(double value) => new(
            0,
            new JsonObject
            {
                ["latency_us"] = new JsonObject { ["p99"] = value },
                ["cluster"] = new JsonObject { ["nodes_cpu_us_per_delivery"] = value },
            },
            Complaint: null);
    }

    [Fact]
    public async Task A_run_that_fails_is_a_problem_and_the_others_go_on()
    {
        IReadOnlyList<ExperimentResult> results = await RunAsync(rounds: 1, static (arguments, _) => Name(arguments) == "a"
            ? new ChildOutcome(2, Report: null, "The port is taken.")
            : new ChildOutcome(
                1,
                JsonNode.Parse(
                    """{"rate": 50, "lost": 3, "errors": 0, "valid": false, "invalid_because": "the load was late"}""")!.AsObject(),
                Complaint: null));

        Assert.Equal(["round 1: The port is taken."], results[0].Runs[0].Problems, StringComparer.Ordinal);
        Assert.Equal(["round 1: 3 lost; the load was late"], results[0].Runs[1].Problems, StringComparer.Ordinal);
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
            interrupted: interrupt.Token);

        Assert.Equal(["a", "b", "a"], _started);
        Assert.Equal(new FigureRange(1, 1, 1), results[0].Runs[0].Range(s_rate));
        Assert.Equal(3, results[0].Runs[0].Rounds.Count);
        Assert.Empty(results[0].Runs[0].Problems);
        Assert.Equal([true, false, false], results[0].Runs[0].Rounds.Select(static round => round.IsGood));
        Assert.Contains(" (interrupted)", _shown.ToString(), StringComparison.Ordinal);
        Assert.Equal(new FigureRange(2, 2, 2), results[0].Runs[1].Range(s_rate));
    }

    [Theory]
    [InlineData(
        1,
        "{\"valid\": false, \"invalid_because\": \"the load fell behind its plan\", \"lost\": 0}",
        null,
        "the load fell behind its plan")]
    [InlineData(0, "{\"valid\": false, \"invalid_because\": null}", null, "not valid")]
    [InlineData(1, "{\"accepted\": 1020, \"connections\": 3000, \"refused\": 7}", null, "7 refused; 1020 of 3000 connections accepted")]
    [InlineData(
        1,
        "{\"incomplete\": 12, \"drain_timeout\": true}",
        "connection 3 ended",
        "12 incomplete; the drain timed out; connection 3 ended")]
    [InlineData(3, "{}", null, "it ended with exit code 3")]
    [InlineData(0, null, null, "it wrote no report")]
    [InlineData(0, "{\"valid\": true, \"drain_timeout\": true, \"incomplete\": 1}", null, null)]
    public void A_problem_carries_its_reason(int exitCode, string? report, string? complaint, string? problem)
    {
        JsonObject? json = report is null ? null : JsonNode.Parse(report)!.AsObject();

        var round = RoundResult.Of(new ChildOutcome(exitCode, json, complaint), interrupted: false);

        Assert.Equal(problem, round.Problem);
        Assert.Equal(problem is null, round.IsGood);
    }

    [Fact]
    public async Task Rounds_that_were_not_good_feed_no_range_and_no_ratio()
    {
        IReadOnlyList<ExperimentResult> results = await RunAsync(rounds: 3, (arguments, _) => Name(arguments) == "b"
            ? Outcome(50)
            : _started.Count == 3 ? new ChildOutcome(1, new JsonObject { ["rate"] = 900d, ["lost"] = 1d }, Complaint: null) : Outcome(100));

        RunResult ours = results[0].Runs[0];
        Assert.Equal(new FigureRange(100, 100, 100), ours.Range(s_rate));
        Assert.Equal((new FigureRange(2, 2, 2), 2), ours.RatioTo(results[0].Runs[1], s_rate));
        Assert.Equal(2, Assert.Single(Ratio.Of(results[0])).Rounds);
        Assert.Equal(["round 2: 1 lost"], ours.Problems, StringComparer.Ordinal);
    }

    [Fact]
    public async Task Ratios_by_nothing_are_not_dropped()
    {
        Assert.Equal(double.PositiveInfinity, (await RatioAsync(5, 0))!.Range.Median);
        Assert.Equal(0, (await RatioAsync(0, 5))!.Range.Median);
        Assert.Null(await RatioAsync(0, 0));
        Assert.Equal("∞×", FigureText.Times(double.PositiveInfinity));

        async Task<Ratio?> RatioAsync(double ours, double theirs) =>
            Ratio.Of((await RunAsync(rounds: 1, (arguments, _) => Outcome(Name(arguments) == "a" ? ours : theirs)))[0]).SingleOrDefault();
    }

    [Fact]
    public async Task A_run_that_cannot_be_started_is_a_problem_and_the_others_go_on()
    {
        IReadOnlyList<ExperimentResult> results = await RunAsync(rounds: 1, static (arguments, _) =>
            Name(arguments) == "a" ? throw new RunFailedException("taskset cannot be started") : Outcome(1));

        Assert.Equal(["round 1: taskset cannot be started"], results[0].Runs[0].Problems, StringComparer.Ordinal);
        Assert.True(results[0].Runs[1].IsValid);
    }

    [Theory]
    [InlineData("a", false, 1)] // PlayChat's own
    [InlineData("b", false, 0)] // a baseline's
    [InlineData("none", true, 130)]
    [InlineData("a", true, 1)]
    [InlineData("b", true, 130)]
    public async Task The_exit_code_is_of_PlayChats_own_runs(string lossy, bool interrupts, int expected)
    {
        using var folder = new TemporaryDirectory();
        using var interrupt = new CancellationTokenSource();
        int started = 0;
        var program = new SuiteRunner(["test"], _shown, (arguments, _, _, _) =>
        {
            if (++started == 2 && interrupts)
            {
                interrupt.Cancel();
            }

            return Task.FromResult(Name(arguments) == lossy
                ? new ChildOutcome(1, new JsonObject { ["rate"] = 1d, ["lost"] = 3d }, Complaint: null)
                : Outcome(1));
        });

        int code = await program.RunAsync(new ExperimentPlan([s_experiment], SuiteSample.Settings(2, folder.Path)), interrupt.Token)
            .WaitAsync(TestTimeouts.Hang, CancellationToken.None);

        Assert.Equal(expected, code);
        Assert.Equal(lossy != "none", _shown.ToString().Contains("3 lost", StringComparison.Ordinal));
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
        Assert.Equal(["a", "--baseline", "kestrel", "--server-cores", "1"], line);
        Assert.StartsWith(
            "taskset -c 0 dotnet run ",
            SuiteSample.Settings().CommandLine(new ExperimentRun("x", "y", ["b c"])),
            StringComparison.Ordinal);
        Assert.EndsWith(
            "-- 'b c' --server-cores 1",
            SuiteSample.Settings().CommandLine(new ExperimentRun("x", "y", ["b c"])),
            StringComparison.Ordinal);
    }

    [Fact]
    public void The_time_left_is_what_the_options_of_the_runs_say()
    {
        var first = new ExperimentRun("x", "1", ["echo", "--warmup", "2", "--duration", "10"]);
        var second = new ExperimentRun("x", "2", ["echo", "--warmup", "2", "--duration", "20"]);

        Assert.Equal(TimeSpan.FromSeconds(12 + 4 + 22 + 4), ExperimentRunner.TimeOf([first, second]));
    }

    // The run of the baseline is "b".
    private static string Name(IReadOnlyList<string> arguments) =>
        arguments.Contains("--baseline", StringComparer.Ordinal) ? "b" : arguments[0];

    private static ChildOutcome Outcome(double rate) => new(0, new JsonObject { ["rate"] = rate }, Complaint: null);

    private Task<IReadOnlyList<ExperimentResult>> RunAsync(
        int rounds,
        Func<IReadOnlyList<string>, string?, ChildOutcome> child,
        Experiment? experiment = null,
        CancellationToken interrupted = default)
    {
        var runner = new ExperimentRunner(SuiteSample.Settings(rounds), new View(_shown), (arguments, cpus, _, _) =>
        {
            _started.Add(Name(arguments));
            return Task.FromResult(child(arguments, cpus));
        });
        return runner.RunAsync([experiment ?? s_experiment], interrupted).WaitAsync(TestTimeouts.Hang, CancellationToken.None);
    }
}
