using System.Net;
using System.Net.Security;
using System.Net.WebSockets;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;

namespace PlayChat.TestUtilities.Transport;

/// <summary>
/// Connects by the runtime's own WebSocket client, so that PlayChat's clients and test clients reach a WebSocket endpoint.
/// </summary>
/// <param name="subprotocol">What is offered; <see langword="null"/> for nothing.</param>
/// <param name="trust">Checks the server's certificate; <see langword="null"/> without TLS.</param>
public sealed class ClientWebSocketTransport(
    string? subprotocol = "playchat.v1", RemoteCertificateValidationCallback? trust = null) : ITransport
{
    /// <summary>Connects a plain WebSocket client.</summary>
    public async Task<ClientWebSocket> ConnectSocketAsync(EndPoint endPoint, CancellationToken cancellationToken = default)
    {
        string address = endPoint is DnsEndPoint dns ? $"{dns.Host}:{dns.Port}" : endPoint.ToString()!;
        var socket = new ClientWebSocket();
        try
        {
            socket.Options.KeepAliveInterval = TimeSpan.Zero; // otherwise it sends pongs unasked
            socket.Options.RemoteCertificateValidationCallback = trust;
            if (subprotocol is not null)
            {
                socket.Options.AddSubProtocol(subprotocol);
            }

            await socket.ConnectAsync(new Uri($"{(trust is null ? "ws" : "wss")}://{address}/ws"), cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null) =>
        throw new NotSupportedException("A client's transport does not listen.");

    /// <inheritdoc/>
    public async ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
    {
        try
        {
            return new ClientWebSocketLink(await ConnectSocketAsync(endPoint, cancellationToken), endPoint);
        }
        catch (WebSocketException e)
        {
            throw new ConnectFailedException(endPoint, e);
        }
    }
}
