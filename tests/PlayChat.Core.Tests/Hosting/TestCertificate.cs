using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A self-signed certificate for localhost.</summary>
internal static class TestCertificate
{
    internal static SslClientAuthenticationOptions TrustAny { get; } = new()
    {
        TargetHost = "localhost",
        RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate?.Subject == "CN=localhost",
    };

    internal static X509Certificate2 Create()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
