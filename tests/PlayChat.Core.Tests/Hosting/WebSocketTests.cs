using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A WebSocket endpoint over every transport; the client is the runtime's own.</summary>
public abstract class WebSocketTests : IDisposable
{
    private const string Upgrade =
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    private X509Certificate2? _certificate; // where a test uses TLS
    private readonly RecordingLogger _log = new();
    private readonly TaskCompletionSource<CloseReason> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    protected abstract ITransport Transport { get; }

    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        _certificate?.Dispose();
        _log.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Frames_of_every_size_come_back_with_and_without_TLS(bool tls)
    {
        await using PlayChatServer server = Echo(o =>
        {
            EndpointOptions endpoint = o.ListenWebSocket("127.0.0.1:0");
            endpoint.Tls.Certificate = tls ? _certificate ??= TestCertificate.Create() : null;
        });
        await server.StartAsync();
        using ClientWebSocket client = await WebSocketPeer
            .ConnectAsync(
                server.EndPoints[0], subprotocol: null, tls ? TestCertificate.TrustAny.RemoteCertificateValidationCallback : null)
            .WaitAsync(TestTimeouts.Hang);

        foreach (int length in (int[])[1, 121, 122, 4096, 70_000, 500_000])
        {
            byte[] frame = Frame(length);
            await client.SendAsync(frame, WebSocketMessageType.Binary, endOfMessage: true, default);
            Assert.Equal(frame, await ReceiveAsync(client, frame.Length));
        }
    }

    [Fact]
    public async Task A_frame_may_come_in_fragments_and_several_in_one_message()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);
        byte[] frames = [.. Frame(3), .. Frame(200), .. Frame(0)];

        for (int i = 0; i < frames.Length; i++)
        {
            await client.SendAsync(frames.AsMemory(i, 1), WebSocketMessageType.Binary, endOfMessage: i == frames.Length - 1, default);
        }

        Assert.Equal(frames, await ReceiveAsync(client, frames.Length));
    }

    [Fact]
    public async Task A_client_that_closes_is_answered_after_everything_that_was_sent_to_it()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);
        byte[] frame = Frame(300_000);

        await client.SendAsync(frame, WebSocketMessageType.Binary, endOfMessage: true, default);
        await client.CloseOutputAsync((WebSocketCloseStatus)4321, "bye", default);

        Assert.Equal(frame, await ReceiveAsync(client, frame.Length));
        await AssertClosedAsync(client, 4321, "");
        Assert.Equal(CloseReason.PeerClosed, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData(CloseReason.TakenOver)]
    [InlineData(CloseReason.IdleTimeout)]
    [InlineData(CloseReason.LocalClose)]
    public async Task A_close_of_the_server_names_its_reason_behind_what_was_sent(CloseReason reason)
    {
        await using PlayChatServer server = Server(o => o.ListenWebSocket("127.0.0.1:0"))
            .OnFrame((connection, frame) =>
            {
                connection.Send(in frame);
                connection.Close(reason);
            });
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);
        byte[] frame = Frame(100_000);

        await client.SendAsync(frame, WebSocketMessageType.Binary, endOfMessage: true, default);

        Assert.Equal(frame, await ReceiveAsync(client, frame.Length));
        await AssertClosedAsync(client, 4000 + (int)reason, reason.ToString());
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);
        Assert.Equal(reason, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_stop_of_the_server_is_told_as_its_reason()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);
        // The client has the answer to its upgrade a moment before the server has a session that it can tell anything.
        await Eventually.TrueAsync(() => server.Sessions.Count == 1);

        Task stopping = server.StopAsync();
        await AssertClosedAsync(client, 4008, "ServerShutdown");
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);

        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.ServerShutdown, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Text_on_the_binary_form_closes_with_a_sentence_and_counts_as_a_violation()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);

        await client.SendAsync("hello"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, default);

        await AssertClosedAsync(client, 1003, "Send binary messages; text needs the subprotocol playchat.v1.json.");
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);
        Assert.Equal(CloseReason.ProtocolViolation, await _closed.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, server.Metrics.ReadAll().Get("playchat.protocol.violations"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Violations_of_one_address_are_all_counted_but_logged_once_in_ten_seconds(bool isStream)
    {
        PlayChatServer server = Server(static o => o.ListenWebSocket("127.0.0.1:0")).UseTime(new ManualTimeProvider());
        await using PlayChatServer used = isStream
            ? server.OnStream(static (_, pipe, token) => pipe.Input.CopyToAsync(pipe.Output, token))
            : server.OnFrame(static (_, _) => { });
        await used.StartAsync();

        for (int i = 0; i < 3; i++)
        {
            using ClientWebSocket client = await ConnectAsync(used);
            await client.SendAsync("hello"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, default);
            await AssertClosedAsync(client, 1003, "Send binary messages; text needs the subprotocol playchat.v1.json.");
        }

        Assert.Equal(3, used.Metrics.ReadAll().Get("playchat.protocol.violations"));
        Assert.Equal(1, _log.Count("BadFrame"));
    }

    [Fact]
    public async Task A_message_over_the_limit_is_refused_before_it_has_come()
    {
        await using PlayChatServer server = Echo(o => o.ListenWebSocket("127.0.0.1:0").WebSocket.MaxMessageBytes = 1000);
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);

        await client.SendAsync(new byte[1001], WebSocketMessageType.Binary, endOfMessage: true, default);

        await AssertClosedAsync(client, 1009, "The message is longer than the server takes.");
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);
        Assert.Equal(CloseReason.FrameTooLarge, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_frame_over_the_limit_of_the_framing_closes_as_on_TCP()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);

        await client.SendAsync(new byte[] { 0x7F, 0, 0, 0 }, WebSocketMessageType.Binary, endOfMessage: true, default);

        await AssertClosedAsync(client, 4004, "FrameTooLarge");
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 404 ", "/ws")]
    [InlineData("GET /ws HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 426 ", "ws://")]
    [InlineData("PUT /ws HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 405 ", "GET")]
    [InlineData("GET /ws HTTP/1.0\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ", "HTTP/1.1")]
    [InlineData("\0\0\0\x04", "HTTP/1.1 400 ", "WebSocket")] // a TCP client of PlayChat
    [InlineData("\x16\x03\x01", "HTTP/1.1 400 ", "WebSocket")] // TLS
    public async Task What_is_no_upgrade_gets_an_answer_of_HTTP_that_says_what_to_do(string request, string status, string hint)
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();

        string answer = await AskAsync(server, Encoding.Latin1.GetBytes(request));

        Assert.StartsWith(status, answer, StringComparison.Ordinal);
        Assert.Contains(hint, answer, StringComparison.Ordinal);
        Assert.Contains("Connection: close\r\n", answer, StringComparison.Ordinal);
        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.websocket.refused") == 1);
        Assert.Equal(1, _log.Count("UpgradeRefused"));
        Assert.Equal(0, server.Sessions.Count);
    }

    [Fact]
    public async Task A_head_without_end_is_refused_at_its_limit()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();

        string answer = await AskAsync(server, Encoding.Latin1.GetBytes("GET /ws HTTP/1.1\r\nX: " + new string('x', 8192)));

        Assert.StartsWith("HTTP/1.1 431 ", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_request_that_does_not_come_ends_at_the_deadline_of_handshakes()
    {
        var time = new ManualTimeProvider();
        await using PlayChatServer server = Echo().UseTime(time);
        await server.StartAsync();
        int idle = time.PendingTimers;
        using NetworkStream stream = await RawAsync(server);
        await stream.WriteAsync("GET /ws HT"u8.ToArray());
        await time.WaitForTimersAsync(idle + 1).WaitAsync(TestTimeouts.Hang);

        time.Advance(server.Options.Endpoints[0].Tls.HandshakeTimeout);

        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.websocket.refused") == 1);
    }

    [Fact]
    public async Task A_file_is_served_beside_the_WebSocket()
    {
        byte[] page = new byte[300_000];
        Array.Fill(page, (byte)'p');
        await using PlayChatServer server = Echo(o =>
            o.ListenWebSocket("127.0.0.1:0").WebSocket.Content = new WebContent().Add("/", "text/plain", page));
        await server.StartAsync();
        using var http = new HttpClient();

        using HttpResponseMessage answer = await http.GetAsync(new Uri($"http://{server.EndPoints[0]}/")).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal(page, await answer.Content.ReadAsByteArrayAsync());
        Assert.Equal(0, server.Metrics.ReadAll().Get("playchat.websocket.refused"));
    }

    [Fact]
    public async Task A_page_of_another_origin_gets_403()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using var client = new ClientWebSocket();
        client.Options.SetRequestHeader("Origin", "http://evil.example");
        client.Options.CollectHttpResponseDetails = true;

        await Assert.ThrowsAsync<WebSocketException>(() => client.ConnectAsync(new Uri($"ws://{server.EndPoints[0]}/ws"), default));

        Assert.Equal(HttpStatusCode.Forbidden, client.HttpStatusCode);
    }

    [Fact]
    public async Task A_page_that_has_pointed_its_own_name_to_this_machine_gets_403()
    {
        await using PlayChatServer server = Echo(o =>
            o.ListenWebSocket("127.0.0.1:0").WebSocket.Content = new WebContent().Add("/", "text/plain", "page"u8.ToArray()));
        await server.StartAsync();

        string page = await AskAsync(server, "GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n"u8.ToArray());
        string upgrade = await AskAsync(server, Encoding.ASCII.GetBytes(
            Upgrade.Replace("Host: localhost", "Host: rebound.example\r\nOrigin: http://rebound.example", StringComparison.Ordinal)));

        Assert.StartsWith("HTTP/1.1 403 ", page, StringComparison.Ordinal);
        Assert.StartsWith("HTTP/1.1 403 ", upgrade, StringComparison.Ordinal);
        Assert.Contains("AllowedHosts", upgrade, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_of_packets_asks_for_its_subprotocol()
    {
        await using PlayChatServer server = Server(o => o.ListenWebSocket("127.0.0.1:0"))
            .UseFraming(FrameFormat.Packet())
            .OnFrame(static (connection, frame) => connection.Send(in frame));
        await server.StartAsync();
        using var without = new ClientWebSocket();

        await Assert.ThrowsAsync<WebSocketException>(() => without.ConnectAsync(new Uri($"ws://{server.EndPoints[0]}/ws"), default));
        using ClientWebSocket client = await WebSocketPeer.ConnectAsync(server.EndPoints[0]);

        Assert.Equal("playchat.v1", client.SubProtocol);
    }

    [Fact]
    public async Task A_room_of_TCP_and_WebSocket_members_shows_all_of_them_one_order()
    {
        const int Messages = 200;
        TestRoom? room = null;
        await using PlayChatServer server = Server(o =>
        {
            o.ListenWebSocket("127.0.0.1:0");
            o.ListenTcp("127.0.0.1:0");
        })
            .OnStarting(s => room = s.Rooms.Create("room", static context => new TestRoom(context)))
            .OnConnected(session => room!.Post(r => r.Join(session)))
            .OnFrame((_, frame) =>
            {
                byte[] body = frame.ToArray();
                room!.Post(r => r.Broadcast(body));
            });
        await server.StartAsync();
        var members = new List<(Connection Connection, List<byte> Received, TaskCompletionSource All)>();
        List<PlayChatConnector> connectors = [];
        for (int i = 0; i < 4; i++)
        {
            List<byte> received = [];
            var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var connector = new PlayChatConnector(
                FrameFormat.LengthPrefixed(),
                (_, frame) =>
                {
                    received.AddRange(frame.ToArray());
                    if (received.Count == 4 * Messages * 2)
                    {
                        all.TrySetResult();
                    }
                },
                transport: i % 2 == 0 ? new WebSocketTransport { Subprotocol = null } : SocketTransport.Instance);
            connectors.Add(connector);
            members.Add((await connector.ConnectAsync(server.EndPoints[i % 2]).WaitAsync(TestTimeouts.Hang), received, all));
        }

        await Eventually.TrueAsync(() => room!.MemberCount == 4);
        await Task.WhenAll(members.Select((member, i) => Task.Run(() =>
        {
            for (int n = 0; n < Messages; n++)
            {
                member.Connection.Send([(byte)i, (byte)n]);
            }
        })));
        await Task.WhenAll(members.Select(static member => member.All.Task)).WaitAsync(TestTimeouts.Hang);

        Assert.All(members, member => Assert.Equal(members[0].Received, member.Received));
        foreach (PlayChatConnector connector in connectors)
        {
            await connector.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_client_that_stops_reading_is_closed_at_its_bound_and_costs_only_itself()
    {
        const int FrameBytes = 10_000;
        const int Frames = 1000;
        TestRoom? room = null;
        await using PlayChatServer server = Server(o =>
        {
            o.ListenWebSocket("127.0.0.1:0");
            o.Connections.MaxOutboundBytes = 256 * 1024;
            o.Transport.SendBufferBytes = 16 * 1024;
        })
            .OnStarting(s => room = s.Rooms.Create("room", static context => new TestRoom(context)))
            .OnConnected(session => room!.Post(r => r.Join(session)))
            .OnFrame(static (_, _) => { });
        await server.StartAsync();
        using NetworkStream sleeper = await RawAsync(server); // reads the answer to its upgrade, and then nothing
        await UpgradeAsync(sleeper);
        using ClientWebSocket reader = await ConnectAsync(server);
        await Eventually.TrueAsync(() => room!.MemberCount == 2);

        byte[] body = new byte[FrameBytes];
        long most = 0;
        for (int i = 0; i < Frames; i++)
        {
            room!.Post(r => r.Broadcast(body));
            byte[] frame = await ReceiveAsync(reader, FrameBytes + 4);
            Assert.Equal(FrameBytes + 4, frame.Length);
            most = Math.Max(most, server.Sessions.All.Sum(static session => (long)session.Connection.OutboundBytes));
        }

        Assert.Equal(CloseReason.SlowConsumer, await _closed.Task.WaitAsync(TestTimeouts.Hang));
        Assert.InRange(most, 1, 2 * 256 * 1024);
        Assert.Equal(1, server.Metrics.ReadAll().Get("playchat.slow_consumers"));
        Assert.Equal(WebSocketState.Open, reader.State);
        Assert.Equal(1, server.Sessions.Count);
    }

    [Fact]
    public async Task A_silent_client_is_asked_for_a_sign_of_life_and_closed_without_one()
    {
        var time = new ManualTimeProvider();
        await using PlayChatServer server = Server(o =>
        {
            o.ListenWebSocket("127.0.0.1:0");
            o.Sessions.HeartbeatInterval = TimeSpan.FromSeconds(30);
            o.Sessions.IdleTimeout = TimeSpan.FromSeconds(90);
        }).UseTime(time).UseFraming(FrameFormat.Packet()).UsePackets(new()).OnPackets(static _ => { });
        await server.StartAsync();
        using ClientWebSocket client = await WebSocketPeer.ConnectAsync(server.EndPoints[0]);
        await Eventually.TrueAsync(() => server.Sessions.Count == 1);

        time.Advance(TimeSpan.FromSeconds(31));
        byte[] asked = await ReceiveAsync(client, 8);
        Assert.Equal([0xFF, 0xFF], asked[4..6]);

        time.Advance(TimeSpan.FromSeconds(61));
        while (await ReceiveOrCloseAsync(client))
        {
        }

        Assert.Equal((WebSocketCloseStatus)4006, client.CloseStatus);
    }

    [Fact]
    public async Task A_stream_handler_has_the_content_of_the_messages()
    {
        await using PlayChatServer server = Server(o => o.ListenWebSocket("127.0.0.1:0"))
            .OnStream(static async (_, pipe, cancellationToken) => await pipe.Input.CopyToAsync(pipe.Output, cancellationToken));
        await server.StartAsync();
        using ClientWebSocket client = await ConnectAsync(server);
        byte[] bytes = Frame(200_000);

        await client.SendAsync(bytes, WebSocketMessageType.Binary, endOfMessage: true, default);

        Assert.Equal(bytes, await ReceiveAsync(client, bytes.Length));
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);
        await AssertClosedAsync(client, 1000, "");
    }

    [Fact]
    public async Task A_rule_that_is_broken_after_a_stream_handler_has_returned_does_not_keep_the_connection()
    {
        await using PlayChatServer server = Server(static o => o.ListenWebSocket("127.0.0.1:0"))
            .OnStream(static (_, _, _) => Task.CompletedTask);
        await server.StartAsync();
        using (NetworkStream client = await RawAsync(server))
        {
            await UpgradeAsync(client);
            byte[] head = new byte[2];
            await client.ReadExactlyAsync(head).AsTask().WaitAsync(TestTimeouts.Hang);
            Assert.Equal(0x88, head[0]); // a close frame
            await client.ReadExactlyAsync(new byte[head[1]]).AsTask().WaitAsync(TestTimeouts.Hang);

            await client.WriteAsync((byte[])[0x82, 0x81, 1, 2, 3, 4, 5, 0x82, 0x01, 0x00]); // the second one is not masked
        }

        await Eventually.TrueAsync(() => server.Sessions.Count == 0);
        Assert.Equal(1, server.Metrics.ReadAll().Get("playchat.protocol.violations"));
        Assert.Equal(CloseReason.LocalClose, await _closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_server_of_streams_takes_no_packets_as_JSON()
    {
        await using PlayChatServer server = Server(static o => o.ListenWebSocket("127.0.0.1:0"))
            .UseFraming(FrameFormat.Packet())
            .OnStream(static (_, pipe, token) => pipe.Input.CopyToAsync(pipe.Output, token));
        await server.StartAsync();

        await Assert.ThrowsAsync<WebSocketException>(() => WebSocketPeer.ConnectAsync(server.EndPoints[0], "playchat.v1.json"));
        using ClientWebSocket client = await WebSocketPeer.ConnectAsync(server.EndPoints[0]).WaitAsync(TestTimeouts.Hang);

        Assert.Equal("playchat.v1", client.SubProtocol);
    }

    [Fact]
    public async Task A_client_that_only_pings_costs_no_memory_and_counts_as_alive()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        using NetworkStream client = await RawAsync(server);
        await UpgradeAsync(client);
        for (int i = 0; i < 100; i++)
        {
            await PingAsync(client);
        }

        Assert.Equal(1, server.Sessions.Count);
    }

    [Fact]
    public async Task A_ping_counts_as_a_sign_of_life_on_a_stream()
    {
        var time = new ManualTimeProvider();
        await using PlayChatServer server = Server(static o =>
        {
            o.ListenWebSocket("127.0.0.1:0");
            o.Sessions.IdleTimeout = TimeSpan.FromSeconds(90);
        }).UseTime(time).OnStream(static (_, pipe, token) => pipe.Input.CopyToAsync(pipe.Output, token));
        await server.StartAsync();
        using NetworkStream client = await RawAsync(server);
        await UpgradeAsync(client);
        await Eventually.TrueAsync(() => server.Sessions.Count == 1);

        for (int i = 0; i < 2; i++)
        {
            // The pong is sent before the ping counts, so only the second one proves that the first has counted.
            await PingAsync(client);
            await PingAsync(client);
            time.Advance(TimeSpan.FromSeconds(60));
        }

        await PingAsync(client);
        Assert.Equal(1, server.Sessions.Count);
    }

    private static async Task PingAsync(NetworkStream client)
    {
        await client.WriteAsync((byte[])[0x89, 0x82, 1, 2, 3, 4, 1, 2]);
        byte[] pong = new byte[4];
        await client.ReadExactlyAsync(pong).AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal([0x8A, 2, 0, 0], pong);
    }

    private static async Task AssertClosedAsync(ClientWebSocket client, int code, string text)
    {
        Assert.False(await ReceiveOrCloseAsync(client));
        Assert.Equal((code, text), ((int)client.CloseStatus!, client.CloseStatusDescription));
    }

    private static async Task<bool> ReceiveOrCloseAsync(ClientWebSocket client)
    {
        WebSocketReceiveResult result = await client.ReceiveAsync(new ArraySegment<byte>(new byte[1024]), default)
            .WaitAsync(TestTimeouts.Hang);
        return result.MessageType != WebSocketMessageType.Close;
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

    private static byte[] Frame(int bodyBytes)
    {
        byte[] frame = new byte[4 + bodyBytes];
        new Random(bodyBytes).NextBytes(frame);
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(frame, bodyBytes);
        return frame;
    }

    private static Task<ClientWebSocket> ConnectAsync(PlayChatServer server) =>
        WebSocketPeer.ConnectAsync(server.EndPoints[0], subprotocol: null).WaitAsync(TestTimeouts.Hang);

    private static async Task<NetworkStream> RawAsync(PlayChatServer server)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 8192 };
        await socket.ConnectAsync(server.EndPoints[0]);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static async Task UpgradeAsync(NetworkStream stream)
    {
        await stream.WriteAsync(Encoding.ASCII.GetBytes(Upgrade));
        var answer = new StringBuilder();
        byte[] next = new byte[1];
        while (!answer.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            await stream.ReadExactlyAsync(next).AsTask().WaitAsync(TestTimeouts.Hang);
            answer.Append((char)next[0]);
        }

        Assert.StartsWith("HTTP/1.1 101 ", answer.ToString(), StringComparison.Ordinal);
    }

    private static async Task<string> AskAsync(PlayChatServer server, byte[] request)
    {
        using NetworkStream stream = await RawAsync(server);
        await stream.WriteAsync(request);
        using var reader = new StreamReader(stream, Encoding.Latin1);
        return await reader.ReadToEndAsync().WaitAsync(TestTimeouts.Hang);
    }

    private PlayChatServer Echo(Action<PlayChatOptions>? options = null) =>
        Server(options ?? (static o => o.ListenWebSocket("127.0.0.1:0")))
            .OnFrame(static (connection, frame) => connection.Send(in frame));

    private PlayChatServer Server(Action<PlayChatOptions> options) => new PlayChatServer(options)
        .UseTransport(Transport)
        .UseFraming(FrameFormat.LengthPrefixed(1 << 20))
        .UseLogging(_log)
        .OnDisconnected((_, reason) => _closed.TrySetResult(reason));
}
