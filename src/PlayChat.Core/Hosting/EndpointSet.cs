using PlayChat.Addresses;

namespace PlayChat.Core.Hosting;

/// <summary>The addresses of a server: binds them, accepts at them, and renews their certificates.</summary>
/// <param name="options">The addresses, and the options of their sockets.</param>
/// <param name="optionsPath">Where the options are configured, for messages.</param>
/// <param name="transport">Of the addresses that name none.</param>
/// <param name="services">What the handshakes share.</param>
/// <param name="open">Sets an accepted link up. If it throws, the endpoint still owns the link.</param>
internal sealed class EndpointSet(
    PlayChatOptions options, string optionsPath, ITransport transport, HandshakeServices services, Action<TransportConnection> open)
    : IAsyncDisposable
{
    private readonly List<Endpoint> _endpoints = [];
    private readonly List<EndPoint> _addresses = []; // of _endpoints
    private readonly List<ServerCertificates> _certificates = []; // of the endpoints with TLS

    internal IReadOnlyList<EndPoint> Addresses => _addresses;

    /// <summary>Whether handlers of some of the links run on threads of their transport.</summary>
    internal bool CompletesInline => options.Endpoints.Any(endpoint => TransportOf(endpoint).CompletesInline);

    public async ValueTask DisposeAsync()
    {
        foreach (Endpoint endpoint in _endpoints)
        {
            await endpoint.DisposeAsync().ConfigureAwait(false);
        }

        foreach (ServerCertificates certificates in _certificates)
        {
            certificates.Dispose();
        }
    }

    /// <summary>Binds all addresses. Clients that connect wait for <see cref="Accept"/>.</summary>
    internal void Bind()
    {
        for (int i = 0; i < options.Endpoints.Count; i++)
        {
            EndpointOptions endpoint = options.Endpoints[i];
            _ = ListenAddress.TryParse(endpoint.Address, out IPEndPoint? address); // valid: the options are checked
            ServerCertificates? certificates = null;
            if (endpoint.Tls.IsSet)
            {
                // Before the address is bound: an unreadable certificate must leave nothing open.
                certificates = new ServerCertificates(
                    endpoint.Tls, EndpointOptions.TlsPath(optionsPath, i), services.Time, services.Logger);
                _certificates.Add(certificates);
            }

            TransportListener listener =
                TransportOf(endpoint).Listen(endpoint.Inherited ?? (EndPoint)address!, options.Transport, services.Logger);
            Handshakes? handshakes = Handshakes.Create(endpoint, certificates, services);
            bool isProxied = endpoint.ProxyProtocol.IsEnabled;
            bool canTell = certificates is null && !endpoint.WebSocket.Enabled;
            _endpoints.Add(new Endpoint(
                listener,
                link => isProxied || handshakes?.IsForwarder(link) == true || services.Admission.TryEnter(link, canTell),
                handshakes,
                services.Time,
                services.Logger,
                open));
            _addresses.Add(_endpoints[i].EndPoint);
        }
    }

    /// <summary>Accepts clients at all bound addresses.</summary>
    internal void Accept()
    {
        foreach (Endpoint endpoint in _endpoints)
        {
            endpoint.Start();
            HostingLog.Listening(services.Logger, endpoint.EndPoint);
        }
    }

    /// <summary>Reads the certificates of all endpoints again.</summary>
    internal bool ReloadCertificates()
    {
        bool all = true;
        foreach (ServerCertificates certificates in _certificates)
        {
            all &= certificates.Reload();
        }

        return all;
    }

    private ITransport TransportOf(EndpointOptions endpoint) => endpoint.Transport ?? transport;
}
