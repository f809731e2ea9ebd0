namespace PlayChat.Benchmark.Tests.Experiments;

/// <summary>The experiments of fan-out and connections, as their commands make them.</summary>
public sealed class FanoutExperimentsTests
{
    [Theory]
    [InlineData("chat-fanout")]
    [InlineData("chat-fanout --quick")]
    [InlineData("classroom-broadcast")]
    [InlineData("classroom-broadcast --quick")]
    [InlineData("connection-ramp")]
    [InlineData("connection-ramp --quick")]
    public async Task Every_run_is_a_command_line_that_can_be_run(string commandLine)
    {
        Experiment experiment = await CreateAsync(commandLine);

        foreach (ExperimentRun run in experiment.Runs)
        {
            var errors = new StringWriter();
            int code = await BenchmarkProgram.RunAsync([.. run.Arguments], TextWriter.Null, errors, (_, _) => Task.FromResult(7));
            Assert.True(code == 7, $"{string.Join(' ', run.Arguments)}: {errors}");
        }
    }

    [Theory]
    [InlineData("chat-fanout")]
    [InlineData("classroom-broadcast")]
    [InlineData("connection-ramp")]
    public async Task Published_figures_charts_and_cases_belong_together(string commandLine)
    {
        Experiment experiment = await CreateAsync(commandLine);

        string[] keys = experiment.Figures.Select(static figure => figure.Key).ToArray();
        Assert.Equal(keys.Length, keys.Distinct(StringComparer.Ordinal).Count());
        string[] columns = [.. experiment.Moments.Select(static column => column.Key)];
        Assert.All(experiment.Published, published =>
            Assert.Contains(published.Key, published.AtSeconds is null ? keys : columns, StringComparer.Ordinal));
        Assert.All(experiment.Published, published => Assert.Contains(experiment.Runs, run => run.Case == published.Case));
        Assert.All(experiment.Charts, chart => Assert.Contains(chart.Key, keys, StringComparer.Ordinal));
        Assert.Equal(experiment.Runs.Count, experiment.Runs.Select(static run => (run.Subject, run.Case)).Distinct().Count());
    }

    [Fact]
    public async Task Without_rivals_PlayChat_runs_alone()
    {
        foreach (string command in (string[])["chat-fanout", "classroom-broadcast", "connection-ramp"])
        {
            Experiment experiment = await CreateAsync($"{command} --quick --against none");
            Assert.All(experiment.Runs, static run => Assert.Equal(Subjects.Ours, run.Subject));
        }
    }

    [Fact]
    public async Task Threads_and_processes_can_be_chosen()
    {
        Experiment experiment = await CreateAsync("classroom-broadcast --pools 2:1 3:1 --processes 1 --connections 7 --against none");

        Assert.Equal(
            ["2 threads, 1×7", "3 threads, 1×7", "1×7", "1000 connects at one instant", "5 readers stop"],
            experiment.Runs.Select(static run => run.Case),
            StringComparer.Ordinal);
    }

    [Theory]
    [InlineData("chat-fanout --p99-limit 20ms --mix 100:1 --late 30ms", "capacity --p99-limit 20ms --mix 100:1 --late 30ms")]
    [InlineData("connection-ramp --ramp-interval 5s --size 60 --every 2s", "ramp --ramp-interval 5s --size 60 --every 2s")]
    [InlineData("classroom-broadcast --size 200 --rps 2", "classroom --size 200 --rps 2")]
    public async Task What_is_asked_for_reaches_the_runs(string commandLine, string expected)
    {
        Experiment experiment = await CreateAsync(commandLine);

        string[] words = expected.Split(' ');
        Assert.Contains(
            experiment.Runs,
            run => run.Arguments[0] == words[0] && words.All(word => run.Arguments.Contains(word, StringComparer.Ordinal)));
    }

    private static async Task<Experiment> CreateAsync(string commandLine)
    {
        using var folder = new TestUtilities.TemporaryDirectory();
        ExperimentPlan? plan = null;
        int code = await BenchmarkProgram.RunAsync(
            [.. commandLine.Split(' '), "--report", folder.Path],
            TextWriter.Null,
            TextWriter.Null,
            experiment: (made, _) =>
            {
                plan = made;
                return Task.FromResult(0);
            });
        Assert.Equal(0, code);
        return Assert.Single(plan!.Experiments);
    }
}
