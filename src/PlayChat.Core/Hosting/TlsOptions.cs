using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Core.Hosting;

/// <summary>TLS of one endpoint. Set before start.</summary>
public sealed class TlsOptions
{
    /// <summary>A PFX file, or a PEM file with the certificate and its chain. Default none: no TLS.</summary>
    public string? CertificatePath { get; set; }

    /// <summary>The PEM file with the private key, where it is not in <see cref="CertificatePath"/> itself.</summary>
    public string? KeyPath { get; set; }

    /// <summary>The password of the PFX file or of the encrypted key. Default none.</summary>
    public string? Password { get; set; }

    /// <summary>A certificate with its private key, instead of the files. Not disposed by the server.</summary>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>How long a handshake may take, 100 ms to 5 minutes. Default 10 seconds; then the link is closed.</summary>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Handshakes that may be under way at once on this endpoint, 1 to 1,000,000. Default 1,000; one more link is aborted.</summary>
    public int MaxHandshakes { get; set; } = 1000;

    internal bool IsEnabled => Certificate is not null || !string.IsNullOrEmpty(CertificatePath);

    internal IEnumerable<string> Validate(string path)
    {
        if (!string.IsNullOrEmpty(CertificatePath) && !File.Exists(CertificatePath))
        {
            yield return $"{path}:{nameof(CertificatePath)} is '{CertificatePath}'; there is no such file.";
        }

        if (!string.IsNullOrEmpty(KeyPath) && !File.Exists(KeyPath))
        {
            yield return $"{path}:{nameof(KeyPath)} is '{KeyPath}'; there is no such file.";
        }

        if (Certificate is { HasPrivateKey: false })
        {
            yield return $"{path}:{nameof(Certificate)} has no private key.";
        }

        if (HandshakeTimeout < TimeSpan.FromMilliseconds(100) || HandshakeTimeout > TimeSpan.FromMinutes(5))
        {
            yield return $"{path}:{nameof(HandshakeTimeout)} is {HandshakeTimeout}; allowed is 00:00:00.1 to 00:05:00.";
        }

        if (MaxHandshakes is < 1 or > 1_000_000)
        {
            yield return $"{path}:{nameof(MaxHandshakes)} is {MaxHandshakes}; allowed is 1 to 1000000.";
        }
    }

    /// <summary>Reads the certificate.</summary>
    /// <exception cref="OptionsException">The files do not hold what they should.</exception>
    internal SslServerAuthenticationOptions CreateServerOptions(string path)
    {
        try
        {
            X509Certificate2Collection chain = [];
            X509Certificate2 certificate = Certificate ?? Load(chain);
            return new SslServerAuthenticationOptions
            {
                // The context is made once: building the chain for every handshake would cost more than the handshake.
                ServerCertificateContext = SslStreamCertificateContext.Create(certificate, chain, offline: true),
            };
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new OptionsException([$"{path}:{nameof(CertificatePath)} is '{CertificatePath}'; it cannot be read: {e.Message}"], e);
        }
    }

    private X509Certificate2 Load(X509Certificate2Collection chain)
    {
        // The configuration says "none" as an empty text, which the loaders would take for a file's name or a password.
        string path = CertificatePath!;
        string? keyPath = string.IsNullOrEmpty(KeyPath) ? null : KeyPath;
        string? password = string.IsNullOrEmpty(Password) ? null : Password;
        string extension = Path.GetExtension(path);
        if (extension.Equals(".pfx", StringComparison.OrdinalIgnoreCase) || extension.Equals(".p12", StringComparison.OrdinalIgnoreCase))
        {
            chain.Import(path, password, X509KeyStorageFlags.DefaultKeySet);
            X509Certificate2 own = chain.FirstOrDefault(static certificate => certificate.HasPrivateKey)
                ?? throw new CryptographicException("It holds no certificate with a private key.");
            chain.Remove(own);
            return own;
        }

        using X509Certificate2 pem = password is null
            ? X509Certificate2.CreateFromPemFile(path, keyPath)
            : X509Certificate2.CreateFromEncryptedPemFile(path, password, keyPath);
        chain.ImportFromPemFile(path);
        chain.RemoveAt(0); // the server's own comes first
        // SChannel takes no keys that exist in memory alone; through PFX every platform does.
        return new X509Certificate2(pem.Export(X509ContentType.Pfx));
    }
}
