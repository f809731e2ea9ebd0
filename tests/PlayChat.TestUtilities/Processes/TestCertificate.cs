using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A certificate for "localhost" that a server under test shows, and that its clients know by its thumbprint.</summary>
public sealed class TestCertificate : IDisposable
{
    private const string Endpoint = "--PlayChat:Endpoints:0:Tls:";
    private const string Password = "비밀번호";

    private readonly TemporaryDirectory _folder = new();
    private readonly X509Certificate2 _certificate = Create();

    /// <summary>The certificate with its key, for a server in this process.</summary>
    public X509Certificate2 Own => _certificate;

    /// <summary>Writes it as PEM files.</summary>
    /// <returns>The options of a server that shows it.</returns>
    public string[] WritePem()
    {
        WritePem(_folder);
        return [$"{Endpoint}CertificatePath={_folder.Combine("server.pem")}", $"{Endpoint}KeyPath={_folder.Combine("server.key")}"];
    }

    /// <summary>Writes it over the PEM files of another one, as a renewal does.</summary>
    public void ReplacePem(TestCertificate earlier)
    {
        ArgumentNullException.ThrowIfNull(earlier);
        WritePem(earlier._folder);
    }

    /// <summary>Writes it as a PFX file with a password.</summary>
    /// <returns>The options of a server that shows it.</returns>
    public string[] WritePfx()
    {
        File.WriteAllBytes(_folder.Combine("server.pfx"), _certificate.Export(X509ContentType.Pfx, Password));
        return [$"{Endpoint}CertificatePath={_folder.Combine("server.pfx")}", $"{Endpoint}Password={Password}"];
    }

    /// <summary>Tells a client whether the server has shown this certificate.</summary>
    public bool IsMine(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors) =>
        certificate is X509Certificate2 shown && shown.Thumbprint == _certificate.Thumbprint;

    /// <inheritdoc/>
    public void Dispose()
    {
        _certificate.Dispose();
        _folder.Dispose();
    }

    private void WritePem(TemporaryDirectory folder)
    {
        using RSA key = _certificate.GetRSAPrivateKey()!;
        File.WriteAllText(folder.Combine("server.pem"), _certificate.ExportCertificatePem());
        File.WriteAllText(folder.Combine("server.key"), key.ExportPkcs8PrivateKeyPem());
    }

    private static X509Certificate2 Create()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
