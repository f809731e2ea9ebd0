using System.Net.Security;
using System.Net.WebSockets;

namespace PlayChat.Core.WebSockets;

/// <summary>Connects clients to a WebSocket endpoint, where TCP does not get through. Thread-safe once it is set up.</summary>
/// <remarks>
/// <para>
/// Give it to a <see cref="Clients.PlayChatConnector"/>. Everything else stays as over TCP: framing, handlers, requests, reconnecting. Each
/// send is one binary message. A close code of the server becomes the <see cref="CloseReason"/> that it stands for
/// (proto/close-codes.json), so a connector that reconnects follows the server's advice.
/// </para>
/// <para>
/// HTTP, proxies and TLS are those of .NET's <see cref="ClientWebSocket"/>, including the system's proxy settings. Of
/// <see cref="TransportOptions"/> nothing applies. TLS is set here and not in <see cref="Clients.ConnectorOptions.Tls"/>, because it lies
/// below HTTP.
/// </para>
/// </remarks>
public sealed class WebSocketTransport : ITransport
{
    /// <summary>The path of the endpoint, with a query if it needs one. Default <c>/ws</c>.</summary>
    public string Path { get; init; } = "/ws";

    /// <summary>The subprotocol that the client offers; <see langword="null"/> for none. Default <c>playchat.v1</c>.</summary>
    public string? Subprotocol { get; init; } = "playchat.v1";

    /// <summary>
    /// Encrypts the link (<c>wss</c>): the expected name of the server, and the trusted certificates. Default <see langword="null"/>: no
    /// TLS.
    /// </summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>
    /// Changes the request of each connection, for example to add a header that authenticates the client. Called before each attempt, on
    /// the caller's thread. .NET ignores or refuses certificates, proxy and credentials that are set here.
    /// </summary>
    public Action<ClientWebSocketOptions>? Configure { get; init; }

    /// <summary>Not supported: a server listens with <see cref="Hosting.PlayChatOptions.ListenWebSocket"/>.</summary>
    /// <exception cref="NotSupportedException">Always.</exception>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null) =>
        throw new NotSupportedException("WebSocketTransport only connects. A server listens with PlayChatOptions.ListenWebSocket.");

    /// <inheritdoc/>
    public async ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        var socket = new ClientWebSocket();
        try
        {
            socket.Options.KeepAliveInterval = TimeSpan.Zero; // PlayChat's own heartbeats are answered, which these are not
            if (Subprotocol is not null)
            {
                socket.Options.AddSubProtocol(Subprotocol);
            }

            Configure?.Invoke(socket.Options);
            using var handler = new SocketsHttpHandler();
            if (Tls is not null)
            {
                handler.SslOptions = Tls;
            }

            using var invoker = new HttpMessageInvoker(handler);
            await socket.ConnectAsync(AddressOf(endPoint), invoker, cancellationToken).ConfigureAwait(false);
            return new WebSocketClientConnection(socket, endPoint);
        }
        catch (Exception e)
        {
            socket.Dispose();
            if (e is WebSocketException or HttpRequestException)
            {
                cancellationToken.ThrowIfCancellationRequested();
                string message = ConnectProblem.Describe(AddressOf(endPoint).ToString(), e.GetBaseException());
                throw new ConnectFailedException(endPoint, message, e);
            }

            throw;
        }
    }

    private Uri AddressOf(EndPoint endPoint)
    {
        (string host, int port) = endPoint switch
        {
            DnsEndPoint name => (name.Host, name.Port),
            IPEndPoint address => (address.Address.ToString(), address.Port),
            _ => throw new ArgumentException($"{endPoint} is neither an address nor a name.", nameof(endPoint)),
        };
        int query = Path.IndexOf('?', StringComparison.Ordinal);
        return new UriBuilder(Tls is null ? "ws" : "wss", host, port, query < 0 ? Path : Path[..query])
        {
            Query = query < 0 ? "" : Path[query..],
        }.Uri;
    }
}
