using System.Net;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Transport;
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
    private readonly HandshakeServices _services;
    private readonly HandshakeSlots _slots;
    private readonly WebSocketAcceptor? _webSockets; // null without WebSocket

    private Handshakes(
        EndpointOptions options, ServerCertificates? certificates, IReadOnlyList<IPNetwork> proxies, HandshakeServices services)
    {
        _options = options;
        _certificates = certificates;
        _proxies = proxies;
        _services = services;
        _slots = new HandshakeSlots(options.Tls, services.Limits);
        _webSockets = options.WebSocket.Enabled
            ? new WebSocketAcceptor(
                new WebSocketUpgrade(
                    options.WebSocket,
                    services.Subprotocols,
                    // A browser sends no PROXY header, so no page reaches an endpoint that asks for one.
                    !IsProxied
                        && EndpointOptions.TryParse(options.Address, out IPEndPoint address)
                        && IPAddress.IsLoopback(address.Address)),
                options.WebSocket.MaxMessageBytes,
                services.PacketJson,
                services.OnAnswered)
            : null;
        if (_webSockets is not null)
        {
            WebSocketUpgrade.Prepare();
        }
    }

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

    /// <summary>Takes a slot for an accepted link.</summary>
    /// <returns><see langword="null"/> when the link is refused.</returns>
    internal Handshake? TryBegin(TransportConnection link)
    {
        if (IsProxied && !IsTrusted(link.RemoteEndPoint))
        {
            Refuse(link, link.RemoteEndPoint, CloseReason.ProtocolViolation, Counter.ProxyLinksRefused);
            return null;
        }

        if (IsProxied && !_services.Admission.HasRoomFor(_slots.Count + 1))
        {
            Refuse(link, link.RemoteEndPoint, CloseReason.ServerFull, Counter.ProxyLinksRefused);
            return null;
        }

        // The address of the proxy must not bound its clients.
        var handshake = new Handshake(link, IsProxied ? null : link.Network);
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

    /// <summary>Takes a link through what comes before it is a connection. Never faults.</summary>
    /// <param name="handshake">Was begun.</param>
    /// <param name="open">Called with the link, unless it has failed or is refused.</param>
    /// <param name="stopping">Ends the handshake.</param>
    // One method for all steps that may wait for the peer, because each asynchronous method costs a waiting link an object.
    internal async Task RunAsync(Handshake handshake, Action<TransportConnection> open, CancellationToken stopping)
    {
        await Task.Yield(); // so that not even the first bytes delay the accept loop
        TransportConnection? link = handshake.Link;
        try
        {
            if (IsProxied)
            {
                link = await ReadHeaderAsync(handshake, stopping).ConfigureAwait(false);
            }

            if (link is not null && HasHandshake)
            {
                using var deadline = new HandshakeDeadline(link, _options.Tls.HandshakeTimeout, _services.Time, stopping);
                await link.WaitForDataAsync().ConfigureAwait(false);
                handshake.HasSpoken = true;
                if (_certificates is { } certificates)
                {
                    link = await EncryptAsync(handshake, link, certificates, deadline).ConfigureAwait(false);
                }

                if (link is not null && _webSockets is { } webSockets)
                {
                    TransportConnection accepted = link;
                    (TransportConnection? upgraded, bool wasAnswered) = await webSockets.AcceptAsync(link).ConfigureAwait(false);
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
                open(link);
            }
        }
        catch (Exception e)
        {
            // A fault of a transport, or of PlayChat: it costs this link alone.
            HostingLog.OpenFault(_services.Logger, e, handshake.Link.RemoteEndPoint);
            handshake.Link.Abort();
            handshake.Link.Dispose();
        }
        finally
        {
            _slots.Release(handshake);
        }
    }

    private async Task<TransportConnection?> ReadHeaderAsync(Handshake handshake, CancellationToken stopping)
    {
        TransportConnection proxied = handshake.Link;
        EndPoint? proxy = proxied.RemoteEndPoint;
        TransportConnection? link;
        using (new HandshakeDeadline(proxied, _options.ProxyProtocol.HeaderTimeout, _services.Time, stopping))
        {
            link = await ProxiedConnection.AcceptAsync(proxied).ConfigureAwait(false);
        }

        if (link is null)
        {
            Refuse(proxied, proxy, CloseReason.ProtocolViolation, Counter.ProxyLinksRefused);
            return null;
        }

        // The limits per address hold for the client, so they are applied only now.
        if (!_services.Admission.TryEnter(link, canTell: !HasHandshake))
        {
            return null;
        }

        if (HasHandshake && !_slots.TryMove(handshake, PeerNetwork.Of(link.RemoteEndPoint)))
        {
            Refuse(link, link.RemoteEndPoint, CloseReason.AddressFull, Counter.HandshakesRefused);
            return null;
        }

        return link;
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

    private bool IsTrusted(EndPoint? peer)
    {
        if (peer is not IPEndPoint { Address: var address })
        {
            return false;
        }

        IPAddress own = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return _proxies.Any(network => network.Contains(own));
    }

    private void Refuse(TransportConnection link, EndPoint? peer, CloseReason reason, Counter counter)
    {
        Count(peer, reason, counter);
        link.Abort();
        link.Dispose();
    }

    private void Count(EndPoint? peer, CloseReason reason, Counter counter)
    {
        _services.Metrics.Add(Counter.ConnectionsRefused);
        _services.Metrics.Add(counter);
        _services.Refusals.Refused(peer, reason);
    }
}
