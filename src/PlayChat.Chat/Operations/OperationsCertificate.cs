using System.Net.Security;
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
        var files = new CertificateOptions
        {
            CertificatePath = settings.CertificatePath,
            KeyPath = settings.KeyPath,
            Password = settings.CertificatePassword,
        };
        try
        {
            return CertificateFile.Read(files, "Operations");
        }
        catch (OptionsException e)
        {
            throw new StartException(e.Message, e);
        }
    }
}
