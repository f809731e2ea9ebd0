using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace PlayChat.Connector;

/// <summary>Makes connections to the addresses of servers.</summary>
internal static class Connecting
{
    /// <exception cref="ArgumentException">It is no address that <see cref="ConnectAsync"/> takes.</exception>
    internal static Uri Check(string address) =>
        Uri.TryCreate(address, UriKind.Absolute, out Uri? uri) && uri.Host.Length > 0
            && (uri.Scheme is "tcp" or "tls" ? uri.Port > 0 && uri.PathAndQuery is "/" or "" : uri.Scheme is "ws" or "wss")
            ? uri
            : throw new ArgumentException(
                $"'{address}' is no address of a server. Write tcp://HOST:PORT, tls://HOST:PORT, ws://HOST:PORT/PATH or wss://HOST/PATH.",
                nameof(address));

    /// <exception cref="ConnectFailedException">The server did not answer in time, or refused.</exception>
    internal static async Task<Wire> ConnectAsync(Uri address, ClientOptions options, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(options.ConnectTimeout);
        try
        {
            return await OpenAsync(address, options.Tls, patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (Wire.IsLinkFault(e) || e is AuthenticationException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var endPoint = new DnsEndPoint(address.Host, address.Port);
            string name = address.ToString().TrimEnd('/');
            string message = patience.IsCancellationRequested
                ? $"Cannot connect to {name}: no answer within {options.ConnectTimeout.TotalSeconds:0.###} seconds."
                : ConnectProblem.Describe(
                    name, e is AuthenticationException ? new IOException($"TLS failed: {e.Message}") : e.GetBaseException());
            throw new ConnectFailedException(endPoint, message, e);
        }
    }

    private static async Task<Wire> OpenAsync(Uri address, SslClientAuthenticationOptions? tls, CancellationToken patience)
    {
        var client = new TcpClient { NoDelay = true };
        Stream? stream = null;
        try
        {
            using CancellationTokenRegistration cancellation = patience.Register(client.Dispose); // not all runtimes' methods take a token
            await client.ConnectAsync(address.DnsSafeHost, address.Port).ConfigureAwait(false);
            stream = client.GetStream();
            if (address.Scheme is "tls" or "wss")
            {
                var secure = new SslStream(stream, leaveInnerStreamOpen: false);
                stream = secure;
                await secure.AuthenticateAsClientAsync(SettingsFor(address, tls), patience).ConfigureAwait(false);
            }

            return address.Scheme is "tcp" or "tls"
                ? new StreamWire(client, stream)
                : new WebSocketWire(client, await Upgrade.AskAsync(stream, address).ConfigureAwait(false));
        }
        catch
        {
            stream?.Dispose();
            client.Dispose();
            throw;
        }
    }

    /// <summary>A copy, because the next attempt may go to a server of another name.</summary>
    private static SslClientAuthenticationOptions SettingsFor(Uri address, SslClientAuthenticationOptions? tls)
    {
        tls ??= new SslClientAuthenticationOptions();
        return new SslClientAuthenticationOptions
        {
            TargetHost = tls.TargetHost ?? address.DnsSafeHost,
            AllowRenegotiation = tls.AllowRenegotiation,
            ApplicationProtocols = tls.ApplicationProtocols,
            CertificateRevocationCheckMode = tls.CertificateRevocationCheckMode,
            ClientCertificates = tls.ClientCertificates,
            EnabledSslProtocols = tls.EnabledSslProtocols,
            EncryptionPolicy = tls.EncryptionPolicy,
            LocalCertificateSelectionCallback = tls.LocalCertificateSelectionCallback,
            RemoteCertificateValidationCallback = tls.RemoteCertificateValidationCallback,
#if NET
            AllowTlsResume = tls.AllowTlsResume,
            CertificateChainPolicy = tls.CertificateChainPolicy,
            CipherSuitesPolicy = tls.CipherSuitesPolicy,
            ClientCertificateContext = tls.ClientCertificateContext,
#endif
        };
    }
}
