using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class TlsChainTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly TestCertificateChain _chain = new();

    public void Dispose()
    {
        _chain.Dispose();
        _directory.Dispose();
    }

    [Theory]
    [InlineData("pem")]
    [InlineData("pfx")]
    public async Task A_client_that_knows_only_the_root_trusts_a_server_whose_file_has_the_intermediate(string form)
    {
        string path = _directory.Combine("server." + form);
        byte[] file = form == "pem" ? System.Text.Encoding.ASCII.GetBytes(_chain.ExportPem()) : _chain.ExportPfx("secret");
        await File.WriteAllBytesAsync(path, file);
        await using PlayChatServer server = Server(path, form == "pem" ? "" : "secret");
        await server.StartAsync();
        await using PlayChatConnector connector = Connector();

        Connection connection = await connector.ConnectAsync(server.EndPoints[0]).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(CloseReason.None, connection.CloseReason);
    }

    [Fact]
    public async Task A_PFX_without_a_private_key_is_named()
    {
        string path = _directory.Combine("server.pfx");
        await File.WriteAllBytesAsync(path, _chain.Leaf.Export(X509ContentType.Pfx, "secret"));
        await using PlayChatServer server = Server(path, "secret");

        OptionsException e = await Assert.ThrowsAsync<OptionsException>(() => server.StartAsync());

        Assert.Contains("It holds no certificate with a private key.", e.Message, StringComparison.Ordinal);
    }

    private static PlayChatServer Server(string path, string password) =>
        new PlayChatServer(o =>
            o.ListenTcp("127.0.0.1:0").Tls = new TlsOptions { CertificatePath = path, KeyPath = "", Password = password })
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame(static (connection, frame) => connection.Send(in frame));

    private PlayChatConnector Connector()
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.Add(_chain.Root);
        var tls = new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = policy };
        return new PlayChatConnector(FrameFormat.LengthPrefixed(), static (_, _) => { }, new ConnectorOptions { Tls = tls });
    }
}
