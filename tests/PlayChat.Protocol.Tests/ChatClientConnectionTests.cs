using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

public sealed class ChatClientConnectionTests
{
    [Fact]
    public async Task Disposing_sends_what_is_queued_and_says_that_this_side_closed()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();

        client.SendChat(1, "bye");
        await client.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(PacketId.CRoomChatReq, (await server.ReceiveAsync()).Packet);
        Assert.Equal(CloseReason.PeerClosed, await connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.LocalClose, (await client.Closed).Reason);
        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => client.JoinRoomAsync(1).WaitAsync(TestTimeouts.Hang));
        await client.DisposeAsync(); // once more is no fault
    }

    [Theory]
    [InlineData("http://127.0.0.1/ws", false, false, "allowed is ws://HOST:PORT/PATH")]
    [InlineData("ws://127.0.0.1/ws", true, false, "use wss://")]
    [InlineData("ws://127.0.0.1/ws", false, true, "exclude each other")]
    public async Task What_is_wrong_with_a_WebSocket_address_is_said(string address, bool useTls, bool hasTransport, string message)
    {
        var options = new ChatClientOptions { UseTls = useTls, Transport = hasTransport ? SocketTransport.Instance : null };

        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => ChatClient.ConnectAsync(new Uri(address), options));

        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_breaks_the_link_is_seen_as_such()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;

        connection.Abort();

        ChatDisconnectedEventArgs end = await client.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.PeerReset, end.Reason);
        Assert.Null(end.ServerMessage);
    }

    [Fact]
    public async Task A_close_code_that_the_client_does_not_know_keeps_the_servers_words()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;

        connection.SendPacket(new SCloseNtf { Reason = (CloseCode)999, Message = "A new reason." }, type: ChatPackets.SCloseNtf);
        connection.Close();

        ChatDisconnectedEventArgs end = await client.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.PeerClosed, end.Reason);
        Assert.Equal("A new reason.", end.ServerMessage);
    }

    [Fact]
    public async Task The_clients_of_one_connector_are_apart_and_end_with_it()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        var connector = new ChatConnector("127.0.0.1", server.Port);
        ChatClient first = await connector.ConnectAsync().WaitAsync(TestTimeouts.Hang);
        ChatClient second = await connector.ConnectAsync().WaitAsync(TestTimeouts.Hang);

        await first.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.False(first.IsConnected);
        Assert.True(second.IsConnected);

        await connector.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.LocalClose, (await second.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connector.ConnectAsync().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Over_TLS_the_same_works_when_the_certificate_is_trusted()
    {
        using X509Certificate2 certificate = CreateCertificate();
        await using FakeChatServer server = await FakeChatServer.StartAsync(endpoint => endpoint.Tls.Certificate = certificate);
        (ChatClient client, _) = await server.ConnectAsync(options =>
        {
            options.UseTls = true;
            options.TlsCertificateValidation = (_, presented, _, _) => presented?.GetCertHashString() == certificate.GetCertHashString();
        });
        await using ChatClient closing = client;

        Task<SLoginRes> login = client.LoginAsync("민수");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7 });

        Assert.Equal(7, (await login.WaitAsync(TestTimeouts.Hang)).PlayerId);
    }

    [Fact]
    public async Task A_certificate_that_nobody_trusts_is_refused()
    {
        using X509Certificate2 certificate = CreateCertificate();
        await using FakeChatServer server = await FakeChatServer.StartAsync(endpoint => endpoint.Tls.Certificate = certificate);
        var options = new ChatClientOptions { UseTls = true };

        await Assert.ThrowsAsync<ConnectFailedException>(
            () => ChatClient.ConnectAsync("127.0.0.1", server.Port, options).WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public void Settings_that_cannot_be_are_named_all_at_once()
    {
        var options = new ChatClientOptions
        {
            RequestTimeout = TimeSpan.Zero,
            LoginTimeout = TimeSpan.FromDays(2),
            MaxRequestsInFlight = 0,
            ClientVersion = "a\nb"
        };

        var exception = Assert.Throws<OptionsException>(() => new ChatConnector("127.0.0.1", 1, options));

        Assert.Equal(4, exception.Problems.Count);
        Assert.Contains(exception.Problems, problem =>
            problem.StartsWith("MaxRequestsInFlight is 0; allowed is 1 to 32768", StringComparison.Ordinal));
    }

    private static X509Certificate2 CreateCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=playchat.test", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));

        // Through PFX, because not every platform's TLS takes a key that exists in memory alone.
        return new X509Certificate2(certificate.Export(X509ContentType.Pfx));
    }
}
