using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>TLS, and what a server does with it, over every transport.</summary>
public abstract class TlsTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly X509Certificate2 _certificate = TestCertificate.Create();

    protected abstract ITransport Transport { get; }

    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        _certificate.Dispose();
        _directory.Dispose();
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("pfx")]
    [InlineData("pem")]
    [InlineData("pem in one file")]
    [InlineData("encrypted pem")]
    public async Task Frames_pass_over_TLS_with_a_certificate_from(string source)
    {
        await using PlayChatServer server = Echo(o => Configure(o.ListenTcp("127.0.0.1:0").Tls, source));
        await server.StartAsync();
        byte[] body = new byte[200_000];
        new Random(3).NextBytes(body);

        Assert.Equal(body, await EchoOnceAsync(server, body));
    }

    [Fact]
    public async Task Closing_over_TLS_delivers_what_is_queued_and_ends_in_order_on_both_sides()
    {
        var closed = new TaskCompletionSource<CloseReason>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using PlayChatServer server = new PlayChatServer(o => o.ListenTcp("127.0.0.1:0").Tls.Certificate = _certificate)
            .UseTransport(Transport)
            .UseFraming(FrameFormat.LengthPrefixed(1 << 20))
            .OnDisconnected((_, reason) => closed.TrySetResult(reason))
            .OnFrame(static (connection, _) =>
            {
                connection.Send(new byte[500_000]);
                connection.Close(CloseReason.TakenOver);
            });
        await server.StartAsync();
        var received = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(1 << 20),
            (_, frame) => received.TrySetResult(frame.BodyBytes),
            new ConnectorOptions { Tls = TestCertificate.TrustAny },
            transport: Transport);
        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);

        connection.Send([1]);

        Assert.Equal(500_000, await received.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerClosed, await connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.TakenOver, await closed.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Handshakes_that_stall_delay_nobody_and_end_with_the_deadline()
    {
        var time = new ManualTimeProvider();
        var log = new RecordingLogger();
        await using PlayChatServer server = Echo(o =>
        {
            o.ListenTcp("127.0.0.1:0").Tls.Certificate = _certificate;
            o.ListenTcp("127.0.0.1:0");
        }).UseTime(time).UseLogging(log);
        await server.StartAsync();
        using var stalled = new Socket(SocketType.Stream, ProtocolType.Tcp);
        int idle = time.PendingTimers;
        await stalled.ConnectAsync(server.EndPoints[0]);
        await time.WaitForTimersAsync(idle + 1).WaitAsync(TestTimeouts.Hang); // its handshake has begun

        Assert.Equal([1], await EchoOnceAsync(server, [1]));
        Assert.Equal([2], await EchoOnceAsync(server, [2], endpoint: 1));
        time.Advance(TimeSpan.FromSeconds(10));

        await Eventually.TrueAsync(() => log.Count("Refused") == 1);
        await AssertEndedAsync(stalled);
    }

    [Fact]
    public async Task A_link_beyond_MaxHandshakes_is_aborted_and_counted_until_another_handshake_is_over()
    {
        var time = new ManualTimeProvider();
        var log = new RecordingLogger();
        await using PlayChatServer server = Echo(o =>
        {
            TlsOptions tls = o.ListenTcp("127.0.0.1:0").Tls;
            tls.Certificate = _certificate;
            tls.MaxHandshakes = 1;
        }).UseTime(time).UseLogging(log);
        await server.StartAsync();
        int idle = time.PendingTimers;
        using var stalled = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await stalled.ConnectAsync(server.EndPoints[0]);
        await time.WaitForTimersAsync(idle + 1).WaitAsync(TestTimeouts.Hang); // its handshake has begun

        await AssertAbortedAsync(server.EndPoints[0]);

        await Eventually.TrueAsync(() => server.Metrics.Snapshot().ConnectionsRefused == 1);
        Assert.Equal(1, log.Count("Refused"));
        stalled.Dispose();
        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.handshakes.failed") == 1);
        Assert.Equal([1], await EchoOnceAsync(server, [1]));
        Assert.Equal([2], await EchoOnceAsync(server, [2]));
        Assert.Equal(2, server.Metrics.Snapshot().ConnectionsRefused);
    }

    [Fact]
    public async Task Silent_links_of_one_address_that_fill_all_handshakes_do_not_lock_out_another_address()
    {
        const int Slots = 20;
        var time = new ManualTimeProvider(); // no handshake times out
        var log = new RecordingLogger();
        await using PlayChatServer server = Echo(o =>
        {
            TlsOptions tls = o.ListenTcp("127.0.0.1:0").Tls;
            tls.Certificate = _certificate;
            tls.MaxHandshakes = Slots;
        }).UseTime(time).UseLogging(log);
        await server.StartAsync();
        List<Socket> silent = [];
        for (int i = 0; i < Slots + 5; i++)
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0));
            silent.Add(socket);
            try
            {
                await socket.ConnectAsync(server.EndPoints[0]).WaitAsync(TestTimeouts.Hang);
            }
            catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
            {
                // Its own address holds all slots, and the abort was faster than the news of the connection.
            }
        }

        await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.handshakes.refused") == 5);

        for (int i = 0; i < 10; i++)
        {
            Assert.Equal([1], await EchoOnceAsync(server, [1]));
        }

        MetricsReading reading = server.Metrics.ReadAll();
        Assert.InRange(reading.Get("playchat.handshakes.refused"), 6, 15); // slots that handshakes gave back are free
        Assert.Equal(reading.Get("playchat.handshakes.refused"), reading.Get("playchat.connections.refused"));
        Assert.Equal(0, reading.Get("playchat.handshakes.failed"));
        Assert.Equal(1, log.Count("Refused"));
        silent.ForEach(static socket => socket.Dispose());
    }

    [Fact]
    public async Task A_peer_that_speaks_no_TLS_is_refused_and_the_next_is_served()
    {
        var log = new RecordingLogger();
        await using PlayChatServer server = Echo(o => o.ListenTcp("127.0.0.1:0").Tls.Certificate = _certificate).UseLogging(log);
        await server.StartAsync();
        long countedBeforeTheLog = -1;
        log.Logged = name => countedBeforeTheLog = name == "Refused" ? server.Metrics.Snapshot().ConnectionsRefused : countedBeforeTheLog;
        using var stranger = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await stranger.ConnectAsync(server.EndPoints[0]);
        await stranger.SendAsync(new byte[100]);

        await AssertEndedAsync(stranger);
        Assert.Equal([1], await EchoOnceAsync(server, [1]));
        await Eventually.TrueAsync(() => server.Metrics.Snapshot().ConnectionsRefused == 1); // the alert may have ended the link before
        Assert.Equal(1, log.Count("Refused"));
        Assert.Equal(0, countedBeforeTheLog); // so that the log has a line for every refusal that the metrics show
    }

    [Fact]
    public async Task A_certificate_that_is_not_trusted_is_a_ConnectFailedException()
    {
        await using PlayChatServer server = Echo(o => o.ListenTcp("127.0.0.1:0").Tls.Certificate = _certificate);
        await server.StartAsync();
        await using var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(), static (_, _) => { }, new ConnectorOptions { Tls = new() { TargetHost = "localhost" } });

        ConnectFailedException e = await Assert.ThrowsAsync<ConnectFailedException>(
            () => connector.ConnectAsync(server.EndPoints[0]));

        Assert.Contains("TLS failed", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_certificate_that_cannot_be_read_is_named_and_leaves_the_address_free()
    {
        string path = _directory.Combine("bad.pfx");
        await File.WriteAllTextAsync(path, "no certificate");
        IPEndPoint free = FindFreeEndPoint();
        await using PlayChatServer server = Echo(o => o.ListenTcp(free.ToString()).Tls.CertificatePath = path);

        OptionsException e = await Assert.ThrowsAsync<OptionsException>(() => server.StartAsync());

        Assert.Contains($"PlayChat:Endpoints:0:Tls:CertificatePath is '{path}'; reading it failed", e.Message, StringComparison.Ordinal);
        await using PlayChatServer other = Echo(o => o.ListenTcp(free.ToString()));
        await other.StartAsync();
    }

    private PlayChatServer Echo(Action<PlayChatOptions> configure) => new PlayChatServer(configure)
        .UseTransport(Transport)
        .UseFraming(FrameFormat.LengthPrefixed(1 << 20))
        .OnFrame(static (connection, frame) => connection.Send(in frame));

    private async Task<byte[]> EchoOnceAsync(PlayChatServer server, byte[] body, int endpoint = 0)
    {
        var answer = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(1 << 20),
            (_, frame) => answer.TrySetResult(frame.ToArray()),
            new ConnectorOptions { Tls = server.Options.Endpoints[endpoint].Tls.IsSet ? TestCertificate.TrustAny : null },
            transport: Transport);
        Connection connection = await connector.ConnectAsync(server.EndPoints[endpoint]).WaitAsync(TestTimeouts.Hang);
        Assert.True(connection.Send(body));
        return await answer.Task.WaitAsync(TestTimeouts.Hang);
    }

    private static async Task AssertEndedAsync(Socket socket)
    {
        try
        {
            while (await socket.ReceiveAsync(new byte[100]).WaitAsync(TestTimeouts.Hang) > 0)
            {
                // An alert may come first.
            }
        }
        catch (SocketException e)
        {
            Assert.Equal(SocketError.ConnectionReset, e.SocketErrorCode);
        }
    }

    private static async Task AssertAbortedAsync(EndPoint endPoint)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(endPoint).WaitAsync(TestTimeouts.Hang);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            return; // the abort was faster than the news of the connection
        }

        await AssertEndedAsync(socket);
    }

    /// <summary>Finds a port of an address that is this process's own, so that no other program binds it meanwhile.</summary>
    private static IPEndPoint FindFreeEndPoint()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        int id = Environment.ProcessId;
        byte[] own = OperatingSystem.IsLinux() ? [127, 77, (byte)(id >> 8), (byte)id] : [127, 0, 0, 1];
        socket.Bind(new IPEndPoint(new IPAddress(own), 0));
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    private void Configure(TlsOptions tls, string source)
    {
        switch (source)
        {
            case "pfx":
                tls.CertificatePath = _directory.Combine("server.pfx");
                tls.Password = "secret";
                File.WriteAllBytes(tls.CertificatePath, _certificate.Export(X509ContentType.Pfx, "secret"));
                break;
            case "pem":
                tls.CertificatePath = _directory.Combine("server.pem");
                tls.KeyPath = _directory.Combine("server.key");
                File.WriteAllText(tls.CertificatePath, _certificate.ExportCertificatePem());
                File.WriteAllText(tls.KeyPath, _certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
                break;
            case "pem in one file":
                tls.CertificatePath = _directory.Combine("server.pem");
                tls.KeyPath = ""; // as the configuration says "none"
                tls.Password = "";
                File.WriteAllText(
                    tls.CertificatePath,
                    _certificate.ExportCertificatePem() + "\n" + _certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
                break;
            case "encrypted pem":
                tls.CertificatePath = _directory.Combine("server.pem");
                tls.KeyPath = "";
                tls.Password = "secret";
                string key = _certificate.GetECDsaPrivateKey()!.ExportEncryptedPkcs8PrivateKeyPem(
                    "secret", new(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000));
                File.WriteAllText(tls.CertificatePath, _certificate.ExportCertificatePem() + "\n" + key);
                break;
            default:
                tls.Certificate = _certificate;
                break;
        }
    }
}
