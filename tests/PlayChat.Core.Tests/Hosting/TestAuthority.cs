using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A certificate authority of a test, made when it is first used. Its keys are elliptic, because those are made in a
/// moment.</summary>
internal sealed class TestAuthority(string name) : IDisposable
{
    private readonly List<X509Certificate2> _issued = [];
    private X509Certificate2? _root;

    internal X509Certificate2 Root => _root ??= CreateRoot();

    public void Dispose()
    {
        _issued.ForEach(static certificate => certificate.Dispose());
        _root?.Dispose();
    }

    /// <summary>Makes a certificate with its key.</summary>
    /// <param name="subject">Its common name.</param>
    /// <param name="hosts">The host names it is for.</param>
    internal X509Certificate2 Issue(string subject, params string[] hosts)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=" + subject, key, HashAlgorithmName.SHA256);
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

    private X509Certificate2 CreateRoot()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, critical: true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
