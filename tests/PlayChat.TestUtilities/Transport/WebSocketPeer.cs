using System.Net;
using System.Net.Security;
using System.Net.WebSockets;

namespace PlayChat.TestUtilities.Transport;

/// <summary>Connects the runtime's own WebSocket client without PlayChat around it, so that tests see each message.</summary>
public static class WebSocketPeer
{
    /// <summary>Connects a client to the path <c>/ws</c>.</summary>
    /// <param name="endPoint">The server.</param>
    /// <param name="subprotocol">What is offered; <see langword="null"/> for nothing.</param>
    /// <param name="trust">Checks the server's certificate; <see langword="null"/> without TLS.</param>
    public static async Task<ClientWebSocket> ConnectAsync(
        EndPoint endPoint, string? subprotocol = "playchat.v1", RemoteCertificateValidationCallback? trust = null)
    {
        var socket = new ClientWebSocket();
        try
        {
            socket.Options.KeepAliveInterval = TimeSpan.Zero; // otherwise it sends pongs unasked
            socket.Options.RemoteCertificateValidationCallback = trust;
            if (subprotocol is not null)
            {
                socket.Options.AddSubProtocol(subprotocol);
            }

            await socket.ConnectAsync(new Uri($"{(trust is null ? "ws" : "wss")}://{endPoint}/ws"), CancellationToken.None);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
