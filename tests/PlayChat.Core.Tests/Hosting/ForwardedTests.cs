using System.Net;
using System.Net.Sockets;
using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A WebSocket endpoint behind an HTTP proxy; the test is the proxy.</summary>
public sealed class ForwardedTests : IDisposable
{
    private readonly TestAuthority _authority = new("test authority");
    private readonly RecordingLogger _log = new();
    private readonly TaskCompletionSource<string?> _peer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Dispose()
    {
        _authority.Dispose();
        _log.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_connection_has_the_address_that_a_trusted_proxy_names(bool tls)
    {
        await using PlayChatServer server = Server("127.0.0.1", tls: tls);
        await server.StartAsync();
        using Stream proxy = await ConnectAsync(server, tls);

        Assert.StartsWith("HTTP/1.1 101 ", await RequestAsync(proxy, "X-Forwarded-For: 6.6.6.6, 192.0.2.1\r\n"), StringComparison.Ordinal);

        Assert.Equal("192.0.2.1:0", await _peer.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task What_another_peer_says_about_its_address_is_ignored()
    {
        await using PlayChatServer server = Server("127.0.0.2");
        await server.StartAsync();
        using Stream stranger = await ConnectAsync(server);

        Assert.StartsWith("HTTP/1.1 101 ", await RequestAsync(stranger, "X-Forwarded-For: 192.0.2.1\r\n"), StringComparison.Ordinal);

        Assert.StartsWith("127.0.0.1:", await _peer.Task.WaitAsync(TestTimeouts.Hang), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_request_that_names_its_client_twice_is_refused_and_logged()
    {
        await using PlayChatServer server = Server("127.0.0.1");
        await server.StartAsync();
        using Stream proxy = await ConnectAsync(server);

        string answer = await RequestAsync(proxy, "X-Forwarded-For: 192.0.2.1\r\nForwarded: for=6.6.6.6\r\n");

        Assert.StartsWith("HTTP/1.1 400 ", answer, StringComparison.Ordinal);
        Assert.Equal(1, _log.Count("UpgradeRefused"));
    }

    [Fact]
    public async Task A_proxy_of_the_PROXY_protocol_may_name_a_proxy_that_names_the_client()
    {
        await using PlayChatServer server = Server(
            "198.51.100.0/24", static endpoint => endpoint.ProxyProtocol.TrustedSources = "127.0.0.1");
        await server.StartAsync();
        using Stream proxy = await ConnectAsync(server);

        await proxy.WriteAsync("PROXY TCP4 198.51.100.7 203.0.113.7 40000 7777\r\n"u8.ToArray());
        Assert.StartsWith("HTTP/1.1 101 ", await RequestAsync(proxy, "Forwarded: for=192.0.2.1\r\n"), StringComparison.Ordinal);

        Assert.Equal("192.0.2.1:0", await _peer.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task The_limits_per_address_hold_for_the_client_and_not_for_the_proxy()
    {
        await using PlayChatServer server = Server("127.0.0.1", configure: static options =>
        {
            options.Connections.LimitsLoopback = true;
            options.Connections.MaxConnectionsPerAddress = 1;
            options.Connections.AcceptsPerSecondPerAddress = 0; // the last connection is tried until it is let in
        });
        await server.StartAsync();
        using Stream first = await ConnectAsync(server);
        using Stream second = await ConnectAsync(server);
        using Stream third = await ConnectAsync(server);

        Assert.StartsWith("HTTP/1.1 101 ", await RequestAsync(first, "X-Forwarded-For: 192.0.2.1\r\n"), StringComparison.Ordinal);
        Assert.StartsWith("HTTP/1.1 101 ", await RequestAsync(second, "X-Forwarded-For: 192.0.2.2\r\n"), StringComparison.Ordinal);
        Assert.Equal("", await RequestAsync(third, "X-Forwarded-For: 192.0.2.1\r\n"));

        first.Dispose();
        // The link gives its place back when it is disposed, which is after its session has gone.
        await Eventually.GetAsync(
            async () =>
            {
                using Stream next = await ConnectAsync(server);
                return await RequestAsync(next, "X-Forwarded-For: 192.0.2.1\r\n");
            },
            static answer => answer.StartsWith("HTTP/1.1 101 ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_proxy_that_is_no_address_fails_the_start()
    {
        await using PlayChatServer server = Server("127.0.0.1, proxy.example");

        OptionsException error = await Assert.ThrowsAsync<OptionsException>(() => server.StartAsync());

        Assert.Contains(
            "PlayChat:Endpoints:0:WebSocket:TrustedProxies has 'proxy.example'; allowed is", error.Message, StringComparison.Ordinal);
    }

    private PlayChatServer Server(
        string proxies, Action<EndpointOptions>? change = null, bool tls = false, Action<PlayChatOptions>? configure = null) =>
        new PlayChatServer(options =>
        {
            EndpointOptions endpoint = options.ListenWebSocket("127.0.0.1:0");
            endpoint.WebSocket.TrustedProxies = proxies;
            endpoint.Tls.Certificate = tls ? _authority.Issue("localhost", "localhost") : null;
            change?.Invoke(endpoint);
            configure?.Invoke(options);
        })
        .UseLogging(_log)
        .UseFraming(FrameFormat.LengthPrefixed())
        .OnConnected(session => _peer.TrySetResult(session.Connection.RemoteEndPoint?.ToString()))
        .OnFrame(static (connection, frame) => connection.Send(in frame));

    private static async Task<Stream> ConnectAsync(PlayChatServer server, bool tls = false)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.EndPoints[0]).WaitAsync(TestTimeouts.Hang);
        var stream = new NetworkStream(socket, ownsSocket: true);
        if (!tls)
        {
            return stream;
        }

        var encrypted = new System.Net.Security.SslStream(stream);
        await encrypted.AuthenticateAsClientAsync(TestCertificate.TrustAny).WaitAsync(TestTimeouts.Hang);
        return encrypted;
    }

    /// <returns>The head of the answer; empty when there is none.</returns>
    private static async Task<string> RequestAsync(Stream stream, string fields)
    {
        await stream.WriteAsync(Encoding.ASCII.GetBytes(
            "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + $"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{fields}\r\n"));
        byte[] answer = new byte[4096];
        try
        {
            return Encoding.ASCII.GetString(answer, 0, await stream.ReadAsync(answer).AsTask().WaitAsync(TestTimeouts.Hang));
        }
        catch (IOException)
        {
            return ""; // a refused link is reset
        }
    }
}
