using Microsoft.Extensions.Logging;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.Core.Tests.Rooms;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A client of packets learns why the server closes it, and the server's log says what to change.</summary>
public sealed class CloseNoticeTests
{
    public static TheoryData<CloseReason, string, string> Closes => new()
    {
        { CloseReason.UnknownPacket, "ClosedAsUnknown", "nothing handles its packet 9 (NUMBER_9)" },
        { CloseReason.LoginRequired, "ClosedAsLoginRequired", "its packet 7 (TEXT_7) needs a login. Bind the session" },
        { CloseReason.RateLimited, "ClosedAsRateLimited", "2 packets in a row were over a rate limit, the last one 7 (TEXT_7)" },
        { CloseReason.ProtocolViolation, "Malformed", "Packet 8 (NUMBER_8)" },
        { CloseReason.LoginTimeout, "ClosedWithoutLogin", "did not log in within 00:00:10 (PlayChat:Sessions:LoginTimeout)" },
        { CloseReason.IdleTimeout, "ClosedIdle", "PlayChat:Sessions:IdleTimeout" },
        { CloseReason.FrameTooLarge, "BadFrame", "Its length is 70004 bytes, and the largest is 65536" },
        { CloseReason.HandlerFault, "HandlerFault", "threw an exception" },
    };

    [Theory]
    [MemberData(nameof(Closes))]
    public async Task The_client_sees_the_reason_and_the_log_says_what_to_change(CloseReason reason, string entry, string text)
    {
        await using ServerHarness harness = await StartAsync(reason);
        await using PlayChatConnector connector = NewConnector(harness);
        Connection client = await connector.ConnectAsync(harness.Server.EndPoints[0]);
        await Eventually.TrueAsync(() => harness.Server.Sessions.Count == 1);

        Provoke(reason, entry, client, harness);

        Assert.Equal(reason, await client.Closed.WaitAsync(TestTimeouts.Hang));
        (LogLevel level, _, string line) = Assert.Single(harness.Logger.Entries, found => found.Event == entry);
        Assert.Contains(text, line, StringComparison.Ordinal);
        Assert.True(level >= LogLevel.Information);
    }

    [Fact]
    public async Task It_is_a_heartbeat_packet_with_the_payload_of_a_WebSocket_close_frame()
    {
        await using ServerHarness harness = await StartAsync(CloseReason.UnknownPacket);
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync(new byte[] { 0, 0, 0, 4, 0, 99, 0, 0 });

        Assert.Equal((byte[])[0, 0, 0, 19, 0xFF, 0xFF, 0, 0, 0x0F, 0xB0, .. "UnknownPacket"u8], await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task An_application_with_OnClosing_tells_its_clients_itself()
    {
        await using ServerHarness harness = await StartAsync(
            CloseReason.UnknownPacket,
            static server => server.OnClosing(static (connection, reason) => connection.SendPacket($"{reason}")));
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync(new byte[] { 0, 0, 0, 4, 0, 99, 0, 0 });

        Assert.Equal((byte[])[0, 0, 0, 17, 0, 7, 0, 0, .. "UnknownPacket"u8], await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task A_stop_is_a_plain_end_after_which_clients_return()
    {
        await using ServerHarness harness = await StartAsync(CloseReason.ServerShutdown);
        TransportConnection client = await harness.ConnectAsync();

        Task stopping = harness.Server.StopAsync();

        Assert.Empty(await client.ReceiveToEndAsync());
        client.Shutdown();
        await stopping.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_server_believes_no_client_that_sends_one()
    {
        var closed = new TaskCompletionSource<CloseReason>();
        await using ServerHarness harness = await StartAsync(
            CloseReason.None, server => server.OnDisconnected((_, reason) => closed.SetResult(reason)));
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync((byte[])[0, 0, 0, 6, 0xFF, 0xFF, 0, 0, 0x0F, 0xAB]); // 4011, TakenOver
        client.Shutdown();

        Assert.Equal(CloseReason.PeerClosed, await closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 0x0F })]
    [InlineData(new byte[] { 0xFF, 0xFF })]
    public async Task A_client_takes_no_reason_from_another_payload(byte[] payload)
    {
        await using ServerHarness harness = await StartAsync(CloseReason.None, server => server.OnConnected(session =>
        {
            session.Connection.Send(payload, new FrameHeader(ushort.MaxValue));
            session.Connection.Close();
        }));
        await using PlayChatConnector connector = NewConnector(harness);

        Connection client = await connector.ConnectAsync(harness.Server.EndPoints[0]);

        Assert.Equal(CloseReason.PeerClosed, await client.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_packet_before_the_join_is_dropped_with_a_line_and_a_count()
    {
        PacketSet packets = new PacketSet().Add(new TextPacket(7));
        await using var harness = new ServerHarness();
        await harness.StartAsync(server => server.UseFraming(FrameFormat.Packet()).UsePackets(packets).OnPackets(static router =>
            router.MapRoomPacket<MemberRoom, TestMember, string>(static (_, _, _, _) => { })));
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync((byte[])[0, 0, 0, 6, 0, 7, 0, 0, .. "hi"u8, 0, 0, 0, 6, 0, 7, 0, 0, .. "hi"u8]);
        await Eventually.TrueAsync(() => harness.Server.Metrics.Snapshot().FramesReceived == 2);

        (LogLevel level, _, string line) = Assert.Single(harness.Logger.Entries, static entry => entry.Event == "DroppedWithoutRoom");
        Assert.Equal(LogLevel.Information, level);
        Assert.Contains("Packet 7 (TEXT_7)", line, StringComparison.Ordinal);
        Assert.Contains("its sender is in no MemberRoom. Let the session join first", line, StringComparison.Ordinal);
        Assert.Equal(2, harness.Server.Metrics.Read(Core.Diagnostics.Counter.PacketsWithoutRoom));
    }

    private static void Provoke(CloseReason reason, string entry, Connection client, ServerHarness harness)
    {
        switch (reason)
        {
            case CloseReason.UnknownPacket:
                client.Send(default, new FrameHeader(9));
                break;
            case CloseReason.ProtocolViolation:
                client.Send("x"u8, new FrameHeader(8)); // a number has eight bytes
                break;
            case CloseReason.LoginTimeout or CloseReason.IdleTimeout:
                for (int i = 0; i < 130 && harness.Logger.Count(entry) == 0; i++)
                {
                    harness.Time.Advance(TimeSpan.FromSeconds(1)); // not on to the end of CloseTimeout
                }

                break;
            case CloseReason.FrameTooLarge:
                client.Send(new byte[70_000], new FrameHeader(7));
                break;
            default:
                for (int i = 0; i < 3; i++)
                {
                    client.Send("x"u8, new FrameHeader(7));
                }

                break;
        }
    }

    private static Task<ServerHarness> StartAsync(CloseReason reason, Action<PlayChatServer>? configure = null)
    {
        PacketSet packets = new PacketSet().Add(new TextPacket(7)).Add(new NumberPacket(8)).Add(new NumberPacket(9));
        var harness = new ServerHarness(options =>
        {
            options.Sessions.LoginTimeout = reason == CloseReason.LoginTimeout ? TimeSpan.FromSeconds(10) : Timeout.InfiniteTimeSpan;
            options.Sessions.HeartbeatInterval = Timeout.InfiniteTimeSpan;
        });
        return harness.StartAsync(server =>
        {
            configure?.Invoke(server);
            return server.UseFraming(FrameFormat.Packet()).UsePackets(packets).OnPackets(router =>
            {
                PacketRouteBuilder route = router.MapPacket<string>((_, _) =>
                {
                    if (reason == CloseReason.HandlerFault)
                    {
                        throw new InvalidOperationException("A fault of the handler.");
                    }
                });
                if (reason == CloseReason.LoginRequired)
                {
                    route.RequireLogin();
                }

                if (reason == CloseReason.RateLimited)
                {
                    route.RateLimit(1, perSeconds: 60);
                    router.MaxRateLimitedInRow = 2;
                }

                router.MapPacket<long>(static (_, _) => { }, id: 8);
            });
        });
    }

    private static PlayChatConnector NewConnector(ServerHarness harness) => new(
        FrameFormat.Packet(maxFrameBytes: 65_536, maxSendBytes: 1_000_000), static (_, _) => { }, transport: harness.Transport);
}
