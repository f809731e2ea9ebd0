using Microsoft.Extensions.Logging;
using PlayChat.Core.Clients;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class HeartbeatTests
{
    private static readonly byte[] s_ask = [0, 0, 0, 4, 0xFF, 0xFF, 0, 1];
    private static readonly byte[] s_answer = [0, 0, 0, 4, 0xFF, 0xFF, 0, 0];
    private static readonly byte[] s_idleNotice = [0, 0, 0, 17, 0xFF, 0xFF, 0, 0, 0x0F, 0xA6, .. "IdleTimeout"u8];

    [Fact]
    public async Task A_client_that_says_nothing_for_an_hour_stays_connected_and_sees_no_heartbeat()
    {
        await using RoomHarness<Room> harness = await TextPackets.StartAsync(static _ => { });
        HarnessClient client = await harness.ConnectAsync();

        await harness.AdvanceAsync(TimeSpan.FromHours(1));

        Assert.True(client.Session.Connection.IsOpen);
        Assert.Empty(client.Frames);
        Assert.Equal(0, harness.Figures().UnknownPackets);
    }

    [Fact]
    public async Task A_connector_with_a_router_answers_as_well()
    {
        await using ServerHarness harness = await StartAsync();
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(), new PacketSet(), static _ => { }, transport: harness.Transport, time: harness.Time);
        Core.Connections.Connection connection = await connector.ConnectAsync(harness.Server.EndPoints[0]);
        await Eventually.TrueAsync(() => harness.Server.Sessions.Count == 1);

        for (int i = 1; i <= 10; i++)
        {
            harness.Time.Advance(TimeSpan.FromSeconds(30));
            await Eventually.TrueAsync(() => harness.Server.Metrics.Snapshot().FramesReceived == i);
        }

        Assert.True(connection.IsOpen);
        Assert.Equal(0, connector.Metrics.Snapshot().UnknownPackets);
    }

    [Fact]
    public async Task A_peer_is_asked_after_the_interval_and_one_that_never_answers_is_closed_with_a_line_at_Information()
    {
        await using ServerHarness harness = await StartAsync();
        TransportConnection client = await harness.ConnectAsync();

        harness.Time.Advance(TimeSpan.FromSeconds(29));
        harness.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(s_ask, await client.ReceiveAsync(s_ask.Length));
        harness.Time.Advance(TimeSpan.FromSeconds(90));
        client.Shutdown();
        await client.ReceiveToEndAsync();

        (LogLevel level, _, string text) = Assert.Single(harness.Logger.Entries, static entry => entry.Event == "ClosedIdle");
        Assert.Equal(LogLevel.Information, level);
        Assert.Contains("sent nothing for 00:02:00 (PlayChat:Sessions:IdleTimeout)", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_answers_the_heartbeat_of_a_client_also_before_login()
    {
        await using ServerHarness harness = await StartAsync(static router => router.RequireLogin = true);
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync(s_ask);
        Assert.Equal(s_answer, await client.ReceiveAsync(s_answer.Length));
        await client.SendAsync(s_answer); // is not answered again
        await client.SendAsync(s_ask);

        Assert.Equal(s_answer, await client.ReceiveAsync(s_answer.Length));
    }

    [Fact]
    public async Task A_rate_limit_counts_heartbeats_as_well()
    {
        await using ServerHarness harness = await StartAsync(static router =>
        {
            router.RateLimit(2);
            router.MaxRateLimitedInRow = 1;
        });
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync((byte[])[.. s_ask, .. s_ask, .. s_ask]);

        Assert.Equal(
            (byte[])[.. s_answer, .. s_answer, 0, 0, 0, 17, 0xFF, 0xFF, 0, 0, 0x0F, 0xB2, .. "RateLimited"u8],
            await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task OnHeartbeat_takes_the_place_of_the_packet()
    {
        int asked = 0;
        await using ServerHarness harness = await StartAsync(configure: server => server.OnHeartbeat(_ => asked++));
        TransportConnection client = await harness.ConnectAsync();

        harness.Time.Advance(TimeSpan.FromMinutes(2));

        Assert.Equal(3, asked);
        Assert.Equal(s_idleNotice, await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task Heartbeats_can_be_turned_off()
    {
        await using ServerHarness harness = await StartAsync(
            configure: static server => server.Options.Sessions.HeartbeatInterval = Timeout.InfiniteTimeSpan);
        TransportConnection client = await harness.ConnectAsync();

        harness.Time.Advance(TimeSpan.FromMinutes(2));

        Assert.Equal(s_idleNotice, await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task A_server_of_frames_and_a_framing_without_packet_ids_send_none()
    {
        await using ServerHarness frames = await new ServerHarness().StartAsync(static server =>
            server.UseFraming(FrameFormat.Packet()).OnFrame(static (_, _) => { }));
        await using ServerHarness prefixed = await new ServerHarness().StartAsync(static server => server.OnPackets(static _ => { }));
        TransportConnection one = await frames.ConnectAsync();
        TransportConnection other = await prefixed.ConnectAsync();

        frames.Time.Advance(TimeSpan.FromMinutes(2));
        prefixed.Time.Advance(TimeSpan.FromMinutes(2));

        Assert.Empty(await one.ReceiveToEndAsync());
        Assert.Empty(await other.ReceiveToEndAsync());
    }

    [Fact]
    public void No_message_has_the_id_of_the_heartbeat()
    {
        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => new PacketSet().Add(new TextPacket(65_535)));

        Assert.Equal("Packet id 65535 (TEXT_65535) is reserved for heartbeats; take one from 0 to 65534.", e.Message);
    }

    private static Task<ServerHarness> StartAsync(Action<PacketRouter>? map = null, Action<PlayChatServer>? configure = null) =>
        new ServerHarness().StartAsync(server =>
        {
            configure?.Invoke(server);
            return server.UseFraming(FrameFormat.Packet()).OnPackets(map ?? (static _ => { }));
        });
}
