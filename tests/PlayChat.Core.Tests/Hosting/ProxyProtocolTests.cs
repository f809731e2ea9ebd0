using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>An endpoint behind a proxy; the test is the proxy.</summary>
public sealed class ProxyProtocolTests : IDisposable
{
    private static readonly byte[] s_header =
        [.. Convert.FromHexString("0D0A0D0A000D0A515549540A2111000C"), 192, 0, 2, 1, 203, 0, 113, 7, 0x9C, 0x40, 0x1E, 0x61];

    private static readonly byte[] s_frame = [0, 0, 0, 1, 7];

    private readonly TestAuthority _authority = new("test authority");
    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();
    private readonly TaskCompletionSource<string?> _peer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Dispose()
    {
        _authority.Dispose();
        _log.Dispose();
    }

    [Theory]
    [InlineData("sockets", false)]
    [InlineData("sockets", true)]
    [InlineData("linux", false)]
    [InlineData("linux", true)]
    public async Task A_connection_has_the_address_of_the_client(string transport, bool tls)
    {
        await using PlayChatServer server = Server(transport, "10.0.0.0/8, 127.0.0.1", tls);
        await server.StartAsync();
        using NetworkStream proxy = await ConnectAsync(server);

        await proxy.WriteAsync(s_header);
        using Stream stream = tls ? new SslStream(proxy, leaveInnerStreamOpen: true) : proxy;
        if (stream is SslStream encrypted)
        {
            await encrypted.AuthenticateAsClientAsync(TestCertificate.TrustAny).WaitAsync(TestTimeouts.Hang);
        }

        await stream.WriteAsync(s_frame);
        byte[] echo = new byte[s_frame.Length];
        await stream.ReadExactlyAsync(echo).AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(s_frame, echo);
        Assert.Equal("192.0.2.1:40000", await _peer.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task The_first_frame_may_come_with_the_header()
    {
        await using PlayChatServer server = Server("sockets", "127.0.0.1", tls: false);
        await server.StartAsync();
        using NetworkStream proxy = await ConnectAsync(server);

        await proxy.WriteAsync((byte[])[.. "PROXY TCP4 192.0.2.9 203.0.113.7 1 7777\r\n"u8, .. s_frame]);
        byte[] echo = new byte[s_frame.Length];
        await proxy.ReadExactlyAsync(echo).AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal("192.0.2.9:1", await _peer.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_health_check_of_the_proxy_has_the_address_of_the_proxy()
    {
        await using PlayChatServer server = Server("sockets", "127.0.0.1", tls: false);
        await server.StartAsync();
        using NetworkStream proxy = await ConnectAsync(server);

        await proxy.WriteAsync(Convert.FromHexString("0D0A0D0A000D0A515549540A20000000"));

        Assert.Equal(proxy.Socket.LocalEndPoint!.ToString(), await _peer.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData("127.0.0.2", "0D0A0D0A000D0A515549540A20000000")] // not this proxy
    [InlineData("127.0.0.1", "0000000100000001000000010000000100000001")] // a client without a proxy
    public async Task A_link_that_is_not_a_trusted_proxys_is_refused_and_counted(string source, string bytes)
    {
        await using PlayChatServer server = Server("sockets", source, tls: false);
        await server.StartAsync();

        try
        {
            using NetworkStream stranger = await ConnectAsync(server);
            await WriteAsync(stranger, Convert.FromHexString(bytes));
            await AssertEndedAsync(stranger);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            // The refusal was faster than the news of the connection.
        }

        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.proxy.refused") == 1);
        Assert.Equal(1, _log.Count("Refused"));
        Assert.False(_peer.Task.IsCompleted);
    }

    [Fact]
    public async Task A_header_that_does_not_come_is_refused_at_its_deadline()
    {
        await using PlayChatServer server = Server("sockets", "127.0.0.1", tls: false);
        await server.StartAsync();
        int idle = _time.PendingTimers;
        using NetworkStream proxy = await ConnectAsync(server);
        await proxy.WriteAsync(s_header.AsMemory(0, 20));
        await _time.WaitForTimersAsync(idle + 1).WaitAsync(TestTimeouts.Hang);

        _time.Advance(TimeSpan.FromSeconds(5));

        await AssertEndedAsync(proxy);
        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.proxy.refused") == 1);
    }

    [Fact]
    public async Task The_limits_per_address_hold_for_the_client_and_not_for_the_proxy()
    {
        await using PlayChatServer server = Server("sockets", "127.0.0.1", tls: true, static o =>
        {
            o.Connections.MaxConnectionsPerAddress = 10;
            o.Endpoints[0].Tls.MaxHandshakesPerAddress = 2;
        });
        await server.StartAsync();
        List<NetworkStream> silent = [];
        for (int i = 0; i < 3; i++)
        {
            silent.Add(await ConnectAsync(server));
            await WriteAsync(silent[^1], s_header);
        }

        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.handshakes.refused") == 1);
        using NetworkStream proxy = await ConnectAsync(server);
        await proxy.WriteAsync("PROXY TCP4 192.0.2.2 203.0.113.7 40000 7777\r\n"u8.ToArray());
        using var stream = new SslStream(proxy);
        await stream.AuthenticateAsClientAsync(TestCertificate.TrustAny).WaitAsync(TestTimeouts.Hang);

        Assert.Equal("192.0.2.2:40000", await _peer.Task.WaitAsync(TestTimeouts.Hang));
        silent.ForEach(static link => link.Dispose());
    }

    [Theory]
    [InlineData("10")]
    [InlineData("10.1")]
    [InlineData("010.0.0.1")]
    [InlineData("0x0a.0.0.1")]
    [InlineData("010.0.0.0/8")]
    [InlineData("10/8")]
    [InlineData("10.0.0.0/08")]
    [InlineData("[::1]")]
    [InlineData("[::1]:80")]
    [InlineData("::ffff:10.0.0.1")]
    [InlineData("::ffff:10.0.0.0/104")]
    public void A_source_in_a_form_that_can_be_misread_is_refused(string source)
    {
        Assert.False(new ProxyProtocolOptions { TrustedSources = "127.0.0.1, " + source }.TryGetSources(out _, out string problem));

        Assert.Equal(source, problem);
    }

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.1/32")]
    [InlineData("10.0.0.0/8", "10.0.0.0/8")]
    [InlineData("0.0.0.0/0", "0.0.0.0/0")]
    [InlineData("2001:DB8::1", "2001:db8::1/128")]
    [InlineData("fd00::/8", "fd00::/8")]
    public void A_source_in_its_usual_form_is_read(string source, string expected)
    {
        Assert.True(new ProxyProtocolOptions { TrustedSources = source }.TryGetSources(out IReadOnlyList<IPNetwork> sources, out _));

        Assert.Equal(expected, Assert.Single(sources).ToString());
    }

    private PlayChatServer Server(string transport, string sources, bool tls, Action<PlayChatOptions>? configure = null) =>
        new PlayChatServer(o =>
        {
            EndpointOptions endpoint = o.ListenTcp("127.0.0.1:0");
            endpoint.ProxyProtocol.TrustedSources = sources;
            endpoint.Tls.Certificate = tls ? _authority.Issue("localhost", "localhost") : null;
            configure?.Invoke(o);
        })
        .UseTransport(transport == "linux" ? NativeTransport.Create() : SocketTransport.Instance)
        .UseTime(_time)
        .UseLogging(_log)
        .UseFraming(FrameFormat.LengthPrefixed())
        .OnConnected(session => _peer.TrySetResult(session.Connection.RemoteEndPoint?.ToString()))
        .OnFrame(static (connection, frame) => connection.Send(in frame));

    private static async Task<NetworkStream> ConnectAsync(PlayChatServer server)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await socket.ConnectAsync(server.EndPoints[0]).WaitAsync(TestTimeouts.Hang);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static async Task WriteAsync(NetworkStream stream, byte[] bytes)
    {
        try
        {
            await stream.WriteAsync(bytes);
        }
        catch (IOException)
        {
            // The server was faster to refuse the link.
        }
    }

    private static async Task AssertEndedAsync(NetworkStream stream)
    {
        try
        {
            Assert.Equal(0, await stream.ReadAsync(new byte[1]).AsTask().WaitAsync(TestTimeouts.Hang));
        }
        catch (IOException e)
        {
            Assert.IsType<SocketException>(e.InnerException);
        }
    }
}
