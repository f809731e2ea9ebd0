using System.Net;
using System.Net.WebSockets;
using System.Security.Claims;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities.Processes;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.AspNetCore.Tests;

public sealed class MapPlayChatTests
{
    private readonly TaskCompletionSource<CloseReason> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task Frames_of_every_size_come_back()
    {
        await using TestApplication application = await TestApplication.StartAsync(TestApplication.Echo);
        using ClientWebSocket client = await application.ConnectAsync();

        foreach (int length in (int[])[1, 121, 122, 4096, 70_000, 500_000])
        {
            byte[] frame = Frame(length);
            await client.SendAsync(frame, WebSocketMessageType.Binary, endOfMessage: true, default);
            Assert.Equal(frame, await ReceiveAsync(client, frame.Length));
        }
    }

    [Fact]
    public async Task A_WebSocket_over_HTTP_2_and_TLS_is_served_as_well()
    {
        using var certificate = new TestCertificate();
        await using TestApplication application =
            await TestApplication.StartAsync(TestApplication.Echo, listen: options => options.UseHttps(certificate.Own));
        using var invoker = new HttpMessageInvoker(new SocketsHttpHandler
        {
            SslOptions = { RemoteCertificateValidationCallback = certificate.IsMine },
        });
        using var client = new ClientWebSocket();
        client.Options.HttpVersion = HttpVersion.Version20;
        client.Options.HttpVersionPolicy = HttpVersionPolicy.RequestVersionExact;
        await client.ConnectAsync(new Uri($"wss://{application.Web}/ws"), invoker, default).WaitAsync(TestTimeouts.Hang);
        byte[] frame = Frame(100_000);

        await client.SendAsync(frame, WebSocketMessageType.Binary, endOfMessage: true, default);

        Assert.Equal(frame, await ReceiveAsync(client, frame.Length));
        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, null, default).WaitAsync(TestTimeouts.Hang);
        Assert.Equal(WebSocketCloseStatus.NormalClosure, client.CloseStatus);
    }

    [Fact]
    public async Task A_client_that_closes_is_answered_after_everything_that_was_sent_to_it()
    {
        await using TestApplication application = await StartAsync(TestApplication.Echo);
        using ClientWebSocket client = await application.ConnectAsync();
        byte[] frame = Frame(300_000);

        await client.SendAsync(frame, WebSocketMessageType.Binary, endOfMessage: true, default);
        await client.CloseOutputAsync((WebSocketCloseStatus)4321, "bye", default);

        Assert.Equal(frame, await ReceiveAsync(client, frame.Length));
        await AssertClosedAsync(client, 4321);
        Assert.Equal(CloseReason.PeerClosed, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_client_that_breaks_off_ends_its_session_as_a_reset()
    {
        await using TestApplication application = await StartAsync(TestApplication.Echo);
        using ClientWebSocket client = await application.ConnectAsync();
        await Eventually.TrueAsync(() => application.Server.Sessions.Count == 1);

        client.Abort();

        Assert.Contains(await _closed.Task.WaitAsync(TestTimeouts.Hang), (CloseReason[])[CloseReason.PeerReset, CloseReason.PeerClosed]);
        await Eventually.TrueAsync(() => application.Server.Sessions.Count == 0);
    }

    [Fact]
    public async Task A_close_of_the_server_names_its_reason()
    {
        await using TestApplication application = await StartAsync(static server => server
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(static (connection, _) => connection.Close(CloseReason.TakenOver)));
        using ClientWebSocket client = await application.ConnectAsync();

        await client.SendAsync(Frame(1), WebSocketMessageType.Binary, endOfMessage: true, default);

        await AssertClosedAsync(client, 4000 + (int)CloseReason.TakenOver);
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);
        Assert.Equal(CloseReason.TakenOver, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_stop_of_the_application_drains_the_server_before_Kestrel_ends_the_connections()
    {
        await using TestApplication application = await StartAsync(TestApplication.Echo);
        using ClientWebSocket client = await application.ConnectAsync();
        await Eventually.TrueAsync(() => application.Server.Sessions.Count == 1);

        Task stopping = application.StopAsync();
        await AssertClosedAsync(client, 4000 + (int)CloseReason.ServerShutdown);
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);

        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.ServerShutdown, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_room_of_route_address_of_Kestrel_and_own_endpoint_shows_all_members_one_order()
    {
        const int Messages = 100;
        OpenRoom? room = null;
        await using TestApplication application = await TestApplication.StartAsync(server =>
        {
            server.Options.ListenTcp("127.0.0.1:0");
            server.UseFraming(FrameFormat.LengthPrefixed())
                .OnStarting(s => room = s.Rooms.Create<OpenRoom>("room"))
                .OnConnected(session => room!.Post(r => r.Add(session)))
                .OnFrame((_, frame) =>
                {
                    byte[] body = frame.ToArray();
                    room!.Post(r => r.Tell(body));
                });
        });
        (ITransport Transport, EndPoint EndPoint)[] places =
        [
            (new WebSocketTransport { Subprotocol = null }, application.Web),
            (SocketTransport.Instance, application.Tcp),
            (SocketTransport.Instance, application.Server.EndPoints[0]),
        ];
        List<PlayChatConnector> connectors = [];
        var members = new List<(Connection Connection, List<byte> Received, Task All)>();
        foreach ((ITransport transport, EndPoint endPoint) in places)
        {
            List<byte> received = [];
            var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var connector = new PlayChatConnector(
                FrameFormat.LengthPrefixed(),
                (_, frame) =>
                {
                    received.AddRange(frame.ToArray());
                    if (received.Count == places.Length * Messages * 2)
                    {
                        all.TrySetResult();
                    }
                },
                transport: transport);
            connectors.Add(connector);
            members.Add((await connector.ConnectAsync(endPoint).WaitAsync(TestTimeouts.Hang), received, all.Task));
        }

        await Eventually.TrueAsync(() => room!.MemberCount == places.Length);
        await Task.WhenAll(members.Select((member, i) => Task.Run(() =>
        {
            for (int n = 0; n < Messages; n++)
            {
                member.Connection.Send([(byte)i, (byte)n]);
            }
        })));
        await Task.WhenAll(members.Select(static member => member.All)).WaitAsync(TestTimeouts.Hang);

        Assert.All(members, member => Assert.Equal(members[0].Received, member.Received));
        foreach (PlayChatConnector connector in connectors)
        {
            await connector.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_client_that_stops_reading_is_closed_at_its_bound()
    {
        await using TestApplication application = await StartAsync(static server =>
        {
            server.Options.Connections.MaxOutboundBytes = 256 * 1024;
            server.UseFraming(FrameFormat.LengthPrefixed(1 << 20)).OnFrame(static (connection, _) =>
            {
                byte[] body = new byte[100_000];
                while (connection.Send(body))
                {
                }
            });
        });
        using ClientWebSocket client = await application.ConnectAsync();

        await client.SendAsync(Frame(1), WebSocketMessageType.Binary, endOfMessage: true, default);

        Assert.Equal(CloseReason.SlowConsumer, await _closed.Task.WaitAsync(TestTimeouts.Hang));
        await Eventually.TrueAsync(() => application.Server.Sessions.Count == 0);
        await application.StopAsync().WaitAsync(TestTimeouts.Hang); // Kestrel waits for the connection, which the abort has ended
    }

    [Fact]
    public async Task A_handler_finds_the_user_of_the_request()
    {
        var found = new TaskCompletionSource<ClaimsPrincipal?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using TestApplication application = await TestApplication.StartAsync(
            server => server.UseFraming(FrameFormat.LengthPrefixed())
                .OnConnected(session => found.TrySetResult(session.Connection.Get<ClaimsPrincipal>()))
                .OnFrame(static (_, _) => { }),
            map: static app =>
            {
                app.Use(static (context, next) =>
                {
                    context.User = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "ada")], "test"));
                    return next(context);
                });
                app.MapPlayChat("/ws");
            });

        using ClientWebSocket client = await application.ConnectAsync();

        Assert.Equal("ada", (await found.Task.WaitAsync(TestTimeouts.Hang))?.Identity?.Name);
    }

    [Theory]
    [InlineData("Origin", "http://evil.example")]
    [InlineData("Host", "rebound.example")]
    public async Task A_foreign_page_or_host_is_refused_and_counted(string field, string value)
    {
        await using TestApplication application = await TestApplication.StartAsync(
            TestApplication.Echo,
            map: static app => app.MapPlayChat("/ws", static options => options.AllowedHosts = "127.0.0.1"));
        using var client = new ClientWebSocket();
        client.Options.CollectHttpResponseDetails = true;
        client.Options.SetRequestHeader(field, value);

        await Assert.ThrowsAsync<WebSocketException>(() => client.ConnectAsync(new Uri($"ws://{application.Web}/ws"), default));

        Assert.Equal(HttpStatusCode.Forbidden, client.HttpStatusCode);
        Assert.Equal(1, application.Server.Metrics.ReadAll().Get("playchat.websocket.refused"));
    }

    [Fact]
    public async Task A_request_without_an_upgrade_is_told_what_to_do()
    {
        await using TestApplication application = await TestApplication.StartAsync(TestApplication.Echo);
        using var http = new HttpClient();

        using HttpResponseMessage answer = await http.GetAsync(new Uri($"http://{application.Web}/ws")).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.UpgradeRequired, answer.StatusCode);
        Assert.Contains("ws://", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.Equal(1, application.Server.Metrics.ReadAll().Get("playchat.websocket.refused"));
    }

    [Fact]
    public async Task A_server_of_packets_chooses_the_subprotocol()
    {
        await using TestApplication application = await TestApplication.StartAsync(
            static server => server.UsePackets(new()).OnPackets(static _ => { }));
        using var without = new ClientWebSocket();

        await Assert.ThrowsAsync<WebSocketException>(() => without.ConnectAsync(new Uri($"ws://{application.Web}/ws"), default));
        using ClientWebSocket client = await WebSocketPeer.ConnectAsync(application.Web);

        Assert.Equal("playchat.v1", client.SubProtocol);
    }

    [Fact]
    public async Task The_limit_of_connections_is_told_by_its_close_code()
    {
        await using TestApplication application = await TestApplication.StartAsync(static server =>
        {
            server.Options.Connections.MaxConnections = 1;
            TestApplication.Echo(server);
        });
        using ClientWebSocket first = await application.ConnectAsync();
        await Eventually.TrueAsync(() => application.Server.Sessions.Count == 1);

        using ClientWebSocket second = await application.ConnectAsync();

        await AssertClosedAsync(second, 4000 + (int)CloseReason.ServerFull);
    }

    [Fact]
    public async Task Mapping_without_a_server_says_what_is_missing()
    {
        await using WebApplication application = WebApplication.CreateSlimBuilder().Build();

        var thrown = Assert.Throws<InvalidOperationException>(() => application.MapPlayChat("/ws"));

        Assert.Contains("AddPlayChat", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Mapping_with_an_invalid_option_names_it()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Services.AddPlayChat(TestApplication.Echo);
        await using WebApplication application = builder.Build();

        var thrown = Assert.Throws<OptionsException>(() => application.MapPlayChat("/ws", static o => o.AllowedOrigins = "evil"));

        Assert.Contains("AllowedOrigins", thrown.Message, StringComparison.Ordinal);
    }

    internal static byte[] Frame(int bodyBytes)
    {
        byte[] frame = new byte[4 + bodyBytes];
        new Random(bodyBytes).NextBytes(frame);
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(frame, bodyBytes);
        return frame;
    }

    private static async Task<byte[]> ReceiveAsync(ClientWebSocket client, int length)
    {
        byte[] bytes = new byte[length];
        for (int received = 0; received < length;)
        {
            ValueWebSocketReceiveResult result =
                await client.ReceiveAsync(bytes.AsMemory(received), default).AsTask().WaitAsync(TestTimeouts.Hang);
            Assert.Equal(WebSocketMessageType.Binary, result.MessageType);
            received += result.Count;
        }

        return bytes;
    }

    private static async Task AssertClosedAsync(ClientWebSocket client, int code)
    {
        WebSocketReceiveResult result =
            await client.ReceiveAsync(new ArraySegment<byte>(new byte[1024]), default).WaitAsync(TestTimeouts.Hang);
        Assert.Equal((WebSocketMessageType.Close, code), (result.MessageType, (int)client.CloseStatus!));
    }

    private Task<TestApplication> StartAsync(Action<PlayChatServer> configure) => TestApplication.StartAsync(server =>
    {
        configure(server);
        server.OnDisconnected((_, reason) => _closed.TrySetResult(reason));
    });
}
