using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Tests.Transport;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>Which certificate a server shows, and which ones it asks for.</summary>
public sealed class CertificateTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly TestAuthority _authority = new("test authority");

    public void Dispose()
    {
        _authority.Dispose();
        _directory.Dispose();
    }

    // Full length: 100 swaps during 1,000 handshakes.
    [Theory]
    [InlineData("sockets", 20, 200)]
    [InlineData("linux", 20, 200)]
    [InlineData("sockets", 100, 1000, Explicit = true)]
    [InlineData("linux", 100, 1000, Explicit = true)]
    public async Task Certificates_are_replaced_during_handshakes_and_no_client_is_dropped(string transport, int swaps, int handshakes)
    {
        X509Certificate2[] certificates = [_authority.Issue("first", "localhost"), _authority.Issue("second", "localhost")];
        string path = Write("server.pem", certificates[0]);
        await using PlayChatServer server = Server(transport, tls => tls.CertificatePath = path);
        await server.StartAsync();
        using SslStream open = await ConnectAsync(server, "localhost");
        int left = handshakes;
        int swapped = 0;
        using var begun = new SemaphoreSlim(0); // one for each handshake

        async Task<HashSet<string>> HandshakeAsync()
        {
            HashSet<string> found = new(StringComparer.Ordinal);
            while (Interlocked.Decrement(ref left) >= 0 || Volatile.Read(ref swapped) < swaps)
            {
                begun.Release();
                using SslStream stream = await ConnectAsync(server, "localhost");
                found.Add(stream.RemoteCertificate!.Subject);
                await EchoAsync(stream);
            }

            return found;
        }

        Task<HashSet<string>>[] clients = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(HandshakeAsync))];
        while (swapped < swaps)
        {
            // Spread over the handshakes: one swap for every few of them, which begin after the swap before.
            while (begun.Wait(0))
            {
                // Those of before.
            }

            for (int i = 0; i < handshakes / swaps; i++)
            {
                Assert.True(await begun.WaitAsync(TestTimeouts.Hang));
            }

            Write("server.pem", certificates[(swapped + 1) % 2]);
            Assert.True(server.ReloadCertificates());
            Interlocked.Increment(ref swapped);
        }

        HashSet<string>[] subjects = await Task.WhenAll(clients).WaitAsync(TestTimeouts.Hang);
        string[] seen = [.. subjects.SelectMany(static some => some).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
        Assert.Equal(["CN=first", "CN=second"], seen);
        await EchoAsync(open); // it has the certificate of its time
        Assert.Equal("CN=first", open.RemoteCertificate!.Subject);
        using SslStream last = await ConnectAsync(server, "localhost");
        Assert.Equal(certificates[swaps % 2].Subject, last.RemoteCertificate!.Subject);
        Assert.Equal(0, server.Metrics.ReadAll().Get("playchat.handshakes.failed"));
    }

    [Fact]
    public async Task A_certificate_that_cannot_be_read_is_not_used_and_is_logged_once()
    {
        var time = new ManualTimeProvider();
        using var log = new RecordingLogger();
        string path = Write("server.pem", _authority.Issue("good", "localhost"));
        await using PlayChatServer server = Server("sockets", tls => tls.CertificatePath = path).UseTime(time).UseLogging(log);
        await server.StartAsync();

        await File.WriteAllTextAsync(path, "no certificate");
        time.Advance(TimeSpan.FromMinutes(1));
        time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(1, log.Count("CertificatesNotReloaded"));
        using (SslStream stream = await ConnectAsync(server, "localhost"))
        {
            Assert.Equal("CN=good", stream.RemoteCertificate!.Subject);
        }

        Assert.False(server.ReloadCertificates());
    }

    [Fact]
    public async Task A_file_that_has_changed_is_read_without_being_asked_for()
    {
        var time = new ManualTimeProvider();
        using var log = new RecordingLogger();
        string path = Write("server.pem", _authority.Issue("old", "localhost"));
        await using PlayChatServer server = Server("sockets", tls => tls.CertificatePath = path).UseTime(time).UseLogging(log);
        await server.StartAsync();
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, log.Count("CertificatesReloaded")); // nothing has changed

        Write("server.pem", _authority.Issue("new", "localhost", "another.example.org"));
        time.Advance(TimeSpan.FromMinutes(1));
        time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(1, log.Count("CertificatesReloaded"));
        using SslStream stream = await ConnectAsync(server, "localhost");
        Assert.Equal("CN=new", stream.RemoteCertificate!.Subject);
    }

    [Theory]
    [InlineData("main")]
    [InlineData("host name")]
    [InlineData("client authority")]
    public async Task A_file_behind_a_link_that_is_exchanged_is_read_again(string file)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege on Windows.");
        var time = new ManualTimeProvider();
        using var log = new RecordingLogger();
        string plain = Write("plain.pem", _authority.Issue("plain", "plain.example.org"));
        // As Kubernetes mounts a secret: tls.crt is a link into ..data, and ..data one to the folder of a version.
        WriteVersion("v1", "old");
        Directory.CreateSymbolicLink(_directory.Combine("..data"), "v1");
        string link = _directory.Combine("tls.crt");
        File.CreateSymbolicLink(link, "..data/tls.crt");
        await using PlayChatServer server = Server("sockets", tls =>
        {
            tls.CertificatePath = file == "main" ? link : plain;
            tls.Certificates.Add(new CertificateOptions { CertificatePath = file == "host name" ? link : "" });
            tls.ClientCertificates = file == "client authority" ? ClientCertificateMode.Allow : ClientCertificateMode.None;
            tls.ClientAuthoritiesPath = link;
        }).UseTime(time).UseLogging(log);
        await server.StartAsync();

        WriteVersion("v2", "new");
        Directory.Delete(_directory.Combine("..data")); // the link alone
        Directory.CreateSymbolicLink(_directory.Combine("..data"), "v2");
        time.Advance(TimeSpan.FromMinutes(1));
        time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(1, log.Count("CertificatesReloaded"));
        using SslStream stream = await ConnectAsync(server, file == "host name" ? "localhost" : "plain.example.org");
        Assert.Equal(file == "client authority" ? "CN=plain" : "CN=new", stream.RemoteCertificate!.Subject);

        void WriteVersion(string folder, string subject)
        {
            Directory.CreateDirectory(_directory.Combine(folder));
            Write($"{folder}/tls.crt", _authority.Issue(subject, "localhost"));
            // The same time for both versions, as in an archive or an image.
            File.SetLastWriteTimeUtc(_directory.Combine(folder, "tls.crt"), DateTime.UnixEpoch);
        }
    }

    [Theory]
    [InlineData("play.example.org", "CN=play")]
    [InlineData("PLAY.example.ORG", "CN=play")]
    [InlineData("eu.example.org", "CN=wild")]
    [InlineData("a.eu.example.org", "CN=main")] // a wildcard stands for one label
    [InlineData("main.example.net", "CN=main")]
    [InlineData("unknown.example.net", "CN=main")]
    [InlineData("", "CN=main")]
    public async Task A_client_gets_the_certificate_of_the_host_that_it_asks_for(string host, string subject)
    {
        await using PlayChatServer server = Server("sockets", tls =>
        {
            tls.CertificatePath = Write("main.pem", _authority.Issue("main", "main.example.net"));
            tls.Certificates.Add(new CertificateOptions { CertificatePath = "" }); // the pattern of the settings file
            tls.Certificates.Add(new CertificateOptions { Certificate = _authority.Issue("play", "play.example.org") });
            tls.Certificates.Add(new CertificateOptions { CertificatePath = Write("wild.pem", _authority.Issue("wild", "*.example.org")) });
        });
        await server.StartAsync();

        using SslStream stream = await ConnectAsync(server, host);

        Assert.Equal(subject, stream.RemoteCertificate!.Subject);
        await EchoAsync(stream);
    }

    [Theory]
    [InlineData(ClientCertificateMode.None, "trusted", "none", true)]
    [InlineData(ClientCertificateMode.Allow, "trusted", "CN=ada", true)]
    [InlineData(ClientCertificateMode.Allow, "none", "none", true)]
    [InlineData(ClientCertificateMode.Allow, "stranger", "", false)]
    [InlineData(ClientCertificateMode.Require, "trusted", "CN=ada", true)]
    [InlineData(ClientCertificateMode.Require, "none", "", false)]
    [InlineData(ClientCertificateMode.Require, "stranger", "", false)]
    public async Task A_client_shows_a_certificate_as_the_mode_says(ClientCertificateMode mode, string shown, string seen, bool isServed)
    {
        using var stranger = new TestAuthority("another authority");
        string authorities = _directory.Combine("authorities.pem");
        await File.WriteAllTextAsync(authorities, _authority.Root.ExportCertificatePem());
        var peer = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using PlayChatServer server = Server("sockets", tls =>
        {
            tls.Certificate = _authority.Issue("server", "localhost");
            tls.ClientCertificates = mode;
            tls.ClientAuthoritiesPath = authorities;
        }).OnConnected(session => peer.TrySetResult(session.Connection.Get<X509Certificate2>()?.Subject ?? "none"));
        await server.StartAsync();
        X509Certificate2? own = shown switch
        {
            "trusted" => _authority.Issue("ada"),
            "stranger" => stranger.Issue("ada"),
            _ => null,
        };

        if (!isServed)
        {
            // With TLS 1.3 the client learns of the refusal from its first read.
            await Assert.ThrowsAnyAsync<Exception>(async () =>
            {
                using SslStream refused = await ConnectAsync(server, "localhost", own);
                await EchoAsync(refused);
            });
            await Eventually.TrueAsync(() => server.Metrics.ReadAll().Get("playchat.handshakes.failed") == 1);
            return;
        }

        using SslStream stream = await ConnectAsync(server, "localhost", own);
        await EchoAsync(stream);
        Assert.Equal(seen, await peer.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public void What_cannot_work_is_named_before_the_start()
    {
        var options = new PlayChatOptions();
        EndpointOptions endpoint = options.ListenTcp("127.0.0.1:0");
        endpoint.Tls.Certificates.Add(new CertificateOptions { CertificatePath = "/no/such.pem" });
        endpoint.Tls.ClientCertificates = ClientCertificateMode.Require;
        endpoint.ProxyProtocol.TrustedSources = "127.0.0.1, 10.0.0.0/33";

        OptionsException e = Assert.Throws<OptionsException>(() => options.Validate());

        Assert.Contains("PlayChat:Endpoints:0:Tls:Certificates:0:CertificatePath is '/no/such.pem'", e.Message, StringComparison.Ordinal);
        Assert.Contains("PlayChat:Endpoints:0:Tls:Certificates:0 is set, but", e.Message, StringComparison.Ordinal);
        Assert.Contains("PlayChat:Endpoints:0:Tls:ClientAuthoritiesPath is ''", e.Message, StringComparison.Ordinal);
        Assert.Contains("PlayChat:Endpoints:0:ProxyProtocol:TrustedSources has '10.0.0.0/33'", e.Message, StringComparison.Ordinal);
    }

    private static PlayChatServer Server(string transport, Action<TlsOptions> configure) =>
        new PlayChatServer(o => configure(o.ListenTcp("127.0.0.1:0").Tls))
            .UseTransport(transport == "linux" ? NativeTransport.Create() : SocketTransport.Instance)
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(static (connection, frame) => connection.Send(in frame));

    private static async Task<SslStream> ConnectAsync(PlayChatServer server, string host, X509Certificate2? own = null)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.EndPoints[0]).WaitAsync(TestTimeouts.Hang);
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = host,
            ClientCertificates = own is null ? null : [own],
#pragma warning disable CA5359 // No authority signed these certificates; the tests compare them.
            RemoteCertificateValidationCallback = static (_, _, _, _) => true,
#pragma warning restore CA5359
            AllowTlsResume = false,
        }).WaitAsync(TestTimeouts.Hang);
        return stream;
    }

    private static async Task EchoAsync(SslStream stream)
    {
        byte[] frame = [0, 0, 0, 1, 7];
        await stream.WriteAsync(frame).AsTask().WaitAsync(TestTimeouts.Hang);
        byte[] echo = new byte[frame.Length];
        await stream.ReadExactlyAsync(echo).AsTask().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(frame, echo);
    }

    /// <summary>Writes a file in one step, as a program that renews certificates should.</summary>
    private string Write(string name, X509Certificate2 certificate)
    {
        string path = _directory.Combine(name);
        File.WriteAllText(path + ".new", TestAuthority.ToPem(certificate));
        File.Move(path + ".new", path, overwrite: true);
        return path;
    }
}
