using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Tests.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.WebSockets;

/// <summary>The client's side of WebSocket, against a server of ours.</summary>
public sealed class WebSocketTransportTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Frames_of_every_size_come_back_with_and_without_TLS(bool tls)
    {
        using X509Certificate2? certificate = tls ? TestCertificate.Create() : null;
        await using PlayChatServer server = Echo(endpoint => endpoint.Tls.Certificate = certificate);
        await server.StartAsync();
        var heard = Channel.CreateUnbounded<byte[]>();
        var transport = new WebSocketTransport { Tls = tls ? TestCertificate.TrustAny : null };
        await using var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(), (_, frame) => heard.Writer.TryWrite(frame.ToArray()), transport: transport);
        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);

        foreach (int length in (int[])[0, 1, 125, 4096, 60_000])
        {
            byte[] body = [.. Enumerable.Range(0, length).Select(static i => (byte)i)];
            connection.Send(body);
            connection.Send(body); // may go into the same message

            Assert.Equal(body, await heard.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
            Assert.Equal(body, await heard.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        }

        connection.Close();
        Assert.Equal(CloseReason.LocalClose, await connection.Closed.WaitAsync(TestTimeouts.Hang));
        await Eventually.TrueAsync(() => server.Sessions.Count == 0);
    }

    [Fact]
    public async Task The_reason_of_the_server_is_the_clients()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();
        await using var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(), static (_, _) => { }, transport: new WebSocketTransport());
        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);
        await Eventually.TrueAsync(() => server.Sessions.Count == 1);

        await server.StopAsync();

        Assert.Equal(CloseReason.ServerShutdown, await connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_wrong_path_is_said_with_the_answer_of_the_server()
    {
        await using PlayChatServer server = Echo();
        await server.StartAsync();

        ConnectFailedException e = await FailAsync(new WebSocketTransport { Path = "/wrong?x=1" }, server.EndPoints[0]);

        Assert.Contains($"ws://{server.EndPoints[0]}/wrong?x=1", e.Message, StringComparison.Ordinal);
        Assert.Contains("404", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_certificate_that_is_not_trusted_and_a_server_that_is_not_there_are_said()
    {
        using X509Certificate2 certificate = TestCertificate.Create();
        await using PlayChatServer server = Echo(endpoint => endpoint.Tls.Certificate = certificate);
        await server.StartAsync();
        EndPoint endPoint = server.EndPoints[0];
        var secure = new WebSocketTransport { Tls = new SslClientAuthenticationOptions() };

        Assert.Contains("certificate", (await FailAsync(secure, endPoint)).Message, StringComparison.Ordinal);
        await server.StopAsync();
        Assert.Contains("check that the server runs", (await FailAsync(secure, endPoint)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_request_can_have_headers_and_is_given_up_when_the_caller_says_so()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var transport = new WebSocketTransport { Configure = static options => options.SetRequestHeader("X-Game", "yes") };
        await using var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(),
            static (_, _) => { },
            new ConnectorOptions { ConnectTimeout = TestTimeouts.Hang },
            transport: transport);
        using var given = new CancellationTokenSource();
        Task<Connection> connecting = connector.ConnectAsync(silent.LocalEndpoint, cancellationToken: given.Token);
        using Socket peer = await silent.AcceptSocketAsync().WaitAsync(TestTimeouts.Hang);
        using var request = new StreamReader(new NetworkStream(peer));

        List<string> lines = [];
        while (await request.ReadLineAsync().WaitAsync(TestTimeouts.Hang) is { Length: > 0 } line)
        {
            lines.Add(line);
        }

        await given.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting);
        Assert.Equal("GET /ws HTTP/1.1", lines[0]);
        Assert.Contains("X-Game: yes", lines, StringComparer.Ordinal);
        Assert.Contains("Sec-WebSocket-Protocol: playchat.v1", lines, StringComparer.Ordinal);
    }

    [Fact]
    public void It_does_not_listen()
    {
        NotSupportedException e = Assert.Throws<NotSupportedException>(
            () => new WebSocketTransport().Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions()));

        Assert.Contains("ListenWebSocket", e.Message, StringComparison.Ordinal);
    }

    private static PlayChatServer Echo(Action<EndpointOptions>? configure = null) =>
        new PlayChatServer(options =>
            {
                EndpointOptions endpoint = options.ListenWebSocket("127.0.0.1:0");
                configure?.Invoke(endpoint);
            })
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(static (connection, frame) => connection.Send(in frame));

    private static async Task<ConnectFailedException> FailAsync(WebSocketTransport transport, EndPoint endPoint)
    {
        await using var connector = new PlayChatConnector(FrameFormat.LengthPrefixed(), static (_, _) => { }, transport: transport);
        return await Assert.ThrowsAsync<ConnectFailedException>(() => connector.ConnectAsync(endPoint)).WaitAsync(TestTimeouts.Hang);
    }
}
