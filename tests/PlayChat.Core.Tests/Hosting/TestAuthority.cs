using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A certificate authority of a test. Its keys are elliptic, because those are made in a moment.</summary>
internal sealed class TestAuthority : IDisposable
{
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly List<X509Certificate2> _issued = [];

    internal TestAuthority(string name)
    {
        var request = new CertificateRequest("CN=" + name, _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, critical: true));
        Root = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    internal X509Certificate2 Root { get; }

    public void Dispose()
    {
        _issued.ForEach(static certificate => certificate.Dispose());
        Root.Dispose();
        _key.Dispose();
    }

    /// <summary>Makes a certificate with its key.</summary>
    /// <param name="name">Its common name.</param>
    /// <param name="hosts">The host names it is for.</param>
    internal X509Certificate2 Issue(string name, params string[] hosts)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256);
        if (hosts.Length > 0)
        {
            var names = new SubjectAlternativeNameBuilder();
            Array.ForEach(hosts, names.AddDnsName);
            request.CertificateExtensions.Add(names.Build());
        }

        using X509Certificate2 signed = request.Create(
            Root, new DateTimeOffset(Root.NotBefore), new DateTimeOffset(Root.NotAfter), RandomNumberGenerator.GetBytes(8));
        using X509Certificate2 withKey = signed.CopyWithPrivateKey(key);
        // Through PFX, because SChannel takes no keys that exist in memory alone.
        var issued = new X509Certificate2(withKey.Export(X509ContentType.Pfx));
        _issued.Add(issued);
        return issued;
    }

    /// <summary>A certificate and its key in one PEM text.</summary>
    internal static string ToPem(X509Certificate2 certificate)
    {
        using ECDsa key = certificate.GetECDsaPrivateKey()!;
        return certificate.ExportCertificatePem() + "\n" + key.ExportPkcs8PrivateKeyPem() + "\n";
    }
}
