using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A self-signed certificate for localhost. Its key is elliptic, because that is made in a moment.</summary>
internal static class TestCertificate
{
    internal static SslClientAuthenticationOptions TrustAny { get; } = new()
    {
        TargetHost = "localhost",
        RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate?.Subject == "CN=localhost",
    };

    internal static X509Certificate2 Create()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
