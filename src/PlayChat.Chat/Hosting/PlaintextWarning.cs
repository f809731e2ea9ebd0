using PlayChat.Chat.Web;

namespace PlayChat.Chat.Hosting;

/// <summary>Warns at start about each endpoint whose clients send their passwords over a network in plain text.</summary>
/// <remarks>
/// An endpoint with the PROXY protocol takes connections from the named proxies alone, so its clients do not send to it directly.
/// </remarks>
internal sealed class PlaintextWarning(PlayChatServer server, WebEndpoint web, ILogger<PlaintextWarning> logger) : IHostedService
{
    // Registered after the server, so that port 0 has become a port.
    public Task StartAsync(CancellationToken cancellationToken)
    {
        for (int i = 0; i < server.EndPoints.Count; i++)
        {
            if (IsOpen(server.EndPoints[i], server.Options.Endpoints[i]))
            {
                // The port for browsers has the TLS of the first endpoint, and proxies of its own.
                bool isWeb = web.Is(server.Options.Endpoints[i]);
                ServerLog.PlaintextEndpoint(
                    logger,
                    server.EndPoints[i],
                    $"PlayChat:Endpoints:{(isWeb ? 0 : i)}:Tls:CertificatePath",
                    $"{(isWeb ? "Web" : $"PlayChat:Endpoints:{i}")}:ProxyProtocol:TrustedSources");
            }
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private static bool IsOpen(EndPoint bound, EndpointOptions endpoint) =>
        bound is IPEndPoint { Address: var address }
        && !IPAddress.IsLoopback(address)
        && !WebEndpoint.HasCertificate(endpoint)
        && string.IsNullOrWhiteSpace(endpoint.ProxyProtocol.TrustedSources);
}
