using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Files;

namespace PlayChat.Chat.Operations;

/// <summary>The certificate of the operations endpoint, with its chain. Thread-safe; a reload replaces it for later handshakes.</summary>
internal sealed class OperationsCertificate(OperationsSettings settings)
{
    /// <summary>The name of the certificate in the log.</summary>
    public const string Name = "operations certificate";

    // As the default of the chat endpoints, PlayChat:Endpoints:0:Tls:CertificateCheckInterval.
    private static readonly TimeSpan s_checkInterval = TimeSpan.FromMinutes(1);

    private readonly object _gate = new(); // one reload at a time
    private volatile SslStreamCertificateContext? _current;
    private string _stamp = ""; // of the files, before they were read last; guarded by _gate

    /// <summary>The certificate and its chain; read when they are first needed.</summary>
    /// <exception cref="StartException">The files hold no usable certificate.</exception>
    public SslStreamCertificateContext Current
    {
        get
        {
            if (_current is null)
            {
                Reload();
            }

            return _current!;
        }
    }

    /// <summary>Reads the files, and keeps what it has.</summary>
    /// <exception cref="StartException">The files hold no usable certificate.</exception>
    public void Check() => Read();

    /// <summary>Reads the files again.</summary>
    /// <exception cref="StartException">The files hold no usable certificate; the endpoint keeps the one it has.</exception>
    public Task ReloadAsync()
    {
        Reload();
        return Task.CompletedTask;
    }

    /// <summary>Looks every minute whether the files have changed, and reads them then.</summary>
    /// <returns>Ends the watch when it is disposed.</returns>
    public ITimer Watch(TimeProvider time, ILogger logger) =>
        time.CreateTimer(_ => ReloadIfChanged(logger), null, s_checkInterval, s_checkInterval);

    private void ReloadIfChanged(ILogger logger)
    {
        try
        {
            lock (_gate)
            {
                if (Stamp() == _stamp)
                {
                    return;
                }

                Reload();
            }

            ServerLog.PartReloaded(logger, Name);
        }
        catch (StartException e)
        {
            ServerLog.PartNotReloaded(logger, Name, e.Message);
        }
    }

    private void Reload()
    {
        lock (_gate)
        {
            _stamp = Stamp(); // a failed reload is not repeated until a file changes again
            _current = Read();
        }
    }

    private string Stamp() =>
        FileStamp.Of(new[] { settings.CertificatePath, settings.KeyPath }.Where(static file => file.Length > 0));

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
