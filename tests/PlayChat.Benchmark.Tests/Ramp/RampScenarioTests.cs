using System.Net;
using System.Text.Json.Nodes;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Ramp;

/// <summary>The whole program against small servers in this process.</summary>
public sealed class RampScenarioTests
{
    [Fact]
    public async Task All_connections_come_step_by_step_and_are_served()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(connections: 1_000);

        int code = await RunAsync(server, folder);

        JsonObject report = Report(folder);
        Assert.Equal(0, code);
        Assert.Equal((30, 0, 30), ((int)report["accepted"]!, (int)report["refused"]!, (int)report["open"]!));
        Assert.True((long)report["messages"]! >= 30);
        Assert.Equal(0.1, (double)report["ramp_interval_s"]!, 0.001);
        Assert.InRange((int)report["intervals"]!.AsArray()[^1]!["connections"]!, 1, 30); // it may be from before the last step
    }

    [Fact]
    public async Task Who_is_not_served_is_not_accepted()
    {
        using var folder = new TemporaryDirectory();
        await using PlayChatServer server = await StartAsync(connections: 10);

        int code = await RunAsync(server, folder, "--drain-timeout", "2", "--duration", "2");

        Assert.Equal(1, code);
        Assert.InRange((int)Report(folder)["accepted"]!, 1, 10);
    }

    private static async Task<PlayChatServer> StartAsync(int connections)
    {
        PlayChatServer server = new PlayChatServer(options =>
        {
            options.ListenTcp("127.0.0.1:0");
            options.Connections.MaxConnections = connections;
        })
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(static (connection, frame) => connection.Send(frame));
        await server.StartAsync();
        return server;
    }

    private static Task<int> RunAsync(PlayChatServer server, TemporaryDirectory folder, params string[] more)
    {
        int port = ((IPEndPoint)server.EndPoints[0]).Port;
        string[] arguments =
        [
            .. "ramp --connections 30 --ramp 10 --time-scale 100 --every 100ms --interval 0.5".Split(' '),
            "--connect", $"127.0.0.1:{port}",
            "--json", folder.Combine("report.json"), .. more.Length > 0 ? more : ["--duration", "1"],
        ];
        return BenchmarkProgram.RunAsync(arguments, new StringWriter(), new StringWriter()).WaitAsync(TestTimeouts.Hang);
    }

    private static JsonObject Report(TemporaryDirectory folder) =>
        JsonNode.Parse(File.ReadAllText(folder.Combine("report.json")))!.AsObject();
}
