using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Tests.Reports;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Experiments;

/// <summary>Experiments of real processes, against a server in this one.</summary>
public sealed class ChildRunTests
{
    private static readonly Figure[] s_figures =
    [
        new("messages_per_s", "throughput", "msg/s", "messages_per_s", Better.Higher),
        new("p99_us", "p99", "µs", "rtt_us.p99", Better.Lower),
    ];

    [Fact]
    public async Task An_experiment_goes_from_processes_to_a_report()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartServerAsync();
        var output = new StringWriter();
        ExperimentSettings settings = Unpinned(folder) with { Conditions = [FailCondition.Parse("p99_us>=0")] };

        int code = await new SuiteRunner(["test"], output)
            .RunAsync(new ExperimentPlan([Create(server, "1"), Create(server, "1")], settings), CancellationToken.None)
            .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, code); // the condition is true
        Assert.Contains("(fails --fail-if \"p99_us>=0\")", output.ToString(), StringComparison.Ordinal);
        JsonObject run = Report(folder)["experiments"]![1]!["runs"]![1]!.AsObject();
        Assert.True((double)run["figures"]!["messages_per_s"]!["median"]! > 0);
        Assert.Empty(run["problems"]!.AsArray());
        Assert.True(File.Exists(folder.Combine("index.html")));
    }

    [Fact]
    public async Task An_interrupted_experiment_passes_it_on_and_writes_what_it_has()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartServerAsync();
        using var interrupt = new CancellationTokenSource();
        var program = new SuiteRunner(["test"], new StringWriter(), (arguments, cpus, progress, interrupted) => ChildRun.RunAsync(
            arguments,
            cpus,
            now =>
            {
                progress(now);
                if (now.StartsWith("measure", StringComparison.Ordinal) && !now.Contains(" 0/s", StringComparison.Ordinal))
                {
                    interrupt.Cancel();
                }
            },
            interrupted));

        int code = await program.RunAsync(new ExperimentPlan([Create(server, "600")], Unpinned(folder)), interrupt.Token)
            .WaitAsync(TestTimeouts.Hang, CancellationToken.None);

        Assert.Equal(ExitCodes.Interrupted, code);
        JsonObject report = Report(folder);
        Assert.True((bool)report["interrupted"]!);
        Assert.Equal(1, (int)report["not_run"]!);
        JsonObject run = Assert.Single(report["experiments"]![0]!["runs"]!.AsArray())!.AsObject();
        Assert.Empty(run["problems"]!.AsArray());
        Assert.False((bool)run["good"]![0]!);
        Assert.True((bool)run["reports"]![0]!["interrupted"]!);
        Assert.True((double)run["figures"]!["messages_per_s"]!["median"]! > 0);
    }

    [Fact]
    public async Task A_view_that_fails_leaves_no_process()
    {
        await using PlayChatServer server = await StartServerAsync();
        ExperimentRun run = Create(server, "600").Runs[0];

        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => ChildRun
            .RunAsync(run.Arguments, cpus: null, static _ => throw new InvalidOperationException("no terminal"), CancellationToken.None)
            .WaitAsync(TestTimeouts.Hang));

        Assert.Equal("no terminal", e.Message);
    }

    private static async Task<PlayChatServer> StartServerAsync()
    {
        PlayChatServer server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseFraming(FrameFormat.LengthPrefixed(prefixBytes: 4))
            .OnFrame(static (connection, frame) => connection.Send(frame));
        await server.StartAsync();
        return server;
    }

    private static Experiment Create(PlayChatServer server, string seconds)
    {
        string address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{((IPEndPoint)server.EndPoints[0]).Port}");
        string[] arguments = ["echo", "--ccu", "2", "--inflight", "4", "--warmup", "0", "--duration", seconds, "--connect", address];
        return new Experiment(
            "echo",
            "Echo",
            string.Empty,
            string.Empty,
            [new(Subjects.Ours, "64 B", arguments), new("kestrel", "64 B", arguments)],
            [new("Rate", "messages_per_s")])
        {
            Figures = s_figures,
        };
    }

    private static ExperimentSettings Unpinned(TemporaryDirectory folder) =>
        SuiteSample.Settings(1, folder.Path) with { ServerCpus = null, ClientCpus = null };

    private static JsonObject Report(TemporaryDirectory folder) =>
        JsonNode.Parse(File.ReadAllText(folder.Combine("results.json")))!.AsObject();
}
