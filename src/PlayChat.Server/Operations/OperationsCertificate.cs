using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Operations;

/// <summary>The certificate of the operations endpoint, with its chain. Thread-safe; a reload replaces it for later handshakes.</summary>
internal sealed class OperationsCertificate(OperationsSettings settings)
{
    private volatile SslStreamCertificateContext? _current;

    /// <summary>The certificate and its chain; read when they are first needed.</summary>
    /// <exception cref="StartException">The files hold no usable certificate.</exception>
    public SslStreamCertificateContext Current => _current ??= Read();

    /// <summary>Reads the files again.</summary>
    /// <exception cref="StartException">The files hold no usable certificate; the endpoint keeps the one it has.</exception>
    public Task ReloadAsync()
    {
        _current = Read();
        return Task.CompletedTask;
    }

    private SslStreamCertificateContext Read()
    {
        try
        {
            X509Certificate2Collection chain = [];
            X509Certificate2 own = Path.GetExtension(settings.CertificatePath).ToUpperInvariant() is ".PFX" or ".P12"
                ? ReadPfx(chain)
                : ReadPem(chain);
            return SslStreamCertificateContext.Create(own, chain, offline: true);
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new StartException($"Operations:CertificatePath is '{settings.CertificatePath}'; reading it failed: {e.Message}", e);
        }
    }

    private X509Certificate2 ReadPfx(X509Certificate2Collection chain)
    {
        chain.Import(settings.CertificatePath, NullIfEmpty(settings.CertificatePassword), X509KeyStorageFlags.DefaultKeySet);
        X509Certificate2 own = chain.FirstOrDefault(static certificate => certificate.HasPrivateKey)
            ?? throw new CryptographicException("It holds no certificate with a private key.");
        chain.Remove(own);
        return own;
    }

    private X509Certificate2 ReadPem(X509Certificate2Collection chain)
    {
        string? key = NullIfEmpty(settings.KeyPath);
        using X509Certificate2 pem = NullIfEmpty(settings.CertificatePassword) is { } password
            ? X509Certificate2.CreateFromEncryptedPemFile(settings.CertificatePath, password, key)
            : X509Certificate2.CreateFromPemFile(settings.CertificatePath, key);
        chain.ImportFromPemFile(settings.CertificatePath);
        chain.RemoveAt(0); // the server's own comes first
        // SChannel takes no keys that exist in memory alone; through PFX every platform does.
        return new X509Certificate2(pem.Export(X509ContentType.Pfx));
    }

    // The configuration says "none" as an empty text, which the loaders would take for a file's name or a password.
    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;
}
