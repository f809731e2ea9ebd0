using System.Net;
using System.Text.Json.Nodes;
using Google.Protobuf;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Echo;

/// <summary>The whole program against small servers in this process.</summary>
public sealed class EchoScenarioTests
{
    private const int Ccu = 4;
    private const int Messages = 500;

    [Theory]
    [InlineData(8)]
    [InlineData(64)]
    [InlineData(5000)]
    [InlineData(1)]
    public async Task Every_request_is_answered_once_and_verified(int size)
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (connection, frame) => connection.Send(frame));

        int code = await RunAsync(server, "length4", size, folder);

        JsonObject report = Report(folder);
        Assert.Equal(0, code);
        Assert.Equal(Ccu * Messages, (long)report["messages"]!);
        Assert.Equal(Ccu * Messages, (long)report["sent_total"]!);
        Assert.Equal(0, (long)report["errors"]!);
        Assert.Equal(0, (long)report["incomplete"]!);
        Assert.True((double)report["rtt_us"]!["p50"]! > 0);
        Assert.Equal(Ccu * Messages, server.Metrics.Snapshot().FramesReceived);
    }

    [Theory]
    [InlineData("packet")]
    [InlineData("request")]
    public async Task Requests_with_ids_are_answered_once_and_verified(string framing)
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartChatAsync(static payload => payload);

        int code = await RunAsync(server, framing, 64, folder);

        JsonObject report = Report(folder);
        Assert.Equal(0, code);
        Assert.Equal(Ccu * Messages, (long)report["messages"]!);
        Assert.Equal(Ccu * Messages, (long)report["sent_total"]!);
        Assert.Equal(0, (long)report["gating_violation"]!);
        Assert.Equal(Ccu * (Messages + 1), server.Metrics.Snapshot().FramesReceived); // and a login each
    }

    [Theory]
    [InlineData("packet")]
    [InlineData("request")]
    public async Task A_wrong_answer_with_an_id_is_an_error(string framing)
    {
        using var folder = new TemporaryDirectory();
        int answers = 0;
        await using PlayChatServer server = await StartChatAsync(payload =>
            Interlocked.Increment(ref answers) % 100 == 0 ? ByteString.CopyFromUtf8("wrong") : payload);

        int code = await RunAsync(server, framing, 64, folder);

        Assert.Equal(1, code);
        Assert.Equal(Ccu * Messages / 100, (long)Report(folder)["errors"]!);
    }

    [Fact]
    public async Task A_wrong_answer_is_an_error_and_the_exit_code_is_1()
    {
        using var folder = new TemporaryDirectory();
        int answers = 0;
        await using PlayChatServer server = await StartAsync((connection, frame) =>
        {
            byte[] body = frame.ToArray();
            body[^1] ^= (byte)(Interlocked.Increment(ref answers) % 100 == 0 ? 1 : 0);
            connection.Send(body);
        });

        int code = await RunAsync(server, "length4", 64, folder);

        Assert.Equal(1, code);
        Assert.Equal(Ccu * Messages / 100, (long)Report(folder)["errors"]!);
    }

    [Fact]
    public async Task Requests_that_are_never_answered_are_reported()
    {
        using var folder = new TemporaryDirectory();
        int requests = 0;
        await using PlayChatServer server = await StartAsync((connection, frame) =>
        {
            if (Interlocked.Increment(ref requests) != 1)
            {
                connection.Send(frame);
            }
        });

        int code = await RunAsync(server, "length4", 64, folder, "--duration", "0.1", "--drain-timeout", "0");

        Assert.Equal(1, code);
        Assert.NotEqual(0, (long)Report(folder)["incomplete"]!);
        Assert.True((bool)Report(folder)["drain_timeout"]!);
    }

    [Fact]
    public async Task A_connection_that_the_server_ends_is_an_error()
    {
        using var folder = new TemporaryDirectory();
        int requests = 0;
        await using PlayChatServer server = await StartAsync((connection, frame) =>
        {
            connection.Send(frame);
            if (Interlocked.Increment(ref requests) == 100)
            {
                connection.Abort();
            }
        });

        int code = await RunAsync(server, "length4", 64, folder);

        Assert.Equal(1, code);
        Assert.Equal(1, (long)Report(folder)["errors"]!);
    }

    [Fact]
    public async Task An_open_loop_sends_what_is_planned_and_no_more()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (connection, frame) => connection.Send(frame));

        int code = await RunOpenAsync(server, folder, "--max-lag", "100s");

        JsonObject report = Report(folder);
        Assert.Equal(0, code);
        long planned = (long)report["sent_total"]!;
        Assert.InRange(planned, 1, 400); // 800 a second for half a second, less what it took to begin
        Assert.Equal(planned, (long)report["messages"]!);
        Assert.Equal(planned, server.Metrics.Snapshot().FramesReceived);
        Assert.Equal(0, (long)report["incomplete"]!);
        Assert.Equal(0, (long)report["gating_violation"]!);
        Assert.True((bool)report["valid"]!);
        Assert.True((double)report["rtt_us"]!["mean"]! >= (double)report["uncorrected_rtt_us"]!["mean"]!);
        Assert.True((double)report["rtt_us"]!["max"]! >= (double)report["send_lag_us"]!["max"]!);
    }

    [Fact]
    public async Task A_generator_that_fell_behind_makes_the_run_invalid_and_the_exit_code_1()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (connection, frame) => connection.Send(frame));

        int code = await RunOpenAsync(server, folder, "--max-lag", "0.1us");

        Assert.Equal(1, code);
        Assert.False((bool)Report(folder)["valid"]!);
        Assert.Equal(0, (long)Report(folder)["errors"]!);
    }

    [Fact]
    public async Task An_open_loop_that_the_server_does_not_answer_counts_what_was_planned_as_incomplete()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (_, _) => { });

        int code = await RunOpenAsync(server, folder, "--max-lag", "100s", "--drain-timeout", "0");

        Assert.Equal(1, code);
        Assert.InRange((long)Report(folder)["incomplete"]!, server.Metrics.Snapshot().FramesReceived + 1, 400);
        Assert.True(server.Metrics.Snapshot().FramesReceived <= Ccu * 8, "never more than the window is outstanding");
    }

    [Fact]
    public async Task Of_sampled_round_trips_all_are_verified_and_counted()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (connection, frame) => connection.Send(frame));

        int code = await RunAsync(server, "length4", 64, folder, "--sample", "16", "--connect-concurrency", "1");

        Assert.Equal(0, code);
        Assert.Equal(Ccu * Messages, (long)Report(folder)["messages"]!);
        Assert.Equal(16, (int)Report(folder)["sample_every"]!);
        Assert.True((double)Report(folder)["rtt_us"]!["p95"]! > 0);
    }

    [Fact]
    public async Task A_drain_that_timed_out_is_not_good_even_with_fewer_unanswered_than_are_allowed()
    {
        using var folder = new TemporaryDirectory();
        int requests = 0;
        await using PlayChatServer server = await StartAsync((connection, frame) =>
        {
            // The last answers of all do not come, so that none comes out of order.
            if (Interlocked.Increment(ref requests) <= (Ccu * Messages) - 4)
            {
                connection.Send(frame);
            }
        });

        int code = await RunAsync(
            server, "length4", 64, folder, "--drain-timeout", "0.5", "--duration", "5", "--max-incomplete-ratio", "0.01");

        Assert.Equal(1, code);
        Assert.Equal(4, (long)Report(folder)["incomplete"]!);
        Assert.Equal(0.002, (double)Report(folder)["incomplete_ratio"]!);
        Assert.True((bool)Report(folder)["drain_timeout"]!);
    }

    private static Task<int> RunOpenAsync(PlayChatServer server, TemporaryDirectory folder, params string[] more)
    {
        int port = ((IPEndPoint)server.EndPoints[0]).Port;
        string[] arguments =
        [
            .. $"echo --ccu {Ccu} --inflight 8 --size 16 --rate 800 --warmup 0 --duration 0.5".Split(' '),
            "--connect", $"127.0.0.1:{port}",
            "--json", folder.Combine("report.json"), .. more,
        ];
        return BenchmarkProgram.RunAsync(arguments, new StringWriter(), new StringWriter()).WaitAsync(TestTimeouts.Hang);
    }

    private static async Task<PlayChatServer> StartAsync(PlayChat.Core.Dispatch.FrameHandler handler)
    {
        PlayChatServer server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(handler);
        await server.StartAsync();
        return server;
    }

    private static async Task<PlayChatServer> StartChatAsync(Func<ByteString, ByteString> answer)
    {
        PlayChatServer server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UsePackets(ChatPackets.All)
            .OnPackets(router =>
            {
                router.MapPacket<CLoginReq>(static (context, _) => context.Reply(new SLoginRes()));
                router.MapPacket<CEchoReq>((context, request) =>
                    context.Reply(new SEchoRes { Payload = answer(request.Payload) }));
            });
        await server.StartAsync();
        return server;
    }

    private static Task<int> RunAsync(PlayChatServer server, string framing, int size, TemporaryDirectory folder, params string[] more)
    {
        int port = ((IPEndPoint)server.EndPoints[0]).Port;
        string[] arguments =
        [
            .. $"echo --ccu {Ccu} --inflight 8 --size {size} --framing {framing} --messages {Messages} --warmup 0".Split(' '),
            "--connect", $"127.0.0.1:{port}",
            "--json", folder.Combine("report.json"), .. more,
        ];
        return BenchmarkProgram.RunAsync(arguments, new StringWriter(), new StringWriter()).WaitAsync(TestTimeouts.Hang);
    }

    private static JsonObject Report(TemporaryDirectory folder) =>
        JsonNode.Parse(File.ReadAllText(folder.Combine("report.json")))!.AsObject();
}
