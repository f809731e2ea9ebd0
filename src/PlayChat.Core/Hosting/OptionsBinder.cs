using Microsoft.Extensions.Configuration;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>Reads the settings from a configuration, without reflection: what binds is generated, so it works in trimmed and native
/// programs.</summary>
/// <remarks>Endpoints are read here, key by key: a certificate in memory is not for the binder.</remarks>
internal static class OptionsBinder
{
    /// <exception cref="OptionsException">There is no such key, or a value is not of its kind.</exception>
    internal static void Bind(IConfiguration section, PlayChatOptions options)
    {
        if (OptionKeys.FindProblems(section) is { Count: > 0 } problems)
        {
            throw new OptionsException(problems);
        }

        try
        {
            section.GetSection(nameof(options.Transport)).Bind(options.Transport);
            section.GetSection(nameof(options.Connections)).Bind(options.Connections);
            section.GetSection(nameof(options.Sessions)).Bind(options.Sessions);
            section.GetSection(nameof(options.Rooms)).Bind(options.Rooms);
            options.StopTimeout = section.GetValue(nameof(options.StopTimeout), options.StopTimeout);
            foreach (IConfigurationSection child in section.GetSection(nameof(options.Endpoints)).GetChildren())
            {
                var endpoint = new EndpointOptions();
                endpoint.Address = child[nameof(endpoint.Address)] ?? endpoint.Address;
                Bind(child.GetSection(nameof(endpoint.Tls)), endpoint.Tls);
                child.GetSection(nameof(endpoint.ProxyProtocol)).Bind(endpoint.ProxyProtocol);
                Bind(child.GetSection(nameof(endpoint.WebSocket)), endpoint.WebSocket);
                options.Endpoints.Add(endpoint);
            }
        }
        catch (InvalidOperationException e)
        {
            // The binder names the key and the value; what is inside names the reason.
            throw new OptionsException([$"{e.Message} {e.InnerException?.Message}".TrimEnd()], e);
        }
    }

    private static void Bind(IConfigurationSection section, WebSocketOptions webSocket)
    {
        webSocket.Enabled = section.GetValue(nameof(webSocket.Enabled), webSocket.Enabled);
        webSocket.Path = section[nameof(webSocket.Path)] ?? webSocket.Path;
        webSocket.AllowedOrigins = section[nameof(webSocket.AllowedOrigins)] ?? webSocket.AllowedOrigins;
        webSocket.AllowedHosts = section[nameof(webSocket.AllowedHosts)] ?? webSocket.AllowedHosts;
        webSocket.TrustedProxies = section[nameof(webSocket.TrustedProxies)] ?? webSocket.TrustedProxies;
        webSocket.MaxMessageBytes = section.GetValue(nameof(webSocket.MaxMessageBytes), webSocket.MaxMessageBytes);
    }

    private static void Bind(IConfigurationSection section, TlsOptions tls)
    {
        tls.CertificatePath = section[nameof(tls.CertificatePath)];
        tls.KeyPath = section[nameof(tls.KeyPath)];
        tls.Password = section[nameof(tls.Password)];
        tls.HandshakeTimeout = section.GetValue(nameof(tls.HandshakeTimeout), tls.HandshakeTimeout);
        foreach (IConfigurationSection child in section.GetSection(nameof(tls.Certificates)).GetChildren())
        {
            tls.Certificates.Add(new CertificateOptions
            {
                CertificatePath = child[nameof(CertificateOptions.CertificatePath)],
                KeyPath = child[nameof(CertificateOptions.KeyPath)],
                Password = child[nameof(CertificateOptions.Password)],
            });
        }

        tls.CertificateCheckInterval = section.GetValue(nameof(tls.CertificateCheckInterval), tls.CertificateCheckInterval);
        tls.ClientCertificates = section.GetValue(nameof(tls.ClientCertificates), tls.ClientCertificates);
        tls.ClientAuthoritiesPath = section[nameof(tls.ClientAuthoritiesPath)];
        tls.MaxHandshakes = section.GetValue(nameof(tls.MaxHandshakes), tls.MaxHandshakes);
        tls.MaxHandshakesPerAddress = section.GetValue(nameof(tls.MaxHandshakesPerAddress), tls.MaxHandshakesPerAddress);
    }
}
