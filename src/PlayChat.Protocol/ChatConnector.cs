using System.Net;
using PlayChat.Core.Clients;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;

namespace PlayChat.Protocol;

/// <summary>
/// Makes many clients of one server, which share one connector. For one client <see cref="ChatClient"/>'s <c>ConnectAsync</c> is enough.
/// </summary>
/// <remarks>Thread-safe.</remarks>
public sealed class ChatConnector : IAsyncDisposable
{
    private readonly EndPoint[] _servers;
    private readonly ChatClientOptions _options;
    private readonly PlayChatConnector _connector;
    private readonly bool _followsRedirects;

    /// <summary>Makes a connector; it connects nothing yet.</summary>
    /// <param name="host">The server's address or name.</param>
    /// <param name="port">The server's port, 1 to 65,535.</param>
    /// <param name="options">The settings of all clients; the defaults without.</param>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public ChatConnector(string host, int port, ChatClientOptions? options = null)
        : this(host, port, options ??= new ChatClientOptions(), options.ToConnectorOptions(host), options.Transport)
    {
    }

    /// <summary>Makes a connector over WebSocket; it connects nothing yet.</summary>
    /// <param name="server">
    /// <c>ws://HOST:PORT/PATH</c>, or <c>wss://</c> with TLS. The port is 80 or 443 and the path <c>/ws</c> unless it has one.
    /// </param>
    /// <param name="options">The settings of all clients; the defaults without. Those of TLS count with <c>wss</c>.</param>
    /// <exception cref="ArgumentException">
    /// The address is of another kind, or the options have a transport, or TLS for <c>ws</c>.
    /// </exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public ChatConnector(Uri server, ChatClientOptions? options = null)
        : this(
            HostOf(server),
            server.Port,
            options ??= new ChatClientOptions(),
            options.ToConnectorOptions(host: null),
            CreateTransport(server, options))
    {
        _followsRedirects = false;
    }

    /// <summary>Makes a connector for the servers of a cluster; it connects nothing yet.</summary>
    /// <param name="servers">
    /// At least one. A client begins with the first one. When its connection breaks, it tries that server once more and then the others in
    /// turn, until one accepts it.
    /// </param>
    /// <param name="options">
    /// The settings of all clients; the defaults without. With TLS every server's certificate must have the name
    /// <see cref="ChatClientOptions.TlsTargetHost"/>, or without it the host of the first server.
    /// </param>
    /// <exception cref="ArgumentException">The list is empty.</exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public ChatConnector(IReadOnlyList<EndPoint> servers, ChatClientOptions? options = null)
        : this(
            [.. servers ?? throw new ArgumentNullException(nameof(servers))],
            options ??= new ChatClientOptions(),
            options.ToConnectorOptions(servers.Count == 0 ? null : ServerAddress.HostOf(servers[0])),
            options.Transport)
    {
    }

    private ChatConnector(string host, int port, ChatClientOptions options, ConnectorOptions connectorOptions, ITransport? transport)
        : this([ServerAddress.Create(host, port)], options, connectorOptions, transport)
    {
    }

    private ChatConnector(EndPoint[] servers, ChatClientOptions options, ConnectorOptions connectorOptions, ITransport? transport)
    {
        if (servers.Length == 0)
        {
            throw new ArgumentException("The list of servers is empty.", nameof(servers));
        }

        _servers = servers;
        _followsRedirects = true;
        _options = options;
        _connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            static (connection, frame) => connection.Get<SessionKeeper>()!.OnFrame(connection, in frame),
            connectorOptions,
            closed: null,
            transport,
            options.LoggerFactory,
            options.TimeProvider);
    }

    /// <summary>Connects one more client, which has not logged in yet.</summary>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="Core.Transport.ConnectFailedException">
    /// The server did not answer in time, or refused; the message says which.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The connector was disposed.</exception>
    public Task<ChatClient> ConnectAsync(CancellationToken cancellationToken = default) => ConnectAsync(owner: null, cancellationToken);

    /// <summary>Logs out and closes every client that has not ended, and waits until all have ended.</summary>
    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    /// <param name="owner">What the client disposes with itself: this connector, when it is the client's own.</param>
    /// <param name="cancellationToken">Gives up.</param>
    internal async Task<ChatClient> ConnectAsync(IAsyncDisposable? owner, CancellationToken cancellationToken)
    {
        var servers = new EndPointRotation(_servers);
        var client = new ChatClient(
            _options,
            servers,
            _followsRedirects,
            (keeper, reconnect, token) =>
                _connector.ConnectLastingAsync(servers, keeper.EnterAsync, reconnect, connection => connection.Set(keeper), token),
            owner);
        await client.OpenAsync(cancellationToken).ConfigureAwait(false);
        return client;
    }

    private static string HostOf(Uri server)
    {
        ArgumentNullException.ThrowIfNull(server);
        return server.IsAbsoluteUri && (server.Scheme == Uri.UriSchemeWs || server.Scheme == Uri.UriSchemeWss)
            ? server.IdnHost.Trim('[', ']')
            : throw new ArgumentException(
                $"The address is '{server}'; allowed is ws://HOST:PORT/PATH or wss://HOST:PORT/PATH.", nameof(server));
    }

    private static WebSocketTransport CreateTransport(Uri server, ChatClientOptions options)
    {
        if (options.Transport is not null)
        {
            throw new ArgumentException("A WebSocket address and a transport of the options exclude each other.", nameof(options));
        }

        bool isEncrypted = server.Scheme == Uri.UriSchemeWss;
        if (options.UseTls && !isEncrypted)
        {
            throw new ArgumentException($"'{server}' is without TLS; use wss://, or turn UseTls off.", nameof(options));
        }

        return new WebSocketTransport
        {
            Path = server.PathAndQuery == "/" ? "/ws" : server.PathAndQuery,
            Tls = isEncrypted ? options.ToTlsOptions(server.IdnHost.Trim('[', ']')) : null,
        };
    }
}
