using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Operations;

/// <summary>The certificate of the operations endpoint. Thread-safe; a reload replaces it for later handshakes.</summary>
internal sealed class OperationsCertificate(OperationsSettings settings)
{
    private volatile X509Certificate2? _current;

    /// <summary>The certificate; read when it is first needed.</summary>
    /// <exception cref="StartException">The files hold no usable certificate.</exception>
    public X509Certificate2 Current => _current ??= Read();

    /// <summary>Reads the files again.</summary>
    /// <exception cref="StartException">The files hold no usable certificate; the endpoint keeps the one it has.</exception>
    public Task ReloadAsync()
    {
        _current = Read();
        return Task.CompletedTask;
    }

    private X509Certificate2 Read()
    {
        string? password = settings.CertificatePassword.Length == 0 ? null : settings.CertificatePassword;
        string? key = settings.KeyPath.Length == 0 ? null : settings.KeyPath;
        try
        {
            if (Path.GetExtension(settings.CertificatePath).ToUpperInvariant() is ".PFX" or ".P12")
            {
                return new X509Certificate2(settings.CertificatePath, password);
            }

            using X509Certificate2 pem = password is null
                ? X509Certificate2.CreateFromPemFile(settings.CertificatePath, key)
                : X509Certificate2.CreateFromEncryptedPemFile(settings.CertificatePath, password, key);
            // SChannel takes no keys that exist in memory alone; through PFX every platform does.
            return new X509Certificate2(pem.Export(X509ContentType.Pfx));
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new StartException($"Operations:CertificatePath is '{settings.CertificatePath}'; reading it failed: {e.Message}", e);
        }
    }
}
