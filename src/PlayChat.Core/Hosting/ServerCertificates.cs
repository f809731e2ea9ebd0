using System.Net.Security;
using PlayChat.Files;

namespace PlayChat.Core.Hosting;

/// <summary>The certificates of one TLS endpoint. They can be replaced while the server runs.</summary>
/// <remarks>
/// A handshake uses the certificates that are current when it begins. Links that are open keep theirs. Replaced certificates are not
/// disposed, because a handshake may still use them; the garbage collector frees them. Thread-safe.
/// </remarks>
internal sealed class ServerCertificates : IDisposable
{
    private readonly TlsOptions _options;
    private readonly string _path;
    private readonly ILogger _logger;
    private readonly object _gate = new(); // one reload at a time
    private readonly ITimer? _watch;
    private CertificateSet _current;
    private string _stamp; // of the files, before they were read last; guarded by _gate

    /// <summary>Reads the certificates. Messages name the options by the path, their configuration key.</summary>
    /// <exception cref="OptionsException">A file does not hold what it should.</exception>
    internal ServerCertificates(TlsOptions options, string path, TimeProvider time, ILogger logger)
    {
        _options = options;
        _path = path;
        _logger = logger;
        _stamp = Stamp();
        _current = CertificateSet.Read(options, path);
        if (options.CertificateCheckInterval != Timeout.InfiniteTimeSpan && options.Files.Any())
        {
            _watch = time.CreateTimer(
                static certificates => ((ServerCertificates)certificates!).ReloadIfChanged(), this,
                options.CertificateCheckInterval, options.CertificateCheckInterval);
        }
    }

    public void Dispose() => _watch?.Dispose();

    internal Task AuthenticateAsync(SslStream stream, CancellationToken cancellationToken) =>
        Volatile.Read(ref _current).AuthenticateAsync(stream, cancellationToken);

    /// <summary>Reads the files again. The handshakes that begin from now on use what they hold.</summary>
    /// <returns><see langword="false"/> when a file does not hold what it should. Nothing changes then, and the log says why.</returns>
    internal bool Reload()
    {
        lock (_gate)
        {
            return Reload(Stamp());
        }
    }

    private void ReloadIfChanged()
    {
        lock (_gate)
        {
            string stamp = Stamp();
            if (stamp != _stamp)
            {
                Reload(stamp);
            }
        }
    }

    private bool Reload(string stamp)
    {
        _stamp = stamp; // a failed reload is not repeated until a file changes again
        try
        {
            var read = CertificateSet.Read(_options, _path);
            Volatile.Write(ref _current, read);
            HostingLog.CertificatesReloaded(_logger, _path, read.EarliestEnd);
            return true;
        }
        catch (OptionsException e)
        {
            HostingLog.CertificatesNotReloaded(_logger, e, e.Message);
            return false;
        }
    }

    private string Stamp() => FileStamp.Of(_options.Files);
}
