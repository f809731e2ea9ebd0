using System.Diagnostics;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Metrics, traces and logs by OTLP, as a collector receives them.</summary>
public sealed class TelemetryTests
{
    [Theory]
    [InlineData("grpc")]
    [InlineData("httpprotobuf", Traits = ["Tier", "Full"])]
    public async Task A_collector_gets_metrics_logs_and_the_trace_of_a_message_from_the_client_to_the_deliveries(string protocol)
    {
        await using OtlpReceiver collector = await OtlpReceiver.StartAsync(isGrpc: protocol == "grpc");
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Telemetry:Otlp:Endpoint={collector.Address}",
            $"--Telemetry:Otlp:Protocol={protocol}",
            "--Telemetry:Otlp:Headers=api-key=secret",
            "--Telemetry:Otlp:ContinueTraces=true",
            "--Telemetry:Otlp:TraceOneIn=1000000");
        using ActivityListener listener = ListenTo(ChatTracing.SourceName);
        using var source = new ActivitySource(nameof(TelemetryTests));
        using ActivityListener own = ListenTo(source.Name);
        await using ChatClient player = await Players.LoginAsync(server, "ada");
        SCreateRoomRes room = await player.CreateRoomAsync("lobby");
        string traceId;
        using (Activity user = source.StartActivity("a user clicks")!)
        {
            traceId = user.TraceId.ToHexString();
            await player.ChatAsync(room.RoomId, "hello");
        }

        Assert.Equal(0, await server.StopAsync());

        OtlpSpan[] trace = [.. collector.Spans.Where(span => span.TraceId == traceId)];
        OtlpSpan handler = Assert.Single(trace, static span => span.Name == "C_ROOM_CHAT_REQ");
        OtlpSpan turn = Assert.Single(trace, static span => span.Name == "room turn");
        OtlpSpan deliver = Assert.Single(trace, static span => span.Name == "deliver");
        OtlpSpan[] stores = [.. trace.Where(static span => span.Name == "store")];
        Assert.NotEmpty(handler.ParentId); // the client's span, which the client's process keeps
        Assert.Equal(handler.Id, turn.ParentId);
        Assert.Equal(turn.Id, deliver.ParentId);
        Assert.Equal(2, stores.Length); // the database and the day file
        Assert.All(stores, span => Assert.Equal(turn.Id, span.ParentId));
        Assert.Equal(5, trace.Length);
        Assert.Equal("PlayChat.Core", turn.Source);
        Assert.Equal("PlayChat.Storage", stores[0].Source);

        string[] metrics =
        [
            "playchat.connections.active", "playchat.connections.closed", "playchat.packet.received", "playchat.chat_log.stored",
            "playchat.db.operation.duration", "playchat.build.info", "process.cpu.time", "dotnet.gc.collections",
        ];
        Assert.Empty(metrics.Except(collector.MetricNames, StringComparer.Ordinal));
        Assert.Contains("playchat.packet.duration", collector.HistogramNames, StringComparer.Ordinal);
        Assert.DoesNotContain("playchat.message.duration", collector.MetricNames, StringComparer.Ordinal);

        (string text, string[] keys) = Assert.Single(
            collector.LogRecords, static record => record.Text.Contains("logged in on connection", StringComparison.Ordinal));
        Assert.Contains("ada", text, StringComparison.Ordinal);
        Assert.Contains("ConnectionId", keys, StringComparer.Ordinal);
        Assert.Contains("playchat", collector.Services, StringComparer.Ordinal);
        Assert.All(collector.Keys, static key => Assert.Equal("secret", key));
        Assert.DoesNotContain(collector.LogRecords, static record => record.Text.Contains("secret", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task By_default_a_client_does_not_decide_what_is_traced_and_the_server_takes_its_share()
    {
        await using OtlpReceiver collector = await OtlpReceiver.StartAsync(isGrpc: false);
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Telemetry:Otlp:Endpoint={collector.Address}",
            "--Telemetry:Otlp:Protocol=httpprotobuf",
            "--Telemetry:Otlp:TraceOneIn=1");
        using var source = new ActivitySource(nameof(TelemetryTests));
        using ActivityListener own = ListenTo(source.Name);
        using ActivityListener listener = ListenTo(ChatTracing.SourceName);
        await using ChatClient player = await Players.LoginAsync(server, "ada");
        SCreateRoomRes room = await player.CreateRoomAsync("lobby");
        using (Activity user = source.StartActivity("a user clicks")!)
        {
            await player.ChatAsync(room.RoomId, "hello");
            Assert.Equal(0, await server.StopAsync());

            Assert.DoesNotContain(collector.Spans, span => span.TraceId == user.TraceId.ToHexString());
        }

        OtlpSpan handler = Assert.Single(collector.Spans, static span => span.Name == "C_ROOM_CHAT_REQ");
        Assert.Empty(handler.ParentId);
        Assert.Contains(collector.Spans, static span => span.Name == "C_LOGIN_REQ");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_collector_that_is_away_is_a_line_of_the_log_and_the_chat_continues()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--Telemetry:Otlp:Endpoint=http://127.0.0.1:1", "--Telemetry:Otlp:MetricInterval=00:00:00.1");
        await using ChatClient player = await Players.LoginAsync(server, "ada");

        await server.Program.WaitForLineAsync(
            static line => line.Contains("Telemetry was not sent (Telemetry:Otlp:Endpoint)", StringComparison.Ordinal));

        SCreateRoomRes room = await player.CreateRoomAsync("lobby");
        await player.ChatAsync(room.RoomId, "hello");
        Assert.Equal(0, await server.StopAsync());
    }

    private static ActivityListener ListenTo(string source)
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = candidate => candidate.Name == source,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }
}
