using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Hosting;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Hosting;

public sealed class PlaintextWarningTests
{
    private readonly RecordingLogger _log = new();

    [Fact]
    public async Task Each_endpoint_that_other_machines_reach_without_TLS_gets_one_warning_with_its_keys()
    {
        await using TestServer server = await StartAsync(
            "--host=0.0.0.0", "--PlayChat:Endpoints:1:Address=127.0.0.1:0", "--PlayChat:Endpoints:2:Address=*:0");

        Assert.Equal(
            [Line($"{server.Server.EndPoints[0]}", 0), Line($"{server.Server.EndPoints[2]}", 2)],
            _log.Entries.Select(static entry => entry.Text),
            StringComparer.Ordinal);
        Assert.All(
            _log.Entries,
            static entry => Assert.Equal((LogLevel.Warning, nameof(ServerLog.PlaintextEndpoint)), (entry.Level, entry.Event)));
    }

    [Fact]
    public async Task The_port_for_browsers_is_named_by_its_own_keys()
    {
        await using TestServer server = await StartAsync("--host=0.0.0.0", "--Web:Enabled=true", "--Web:Port=0");

        Assert.EndsWith(
            "Set PlayChat:Endpoints:0:Tls:CertificatePath, or put a TLS proxy in front and name it in Web:ProxyProtocol:TrustedSources.",
            _log.Entries.Last().Text,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--host=127.0.0.1")]
    [InlineData("--host=[::1]")]
    [InlineData("--host=0.0.0.0", "--PlayChat:Endpoints:0:ProxyProtocol:TrustedSources=10.0.0.0/8")]
    public async Task A_loopback_endpoint_and_one_for_proxies_alone_get_none(params string[] args)
    {
        await using TestServer server = await StartAsync(args);

        Assert.Empty(_log.Entries);
    }

    [Fact]
    public async Task An_endpoint_with_a_certificate_gets_none()
    {
        using var certificate = new TemporaryDirectory();
        string file = certificate.Combine("server.pfx");
        using (var key = System.Security.Cryptography.RSA.Create(2048))
        {
            var request = new System.Security.Cryptography.X509Certificates.CertificateRequest(
                "CN=test",
                key,
                System.Security.Cryptography.HashAlgorithmName.SHA256,
                System.Security.Cryptography.RSASignaturePadding.Pkcs1);
            using var made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
            await File.WriteAllBytesAsync(
                file, made.Export(System.Security.Cryptography.X509Certificates.X509ContentType.Pfx));
        }

        await using TestServer server = await StartAsync("--host=0.0.0.0", $"--PlayChat:Endpoints:0:Tls:CertificatePath={file}");

        Assert.Empty(_log.Entries);
    }

    private static string Line(string endPoint, int number) =>
        $"{endPoint} is open to other machines without TLS: passwords and messages are readable on the way. Set "
        + $"PlayChat:Endpoints:{number}:Tls:CertificatePath, or put a TLS proxy in front and name it in "
        + $"PlayChat:Endpoints:{number}:ProxyProtocol:TrustedSources.";

    private Task<TestServer> StartAsync(params string[] args) => TestServer.StartInAsync(
        null, services => services.AddSingleton<ILogger<PlaintextWarning>>(new Logger<PlaintextWarning>(_log)), args);
}
