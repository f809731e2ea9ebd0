using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PlayChat.Core.Hosting;

/// <summary>Reads certificates from PFX and PEM files.</summary>
/// <remarks>PlayChat.Chat compiles this file too, for its operations endpoint.</remarks>
internal static class CertificateFile
{
    /// <summary>Reads a certificate with its private key and its chain.</summary>
    /// <param name="options">Names the files, or holds the certificate.</param>
    /// <param name="path">The configuration key of the options, for the message.</param>
    /// <exception cref="OptionsException">The files do not hold what they should.</exception>
    internal static SslStreamCertificateContext Read(CertificateOptions options, string path)
    {
        try
        {
            X509Certificate2Collection chain = [];
            X509Certificate2 certificate = options.Certificate ?? Read(options, chain);
            // The context is made once: building the chain for every handshake would cost more than the handshake.
            return SslStreamCertificateContext.Create(certificate, chain, offline: true);
        }
        catch (Exception e) when (IsUnreadable(e))
        {
            throw Unreadable($"{path}:{nameof(options.CertificatePath)}", options.CertificatePath, e);
        }
    }

    /// <summary>Reads the certificates of the authorities that a PEM file holds.</summary>
    /// <exception cref="OptionsException">The file holds none.</exception>
    internal static X509Certificate2Collection ReadAuthorities(string file, string key)
    {
        try
        {
            X509Certificate2Collection authorities = [];
            authorities.ImportFromPemFile(file);
            return authorities.Count > 0 ? authorities : throw new CryptographicException("It holds no certificate in PEM form.");
        }
        catch (Exception e) when (IsUnreadable(e))
        {
            throw Unreadable(key, file, e);
        }
    }

    private static bool IsUnreadable(Exception e) =>
        e is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException;

    private static OptionsException Unreadable(string key, string? file, Exception e) =>
        new([$"{key} is '{file}'; reading it failed: {e.Message}"], e);

    private static X509Certificate2 Read(CertificateOptions options, X509Certificate2Collection chain)
    {
        // The configuration says "none" as an empty text, which the loaders would take for a file's name or a password.
        string path = options.CertificatePath!;
        string? keyPath = string.IsNullOrEmpty(options.KeyPath) ? null : options.KeyPath;
        string? password = string.IsNullOrEmpty(options.Password) ? null : options.Password;
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
