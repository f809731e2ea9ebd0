using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.TestUtilities;

/// <summary>
/// A root, an intermediate that it signed, and a certificate for localhost that the intermediate signed. The keys are elliptic, because
/// those are made in a moment.
/// </summary>
public sealed class TestCertificateChain : IDisposable
{
    private readonly ECDsa _leafKey = CreateKey();

    /// <summary>Makes all three, valid for a day.</summary>
    public TestCertificateChain()
    {
        using ECDsa rootKey = CreateKey();
        using ECDsa intermediateKey = CreateKey();
        CertificateRequest root = Request("CN=PlayChat test root", rootKey, isAuthority: true);
        Root = root.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        Intermediate = Sign(Request("CN=PlayChat test intermediate", intermediateKey, isAuthority: true), Root);
        using X509Certificate2 issuer = Intermediate.CopyWithPrivateKey(intermediateKey);
        Leaf = Sign(Request("CN=localhost", _leafKey, isAuthority: false), issuer);
    }

    /// <summary>The authority that a client trusts.</summary>
    public X509Certificate2 Root { get; }

    /// <summary>Without its key.</summary>
    public X509Certificate2 Intermediate { get; }

    /// <summary>Without its key.</summary>
    public X509Certificate2 Leaf { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        Root.Dispose();
        Intermediate.Dispose();
        Leaf.Dispose();
        _leafKey.Dispose();
    }

    /// <summary>Leaf, intermediate and the leaf's key, as certificate authorities hand them out.</summary>
    public string ExportPem() =>
        string.Join('\n', Leaf.ExportCertificatePem(), Intermediate.ExportCertificatePem(), _leafKey.ExportPkcs8PrivateKeyPem());

    /// <summary>The same as a PFX file.</summary>
    public byte[] ExportPfx(string password)
    {
        using X509Certificate2 own = Leaf.CopyWithPrivateKey(_leafKey);
        X509Certificate2Collection file = [Intermediate, own];
        return file.Export(X509ContentType.Pfx, password)!;
    }

    private static ECDsa CreateKey() => ECDsa.Create(ECCurve.NamedCurves.nistP256);

    private static CertificateRequest Request(string subject, ECDsa key, bool isAuthority)
    {
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(isAuthority, hasPathLengthConstraint: false, pathLengthConstraint: 0, critical: true));
        if (!isAuthority)
        {
            var names = new SubjectAlternativeNameBuilder();
            names.AddDnsName("localhost");
            request.CertificateExtensions.Add(names.Build());
        }

        return request;
    }

    private static X509Certificate2 Sign(CertificateRequest request, X509Certificate2 issuer) =>
        request.Create(
            issuer, new DateTimeOffset(issuer.NotBefore), new DateTimeOffset(issuer.NotAfter), RandomNumberGenerator.GetBytes(8));
}
