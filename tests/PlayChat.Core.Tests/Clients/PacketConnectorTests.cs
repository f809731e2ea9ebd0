using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Clients;

public sealed class PacketConnectorTests
{
    [Fact]
    public async Task A_client_has_the_same_router_and_filters_as_a_server()
    {
        PacketSet packets = new PacketSet().Add(new TextPacket(7)).Add(new NumberPacket(8));
        var transport = new InMemoryTransport();
        List<string> filtered = [];
        var answered = new TaskCompletionSource<string>();
        await using var server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"));
        server.UseTransport(transport).UsePackets(packets).OnPackets(router =>
        {
            router.MapPacket<string>(static (context, text) => context.Connection.SendPacket((long)text.Length));
            router.MapPacket<long>(static (context, number) => context.Reply($"you said {number}"));
        });
        await server.StartAsync();
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(),
            packets,
            router =>
            {
                router.RequireLogin = true; // a client has none: of no effect
                router.AddFilter(new RecordingFilter("client", filtered));
                router.MapPacket<long>(static (context, number) => context.Reply(number + 1));
                router.MapPacket<string>((context, text) =>
                {
                    Assert.Throws<InvalidOperationException>(() => context.Session);
                    answered.SetResult(text);
                });
            },
            transport: transport);

        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);
        connection.SendPacket("abc");

        Assert.Equal("you said 4", await answered.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(
            ["client out TEXT_7 abc", "client in NUMBER_8", "client out NUMBER_8 4", "client done", "client in TEXT_7"],
            filtered[..5]);
        Assert.Throws<InvalidOperationException>(() => packets.Add(new TextPacket(9)));
    }

    [Fact]
    public async Task A_client_counts_packets_without_a_handler_logs_each_id_once_and_goes_on()
    {
        PacketSet packets = new PacketSet().Add(new TextPacket(7));
        var transport = new InMemoryTransport();
        await using var server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"));
        server.UseTransport(transport)
            .UsePackets(packets)
            .OnConnected(static session =>
            {
                session.Connection.SendPacket("hello");
                session.Connection.SendPacket("again");
                session.Connection.Send(default, new FrameHeader(1234));
            })
            .OnPackets(static router => router.MapPacket<string>(static (context, text) => context.Reply(text)));
        await server.StartAsync();
        using var logger = new RecordingLogger();
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(), packets, static _ => { }, transport: transport, loggers: logger);

        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);

        await Eventually.TrueAsync(() => connector.Metrics.Snapshot().UnknownPackets == 3);
        Assert.Equal("and on", await connection.RequestAsync<string>("and on", TestTimeouts.Hang));
        string[] lines =
            [.. logger.Entries.Where(static entry => entry.Event == "DroppedByClient").Select(static entry => entry.Text)];
        Assert.Equal(2, lines.Length);
        Assert.Contains("Nothing handles packet 7 (TEXT_7)", lines[0], StringComparison.Ordinal);
        Assert.Contains("Nothing handles packet 1234 (not in the PacketSet)", lines[1], StringComparison.Ordinal);
    }
}
