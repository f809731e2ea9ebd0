using System.Collections.Frozen;
using System.Net.Security;

namespace PlayChat.Core.Hosting;

/// <summary>The certificates of a TLS endpoint as they were read at one moment, and the choice among them. Immutable.</summary>
/// <remarks>
/// A client names the host that it wants (SNI). It gets the certificate that has this name, or else one with a wildcard for it
/// (<c>*.example.org</c> stands for one label), or else the endpoint's main certificate.
/// </remarks>
internal sealed class CertificateSet
{
    private static readonly ServerOptionsSelectionCallback s_select =
        static (_, hello, set, _) => new ValueTask<SslServerAuthenticationOptions>(((CertificateSet)set!).Find(hello.ServerName));

    private readonly SslServerAuthenticationOptions _main;
    private readonly FrozenDictionary<string, SslServerAuthenticationOptions> _byName;

    private CertificateSet(
        SslServerAuthenticationOptions main, Dictionary<string, SslServerAuthenticationOptions> byName, DateTime earliestEnd)
    {
        _main = main;
        _byName = byName.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
        EarliestEnd = earliestEnd;
    }

    /// <summary>When the first of the certificates expires, in local time.</summary>
    internal DateTime EarliestEnd { get; }

    /// <summary>Reads all certificates of an endpoint.</summary>
    /// <exception cref="OptionsException">A file does not hold what it should.</exception>
    internal static CertificateSet Read(TlsOptions tls, string path)
    {
        X509ChainPolicy? clients = tls.ClientCertificates == ClientCertificateMode.None ? null : Trust(CertificateFile.ReadAuthorities(
            tls.ClientAuthoritiesPath!, $"{path}:{nameof(tls.ClientAuthoritiesPath)}"));
        Dictionary<string, SslServerAuthenticationOptions> byName = new(StringComparer.OrdinalIgnoreCase);
        SslStreamCertificateContext context = CertificateFile.Read(tls, path);
        DateTime earliestEnd = context.TargetCertificate.NotAfter;
        SslServerAuthenticationOptions main = Options(context, tls.ClientCertificates, clients);
        for (int i = 0; i < tls.Certificates.Count; i++)
        {
            if (!tls.Certificates[i].IsSet)
            {
                continue; // the settings file has an empty entry as a pattern
            }

            context = CertificateFile.Read(tls.Certificates[i], $"{path}:{nameof(tls.Certificates)}:{i}");
            earliestEnd = context.TargetCertificate.NotAfter < earliestEnd ? context.TargetCertificate.NotAfter : earliestEnd;
            Name(context.TargetCertificate, Options(context, tls.ClientCertificates, clients), byName);
        }

        if (byName.Count > 0)
        {
            Name(main.ServerCertificateContext!.TargetCertificate, main, byName);
        }

        return new CertificateSet(main, byName, earliestEnd);
    }

    /// <summary>Performs the server's side of a handshake.</summary>
    internal Task AuthenticateAsync(SslStream stream, CancellationToken cancellationToken) =>
        _byName.Count == 0
            ? stream.AuthenticateAsServerAsync(_main, cancellationToken)
            : stream.AuthenticateAsServerAsync(s_select, this, cancellationToken);

    private SslServerAuthenticationOptions Find(string host)
    {
        if (_byName.TryGetValue(host, out SslServerAuthenticationOptions? own))
        {
            return own;
        }

        int dot = host.IndexOf('.', StringComparison.Ordinal);
        return dot > 0 && _byName.TryGetValue("*" + host[dot..], out SslServerAuthenticationOptions? wildcard) ? wildcard : _main;
    }

    // Of two certificates with the same name the first in the configuration counts.
    private static void Name(
        X509Certificate2 certificate, SslServerAuthenticationOptions options, Dictionary<string, SslServerAuthenticationOptions> byName)
    {
        foreach (string name in certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>()
            .SelectMany(static names => names.EnumerateDnsNames()))
        {
            byName.TryAdd(name, options);
        }
    }

    private static X509ChainPolicy Trust(X509Certificate2Collection authorities)
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true, // a client must not make the server fetch from an address of its choice
        };
        policy.CustomTrustStore.AddRange(authorities);
        return policy;
    }

    private static SslServerAuthenticationOptions Options(
        SslStreamCertificateContext certificate, ClientCertificateMode mode, X509ChainPolicy? clients)
    {
        var options = new SslServerAuthenticationOptions { ServerCertificateContext = certificate };
        if (clients is not null)
        {
            options.ClientCertificateRequired = true; // asks for one; the callback decides about a client that has none
            options.CertificateChainPolicy = clients;
            options.RemoteCertificateValidationCallback = (_, shown, _, errors) =>
                shown is null ? mode == ClientCertificateMode.Allow : errors == SslPolicyErrors.None;
            // A resumed session carries the client's certificate without its chain, which could then not be checked.
            options.AllowTlsResume = false;
        }

        return options;
    }
}
