using System.Collections.Concurrent;
using System.Net;
using System.Text.Json.Nodes;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Classroom;

/// <summary>The whole program against a small server in this process that passes every frame on to all, or does not.</summary>
public sealed class ClassroomScenarioTests
{
    [Fact]
    public async Task Every_message_reaches_every_connection_and_the_observer_counts_its_own()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (_, _) => 1);

        int code = await RunAsync(
            server, folder, "--processes 2 --connections 5 --rps 20 --observer-rps 50 --max-lag 60s");

        JsonObject report = Report(folder);
        Assert.Equal(0, code);
        Assert.Equal(11 * (long)report["messages"]!, (long)report["deliveries"]!);
        JsonObject observer = report["observer"]!.AsObject();
        Assert.True((long)observer["count"]! > 0);
        Assert.Equal((double)observer["sum_ms"]! / (long)observer["count"]!, (double)observer["average_ms"]!, 0.01);
        Assert.InRange((double)observer["average_ms"]!, (double)observer["min_ms"]!, (double)observer["max_ms"]!);
        Assert.Equal(11, (int)report["connecting"]!["served"]!);
        Assert.Empty(report["fanout"]!["missing"]!.AsArray());
    }

    [Fact]
    public async Task Deliveries_of_a_message_to_a_group_that_never_come_are_named()
    {
        using var folder = new TemporaryDirectory();
        int dropped = 0;
        await using PlayChatServer server = await StartAsync(
            (sender, payload) => sender == 0 && IsFifth(payload) && Interlocked.Increment(ref dropped) <= 4 ? 0 : 1);

        int code = await RunAsync(
            server, folder, "--processes 2 --connections 2 --rps 50 --observer-rps 0 --max-lag 60s", "--drain-timeout", "1");

        JsonObject report = Report(folder);
        JsonArray missing = report["fanout"]!["missing"]!.AsArray();
        Assert.Equal(1, code);
        Assert.Equal([0, 1, 2, 3], missing.Select(static one => (int)one!["receiver"]!).Order());
        Assert.All(missing, static one => Assert.Equal((0, 5), ((int)one!["sender"]!, (int)one["number"]!)));
        Assert.Equal(4, (long)report["lost"]!);
    }

    [Fact]
    public async Task A_delivery_that_never_comes_is_named()
    {
        using var folder = new TemporaryDirectory();
        int dropped = 0;
        await using PlayChatServer server = await StartAsync(
            (sender, payload) => IsFifth(payload) && Interlocked.Increment(ref dropped) == 4 ? 0 : 1);

        int code = await RunAsync(
            server, folder, "--processes 1 --connections 6 --rps 50 --observer-rps 0 --max-lag 60s", "--drain-timeout", "1");

        JsonObject missing = Assert.Single(Report(folder)["fanout"]!["missing"]!.AsArray())!.AsObject();
        Assert.Equal(1, code);
        Assert.Equal((0, 5), ((int)missing["room"]!, (int)missing["number"]!));
        Assert.Equal(1, (long)Report(folder)["lost"]!);
    }

    [Fact]
    public async Task A_delivery_of_the_warm_up_that_never_comes_is_not_good()
    {
        using var folder = new TemporaryDirectory();
        int dropped = 0;
        await using PlayChatServer server = await StartAsync(
            (_, payload) => IsFifth(payload) && Interlocked.Increment(ref dropped) == 4 ? 0 : 1);

        int code = await RunAsync(
            server,
            folder,
            "--processes 1 --connections 6 --rps 50 --observer-rps 0 --max-lag 60s --warmup 0.6 --duration 0.2",
            "--drain-timeout",
            "1");

        Assert.Equal(1, code);
        Assert.Equal(0, (long)Report(folder)["lost"]!);
        Assert.Single(Report(folder)["fanout"]!["missing"]!.AsArray());
    }

    [Fact]
    public async Task A_delivery_that_comes_twice_is_counted()
    {
        using var folder = new TemporaryDirectory();
        int doubled = 0;
        await using PlayChatServer server = await StartAsync(
            (_, payload) => IsFifth(payload) && Interlocked.Increment(ref doubled) == 4 ? 2 : 1);

        int code = await RunAsync(server, folder, "--processes 1 --connections 6 --rps 50 --observer-rps 0 --max-lag 60s");

        JsonObject fanout = Report(folder)["fanout"]!.AsObject();
        Assert.Equal(1, code);
        Assert.Equal((1, 0), ((int)fanout["twice"]!, fanout["missing"]!.AsArray().Count));
    }

    [Fact]
    public async Task A_load_that_fell_behind_is_not_valid()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(static (_, _) => 1);

        int code = await RunAsync(server, folder, "--processes 1 --connections 2 --rps 20", "--max-lag", "0.01us");

        Assert.Equal(1, code);
        Assert.False((bool)Report(folder)["valid"]!);
        Assert.StartsWith("the load fell behind its plan", (string?)Report(folder)["invalid_because"], StringComparison.Ordinal);
    }

    // The sender's own count is the second hexadecimal number of a payload. At 50 a second it is sent early, also by a load that begins
    // late.
    private static bool IsFifth(byte[] payload) => payload.AsSpan(8, 8).SequenceEqual("00000005"u8);

    // How often each delivery is made is the test's to say.
    private static async Task<PlayChatServer> StartAsync(Func<ushort, byte[], int> times)
    {
        var connections = new ConcurrentDictionary<Connection, int>();
        object gate = new(); // one order for all
        PlayChatServer server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseFraming(FrameFormat.SenderPrefixed())
            .OnConnected(session => connections.TryAdd(session.Connection, 0))
            .OnFrame((_, frame) =>
            {
                byte[] payload = frame.ToArray();
                var header = new FrameHeader(SenderId: frame.Header.SenderId);
                lock (gate)
                {
                    foreach (Connection member in connections.Keys)
                    {
                        for (int i = times(header.SenderId, payload); i > 0; i--)
                        {
                            member.Send(payload, header);
                        }
                    }
                }
            });
        await server.StartAsync();
        return server;
    }

    private static Task<int> RunAsync(PlayChatServer server, TemporaryDirectory folder, string options, params string[] more)
    {
        int port = ((IPEndPoint)server.EndPoints[0]).Port;
        string[] arguments =
        [
            .. $"classroom {options} --connect 127.0.0.1:{port}".Split(' '),
            .. options.Contains("--warmup", StringComparison.Ordinal) ? [] : (string[])["--warmup", "0", "--duration", "0.6"],
            "--json", folder.Combine("report.json"), .. more,
        ];
        return BenchmarkProgram.RunAsync(arguments, new StringWriter(), new StringWriter()).WaitAsync(TestTimeouts.Hang);
    }

    private static JsonObject Report(TemporaryDirectory folder) =>
        JsonNode.Parse(File.ReadAllText(folder.Combine("report.json")))!.AsObject();
}
