using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Options;

namespace PlayChat.Core.Hosting;

/// <summary>TLS of one endpoint. Set before start.</summary>
public sealed class TlsOptions
{
    /// <summary>A PFX file, or a PEM file with the certificate and its chain; <see langword="null"/> or empty for no TLS.</summary>
    [Option("PFX file, or PEM file with the certificate and its chain.", Allowed = "a file, or empty for no TLS")]
    public string? CertificatePath { get; set; }

    /// <summary>The PEM file with the private key, where it is not in <see cref="CertificatePath"/> itself.</summary>
    [Option("PEM file with the private key, where it is not in the certificate's file.", Allowed = "a file, or empty")]
    public string? KeyPath { get; set; }

    /// <summary>The password of the PFX file or of the encrypted key.</summary>
    [Option("Password of the PFX file or of the encrypted key.", Allowed = "text, or empty for none")]
    public string? Password { get; set; }

    /// <summary>A certificate with its private key, instead of the files. Not disposed by the server.</summary>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>How long a handshake may take before the link is closed.</summary>
    [Option(
        "How long a TLS handshake may take.",
        Min = "00:00:00.1",
        Max = "00:05:00",
        WhenReached = "The link is closed.",
        SeenIn = "the log, `playchat.connections.closed` with `TlsFailed`")]
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The number of handshakes that may run at once on this endpoint; one more link is aborted.</summary>
    [Option(
        "Number of TLS handshakes that may run at once on an endpoint.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The next link is aborted.",
        SeenIn = "the log")]
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

        foreach (string problem in OptionRule.FindProblems(this, path + ":"))
        {
            yield return problem;
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
