using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Benchmark.Tests.Cli;

public sealed class BenchmarkProgramTests
{
    [Theory]
    [InlineData("echo --ccu 0", "--ccu is 0; allowed is 1 to 1000000.")]
    [InlineData("echo --inflight 0", "--inflight is 0; allowed is 1 to 1000000.")]
    [InlineData("echo --framing packet --inflight 65535", "--inflight is 65535; allowed is 1 to 65534.")]
    [InlineData("echo --size 0", "--size is 0; allowed is 1 or more.")]
    [InlineData("echo --size 65537", "--size 65537 is over the limit of --framing length4: at most 65536 bytes.")]
    [InlineData("echo --size 65529 --framing packet", "--size 65529 is over the limit of --framing packet: at most 65528 bytes.")]
    [InlineData("echo --framing line", "--framing is 'line'; allowed is packet, request or length4.")]
    [InlineData("echo --duration 0", "--duration is 0; allowed is 0.1 to 86400 seconds.")]
    [InlineData("echo --warmup -1", "--warmup is -1; allowed is 0 to 86400 seconds.")]
    [InlineData("echo --messages 0", "--messages is 0; allowed is 1 or more.")]
    [InlineData("serve --baseline kestrel --port 70000", "--port is 70000; allowed is 0 to 65535.")]
    [InlineData("echo --connect somewhere", "--connect takes HOST:PORT, such as 127.0.0.1:7777 or [::1]:7777, not 'somewhere'.")]
    [InlineData("echo --server-kpi x", "--server-kpi needs --connect")]
    [InlineData("echo --json /no/such/folder/x.json", "--json: the folder of '/no/such/folder/x.json' does not exist.")]
    [InlineData("chat --clients 3 --rooms 4", "--rooms is 4; allowed is 1 to the number of clients, 3.")]
    [InlineData("chat --clients 10001 --rooms 2", "--rooms is 2; allowed is at least 3 for so many clients")]
    [InlineData("chat --rps 0", "--rps is 0; allowed is more than 0, to 10000.")]
    [InlineData("chat --mix 64:80,x", "--mix takes BYTES:WEIGHT or MIN-MAX:WEIGHT")]
    [InlineData("chat --stalled-readers -1", "--stalled-readers is -1; allowed is 0 to 1000000.")]
    [InlineData("chat --nodes 127.0.0.1:1,b", "--nodes takes HOST:PORT, such as 127.0.0.1:7777 or [::1]:7777, not 'b'.")]
    [InlineData("chat --nodes 127.0.0.1:1 --server A=b", "--nodes uses running servers, so it goes with none of --connect")]
    [InlineData("chat --cluster 17", "--cluster is 17; allowed is 0 to 16.")]
    [InlineData("chat --cluster 2 --engine Kafka", "--engine is 'Kafka'; allowed is Postgres or RabbitMq.")]
    [InlineData("chat --engine Postgres", "--engine is for nodes that the benchmark starts: use it with --cluster N.")]
    [InlineData("chat --cluster 2 --nodes 127.0.0.1:1", "--cluster starts servers on free ports, so it goes with none of --connect,")]
    [InlineData("chat --cluster 2 --baseline kestrel", "--cluster starts servers on free ports, so it goes with none of --connect,")]
    [InlineData("chat --late 50", "--late takes a time such as 50ms, 1.5s or 200us, not '50'.")]
    [InlineData("chat --max-lag 0ms", "--max-lag takes a time such as 50ms, 1.5s or 200us, not '0ms'.")]
    [InlineData("capacity --p99-limit soon", "--p99-limit takes a time such as 50ms, 1.5s or 200us, not 'soon'.")]
    [InlineData("capacity --precision 0", "--precision is 0; allowed is 0.01 to 1.")]
    [InlineData("broadcast --clients 65536", "--clients is 65536; allowed is 1 to 65535.")]
    [InlineData("classroom --processes 0", "--processes is 0; allowed is 1 to 65535.")]
    [InlineData("classroom --processes 1000 --connections 66", "--connections is 66; allowed is 1 to 65534 in all groups")]
    [InlineData("classroom --size 43", "--size is 43; allowed is 44 to ")]
    [InlineData("classroom --workers 1025", "--workers is 1025; allowed is 0 to 1024.")]
    [InlineData("classroom --workers 1 --baseline kestrel", "--workers is for a PlayChat server that the benchmark starts")]
    [InlineData("ramp --time-scale 0", "--time-scale is 0; allowed is more than 0, to 100000.")]
    [InlineData("ramp --ramp 0", "--ramp is 0; allowed is 1 or more.")]
    [InlineData("classroom-broadcast --burst 10", "--burst is 10; allowed is 50 (the connections of a group) or more.")]
    [InlineData("chat --transport pigeon", "--transport is 'pigeon'; allowed is auto, linux or sockets.")]
    [InlineData("chat --server Transport", "--server takes KEY=VALUE, such as Transport=linux, not 'Transport'.")]
    [InlineData("chat --server Transport=linux --connect 127.0.0.1:1", "--server sets options of the server that the benchmark starts")]
    [InlineData("chat --server-cores 1 --connect 127.0.0.1:1", "--server-cores needs a server that the benchmark starts")]
    [InlineData("echo --baseline apache", "--baseline is 'apache'; allowed is kestrel, async-socket, blocking-threads.")]
    [InlineData("echo --baseline kestrel --connect 127.0.0.1:1", "--baseline starts a server")]
    [InlineData("echo --rate 0", "--rate is 0; allowed is more than 0, to 10000000.")]
    [InlineData("echo --rate 10 --messages 5", "--rate goes with neither --messages nor --sample")]
    [InlineData("echo --rate 10 --max-lag 0ms", "--max-lag takes a time such as 50ms, 1.5s or 200us, not '0ms'.")]
    [InlineData("echo --sample 0", "--sample is 0; allowed is 1 or more.")]
    [InlineData("echo --connect-concurrency 0", "--connect-concurrency is 0; allowed is 1 to 1000000.")]
    [InlineData("echo --max-incomplete-ratio 2", "--max-incomplete-ratio is 2; allowed is 0 to 1.")]
    [InlineData("stream --sizes 64 65537", "--size 65537 is over the limit of --framing length4")]
    [InlineData("request-reply --cases 1x65535x8", "--inflight is 65535; allowed is 1 to 65534.")]
    [InlineData("request-reply --duration 0", "--duration is 0; allowed is 0.1 to 86400 seconds.")]
    [InlineData("serve --baseline apache", "--baseline is 'apache'; allowed is kestrel, async-socket, blocking-threads.")]
    [InlineData(
        "serve --baseline async-socket --mode chat",
        "--mode is 'chat'; with --baseline async-socket, allowed is echo, broadcast, classroom.")]
    [InlineData("serve --baseline kestrel --rooms 0", "--rooms is 0; allowed is 1 to 100000.")]
    [InlineData("chat --clients x", "Cannot parse argument 'x' for option '--clients'")]
    [InlineData("chat --nothing", "--nothing")]
    [InlineData("foo", "Unknown command 'foo'. See --help.")]
    [InlineData("foo --ccu 1", "Unknown command 'foo'. See --help.")]
    [InlineData("echo foo", "Unrecognized command or argument 'foo'. See --help.")]
    public async Task A_bad_parameter_gets_one_line_and_exit_code_2(string commandLine, string message)
    {
        var errors = new StringWriter();

        int code = await BenchmarkProgram.RunAsync(
            commandLine.Split(' '), TextWriter.Null, errors, (_, _) => throw new InvalidOperationException("It must not run."));

        Assert.Equal(ExitCodes.InvalidArguments, code);
        string line = Assert.Single(errors.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains(message, line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_cannot_be_reached_gets_one_line_and_exit_code_2()
    {
        using var nobody = new RefusingPort();
        var errors = new StringWriter();

        int code = await BenchmarkProgram.RunAsync(
            ["echo", "--ccu", "2", "--connect", nobody.EndPoint.ToString()], new StringWriter(), errors)
            .WaitAsync(TestTimeouts.Hang);

        Assert.Equal(ExitCodes.InvalidArguments, code);
        Assert.Single(errors.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("Cannot connect to", errors.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_options_reach_the_run()
    {
        LoadRun? seen = null;

        int code = await BenchmarkProgram.RunAsync(
            "chat --clients 12 --rooms 5 --warmup 0.5 --duration 2 --interval 1 --connect [::1]:7777".Split(' '),
            TextWriter.Null,
            TextWriter.Null,
            (run, _) =>
            {
                seen = run;
                return Task.FromResult(7);
            });

        Assert.Equal(7, code);
        Assert.Equal(12, seen!.Connections);
        Assert.Equal("[::1]:7777", seen.Target.Address!.ToString());
        Assert.Equal(TimeSpan.FromSeconds(0.5), seen.Target.Plan.Warmup);
        Assert.Equal(TimeSpan.FromSeconds(2), seen.Target.Plan.Duration);
        Assert.Equal("chat", seen.Server.Mode);
    }

    [Fact]
    public async Task Numbers_have_a_point_also_where_a_comma_is_usual()
    {
        LoadRun? seen = null;
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE"); // of this test alone: it flows like an AsyncLocal

        await BenchmarkProgram.RunAsync(
            "chat --warmup 0.5".Split(' '),
            TextWriter.Null,
            TextWriter.Null,
            (run, _) =>
            {
                seen = run;
                return Task.FromResult(0);
            });

        Assert.Equal(TimeSpan.FromSeconds(0.5), seen!.Target.Plan.Warmup);
        Assert.Equal("de-DE", CultureInfo.CurrentCulture.Name); // the program changes its own only
    }

    [Fact]
    public async Task A_cluster_reaches_the_run_and_its_nodes_reach_the_load()
    {
        LoadRun? seen = null;

        await BenchmarkProgram.RunAsync(
            "chat --cluster 3 --engine rabbitmq --server Cluster:Shards=4".Split(' '),
            TextWriter.Null,
            TextWriter.Null,
            (run, _) =>
            {
                seen = run;
                return Task.FromResult(0);
            });

        Assert.Equal(new ClusterSettings(3, ClusterEngine.RabbitMq), seen!.Cluster);
        Assert.Contains(("Cluster:Shards", "4"), seen.Server.Keys);
        await using IScenario scenario = seen.CreateScenario([new ServerAddress("a", 1), new ServerAddress("b", 2)]);
        var report = new JsonObject();
        scenario.Write(report, Reports.ReportTests.Outcome(server: null));
        Assert.Equal(2, (int)report["nodes"]!);
    }

    [Fact]
    public async Task Settings_of_the_server_and_clients_besides_reach_the_run()
    {
        LoadRun? seen = null;

        await BenchmarkProgram.RunAsync(
            ("chat --clients 300 --rooms 2 --stalled-readers 3 --transport sockets --server Transport=linux "
                + "--server PlayChat:Rooms:FlushInterval=00:00:00.005").Split(' '),
            TextWriter.Null,
            TextWriter.Null,
            (run, _) =>
            {
                seen = run;
                return Task.FromResult(0);
            });

        Assert.Equal(303, seen!.Connections);
        Assert.Same(SocketTransport.Instance, seen.Target.Transport);
        Assert.Equal(
            [("PlayChat:Rooms:MaxMembers", "152"), ("Transport", "linux"), ("PlayChat:Rooms:FlushInterval", "00:00:00.005")],
            seen.Server.Keys);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("")]
    public async Task Help_names_the_commands(string commandLine)
    {
        var output = new StringWriter();

        int code = await BenchmarkProgram.RunAsync(commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries), output, TextWriter.Null);

        Assert.Equal(0, code);
        Assert.Contains("echo --ccu 1000", output.ToString(), StringComparison.Ordinal);
        Assert.Contains("chat --clients 500", output.ToString(), StringComparison.Ordinal);
    }
}
