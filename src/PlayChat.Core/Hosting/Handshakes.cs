using PlayChat.Addresses;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>
/// What accepted links of one endpoint pass before they become connections: a proxy's header, the TLS handshake and the upgrade to
/// WebSocket, as far as the endpoint has them.
/// </summary>
/// <remarks>
/// <see cref="HandshakeSlots"/> shares the handshakes under way among the networks. A link waits for its first byte without TLS state, so
/// that a silent link costs little. A link that is refused is closed and counted, and logged within bounds. Thread-safe.
/// </remarks>
internal sealed class Handshakes
{
    private readonly EndpointOptions _options;
    private readonly ServerCertificates? _certificates; // null without TLS
    private readonly IReadOnlyList<IPNetwork> _proxies; // empty without the PROXY protocol
    private readonly IReadOnlyList<IPNetwork> _forwarders = []; // proxies whose HTTP requests name the client
    private readonly HandshakeServices _services;
    private readonly HandshakeSlots _slots;
    private readonly HandshakeDeadlines _deadlines;
    private readonly WebSocketAcceptor? _webSockets; // null without WebSocket
    private readonly Action<Handshake> _run;

    private Handshakes(
        EndpointOptions options, ServerCertificates? certificates, IReadOnlyList<IPNetwork> proxies, HandshakeServices services)
    {
        _run = handshake => _ = RunAsync(handshake);
        _options = options;
        _certificates = certificates;
        _proxies = proxies;
        _services = services;
        _slots = new HandshakeSlots(options.Tls, services.Limits);
        _deadlines = new HandshakeDeadlines(services.Time);
        if (options.WebSocket.Enabled)
        {
            _ = options.WebSocket.TryGetProxies(out _forwarders, out _);
            _webSockets = new WebSocketAcceptor(
                new WebSocketUpgrade(
                    options.WebSocket,
                    services.Subprotocols,
                    // A browser sends no PROXY header, so no page reaches an endpoint that asks for one.
                    !IsProxied
                        && ListenAddress.TryParse(options.Address, out IPEndPoint? address)
                        && IPAddress.IsLoopback(address.Address)),
                options.WebSocket.MaxMessageBytes,
                services.PacketJson,
                _forwarders,
                services.OnAnswered);
            WebSocketUpgrade.Prepare();
        }
    }

    /// <summary>Called with each link that has passed, and owns it then. Set before the first link begins.</summary>
    internal Action<TransportConnection> Passed { get; set; } = static link => link.Dispose();

    private bool IsProxied => _proxies.Count > 0;

    // Whether a link is only told why it is refused when it is a connection.
    private bool HasHandshake => _certificates is not null || _webSockets is not null;

    /// <summary>Makes the handshakes of an endpoint.</summary>
    /// <param name="options">The endpoint's options, which were checked.</param>
    /// <param name="certificates"><see langword="null"/> without TLS.</param>
    /// <param name="services">What the endpoints share.</param>
    /// <returns><see langword="null"/> when links of the endpoint have nothing to pass.</returns>
    internal static Handshakes? Create(EndpointOptions options, ServerCertificates? certificates, HandshakeServices services)
    {
        _ = options.ProxyProtocol.TryGetSources(out IReadOnlyList<IPNetwork> proxies, out _);
        return certificates is null && proxies.Count == 0 && !options.WebSocket.Enabled
            ? null
            : new Handshakes(options, certificates, proxies, services);
    }

    /// <summary>Takes an accepted link through what comes before it is a connection. Never faults.</summary>
    /// <param name="link">Owned by this object; closed when it is refused.</param>
    internal void Begin(TransportConnection link)
    {
        if (TryTakeSlot(link) is not { } handshake)
        {
            return;
        }

        if (!IsProxied)
        {
            handshake.Deadline = _deadlines.Start(link, _options.Tls.HandshakeTimeout);
            if (link.TryWaitForData(handshake) == true)
            {
                return;
            }
        }

        LocalWork.QueueToPool(handshake); // not even the first bytes delay the accept loop
    }

    /// <summary>Whether a link is one of a proxy whose HTTP request will name the client.</summary>
    internal bool IsForwarder(TransportConnection link) =>
        _forwarders.Count > 0 && TrustedNetworks.Contain(_forwarders, link.RemoteEndPoint);

    private Handshake? TryTakeSlot(TransportConnection link)
    {
        bool isOfProxy = IsProxied || IsForwarder(link);
        if (IsProxied && !TrustedNetworks.Contain(_proxies, link.RemoteEndPoint))
        {
            Refuse(link, link.RemoteEndPoint, CloseReason.ProtocolViolation, Counter.ProxyLinksRefused);
            return null;
        }

        if (isOfProxy && !_services.Admission.HasRoomFor(_slots.Count + 1))
        {
            Refuse(link, link.RemoteEndPoint, CloseReason.ServerFull, Counter.ProxyLinksRefused);
            return null;
        }

        // The address of the proxy must not bound its clients.
        var handshake = new Handshake(link, isOfProxy ? null : link.Network) { Run = _run };
        CloseReason refusal = _slots.Take(handshake, out Handshake? displaced);
        if (refusal != CloseReason.None)
        {
            Refuse(link, link.RemoteEndPoint, refusal, Counter.HandshakesRefused);
            return null;
        }

        if (displaced is not null)
        {
            Count(displaced.Link.RemoteEndPoint, CloseReason.AddressFull, Counter.HandshakesRefused);
            displaced.Link.Abort(); // its own task frees it
        }

        return handshake;
    }

    /// <summary>Runs a handshake that has begun. Never faults.</summary>
    // One method for all steps that may wait for the peer, because each asynchronous method costs a waiting link an object. It costs none
    // where the peer's bytes are there already.
    private async Task RunAsync(Handshake handshake)
    {
        TransportConnection? link = handshake.Link;
        try
        {
            if (IsProxied)
            {
                link = await ReadHeaderAsync(handshake).ConfigureAwait(false);
            }

            if (link is not null && HasHandshake)
            {
                using HandshakeDeadline deadline = handshake.Deadline ?? _deadlines.Start(link, _options.Tls.HandshakeTimeout);
                await link.WaitForDataAsync().ConfigureAwait(false);
                handshake.HasSpoken = true;
                if (_certificates is { } certificates)
                {
                    link = await EncryptAsync(handshake, link, certificates, deadline).ConfigureAwait(false);
                }

                if (link is not null && _webSockets is { } webSockets)
                {
                    TransportConnection accepted = link;
                    (TransportConnection? upgraded, bool wasAnswered) = await webSockets.AcceptAsync(
                        link, IsForwarder(link) ? AdmitterOf(handshake) : null).ConfigureAwait(false);
                    link = upgraded;
                    if (upgraded is null && !wasAnswered && deadline.HasPassed && !handshake.IsDisplaced)
                    {
                        _services.OnAnswered(accepted.RemoteEndPoint, WebSocketAcceptor.TookTooLong);
                    }
                }
            }

            if (link is not null)
            {
                _slots.Release(handshake); // first: what the server does with the link takes no slot
                Passed(link);
            }
        }
        catch (Exception e)
        {
            // A fault of a transport, or of PlayChat: it costs this link alone.
            HostingLog.OpenFault(_services.Logger, e, handshake.Link.RemoteEndPoint);
            TransportConnection failed = handshake.Admitted ?? handshake.Link;
            failed.Abort();
            failed.Dispose();
        }
        finally
        {
            _slots.Release(handshake);
        }
    }

    /// <summary>Ends the handshakes under way and those that still begin: the server stops.</summary>
    internal void Stop() => _deadlines.Stop();

    private async Task<TransportConnection?> ReadHeaderAsync(Handshake handshake)
    {
        TransportConnection proxied = handshake.Link;
        EndPoint? proxy = proxied.RemoteEndPoint;
        TransportConnection? link;
        using (_deadlines.Start(proxied, _options.ProxyProtocol.HeaderTimeout))
        {
            link = await ProxiedConnection.AcceptAsync(proxied).ConfigureAwait(false);
        }

        if (link is null)
        {
            Refuse(proxied, proxy, CloseReason.ProtocolViolation, Counter.ProxyLinksRefused);
            return null;
        }

        // A header may name another proxy, whose request then names the client.
        return IsForwarder(link) || TryAdmit(handshake, link) ? link : null;
    }

    // Apart: a lambda in RunAsync would cost each handshake an object.
    private Func<TransportConnection, bool> AdmitterOf(Handshake handshake) => link => TryAdmit(handshake, link);

    /// <summary>Applies the limits per address to a client that a proxy has named.</summary>
    /// <returns><see langword="false"/> when the link was refused and disposed.</returns>
    private bool TryAdmit(Handshake handshake, TransportConnection link)
    {
        if (!_services.Admission.TryEnter(link, canTell: !HasHandshake))
        {
            return false;
        }

        if (HasHandshake && !_slots.TryMove(handshake, PeerNetwork.Of(link.RemoteEndPoint)))
        {
            Refuse(link, link.RemoteEndPoint, CloseReason.AddressFull, Counter.HandshakesRefused);
            return false;
        }

        handshake.Admitted = link;
        return true;
    }

    private async Task<TransportConnection?> EncryptAsync(
        Handshake handshake, TransportConnection link, ServerCertificates certificates, HandshakeDeadline deadline)
    {
        EndPoint? peer = link.RemoteEndPoint;
        TlsConnection? encrypted = await TlsConnection.AcceptAsync(
            link, certificates.AuthenticateAsync, _services.Turns, deadline.CreateToken()).ConfigureAwait(false);
        if (_webSockets is null)
        {
            _slots.Release(handshake); // before the end of the handshake becomes visible
        }

        if (encrypted is null && !handshake.IsDisplaced)
        {
            Count(peer, CloseReason.TlsFailed, Counter.HandshakesFailed);
        }

        return encrypted;
    }

    private void Refuse(TransportConnection link, EndPoint? peer, CloseReason reason, Counter counter)
    {
        Count(peer, reason, counter);
        link.Abort();
        link.Dispose();
    }

    private void Count(EndPoint? peer, CloseReason reason, Counter counter)
    {
        _services.Refusals.Refused(peer, reason); // before it is counted: the counters then cover only what the log knows
        _services.Metrics.Add(Counter.ConnectionsRefused);
        _services.Metrics.Add(counter);
    }
}
