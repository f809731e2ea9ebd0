using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Cli;

public sealed class ExperimentOptionsTests
{
    [Theory]
    [InlineData("suite", "suite needs one of --smoke, --quick, --standard and --full.")]
    [InlineData("suite --smoke --quick", "suite needs one of --smoke, --quick, --standard and --full.")]
    [InlineData("suite --standard --full", "suite needs one of --smoke, --quick, --standard and --full.")]
    [InlineData("suite --quick --repeat 0", "--repeat is 0; allowed is 1 to 1000.")]
    [InlineData(
        "suite --quick --against nginx",
        "--against is 'nginx'; allowed is kestrel, async-socket, blocking-threads, native or none.")]
    [InlineData("suite --quick --only nothing", "--only is 'nothing'; allowed is ")]
    [InlineData("suite --quick --fail-if p99", "--fail-if takes a figure, one of > >= < <= == != and a number")]
    [InlineData("compare /no/such/file /no/such/file", "Cannot read '/no/such/file': ")]
    [InlineData("report /no/such/file /no/such/folder", "Cannot read '/no/such/file': ")]
    [InlineData("suite --quick --server-cpus x", "--server-cpus takes processors such as 1 or 0,2-3, not 'x'.")]
    [InlineData("chat-fanout --quick --rooms 0", "PlayChat, ")]
    [InlineData("chat-fanout --quick --p99", "--p99")]
    [InlineData("stream --quick --inflight 0", "--inflight is 0; allowed is 1 or more.")]
    [InlineData("classroom-broadcast --quick --connections 0", "--connections is 0; allowed is 1 or more.")]
    [InlineData("classroom-broadcast --quick --pools 5000:1", "5000")]
    [InlineData("connection-ramp --quick --connections 0", "--connections is 0; allowed is 1 or more.")]
    [InlineData("connection-ramp --quick --more 2000000", "allowed is")]
    [InlineData("cluster --engine Kafka", "--engine is 'Kafka'; allowed is Postgres or RabbitMq.")]
    [InlineData("cluster --nodes 1 17", "--nodes is 17; allowed is 1 to 16.")]
    [InlineData("echo --fail-if p99", "--fail-if takes a figure, one of > >= < <= == != and a number")]
    public async Task A_bad_parameter_gets_one_line_and_exit_code_2(string commandLine, string message)
    {
        using var folder = new TemporaryDirectory();
        var errors = new StringWriter();
        string[] report = commandLine.Split(' ')[0] is "echo" or "compare" or "report" ? [] : ["--report", folder.Path];

        int code = await BenchmarkProgram.RunAsync([.. commandLine.Split(' '), .. report], TextWriter.Null, errors, NeverAsync, NeverAsync);

        Assert.Equal(ExitCodes.InvalidArguments, code);
        Assert.Contains(
            message, Assert.Single(errors.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);

        static Task<int> NeverAsync<T>(T run, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("It must not run.");
    }

    [Fact]
    public async Task The_options_reach_the_experiments()
    {
        using var folder = new TemporaryDirectory();
        ExperimentPlan? seen = null;

        await BenchmarkProgram.RunAsync(
            [
                "suite", "--quick", "--repeat", "3", "--against", "kestrel", "async-socket",
                "--fail-if", "p99_us>5", "--fail-if", "lost>0", "--report", folder.Combine("new"),
            ],
            TextWriter.Null,
            TextWriter.Null,
            experiment: (plan, _) =>
            {
                seen = plan;
                return Task.FromResult(0);
            });

        Assert.Equal(3, seen!.Settings.Rounds);
        Assert.Equal([Subjects.Ours, "kestrel", "async-socket"], seen.Settings.Subjects("echo"));
        Assert.Equal(["p99_us>5", "lost>0"], seen.Settings.Conditions.Select(static condition => condition.ToString()).ToArray());
        Assert.Equal(folder.Combine("new"), seen.Settings.ReportFolder);
    }
}
