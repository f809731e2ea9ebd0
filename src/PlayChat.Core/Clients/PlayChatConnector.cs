using System.Security.Authentication;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;

namespace PlayChat.Core.Clients;

/// <summary>Makes client connections to servers, any number of them, with one framing and one set of handlers. Thread-safe.</summary>
/// <remarks>
/// A client's connection is of the same type as a server's and works in the same way. Its receive loop handles frames one at a time, and
/// sends the answers of a batch together.
/// </remarks>
public sealed class PlayChatConnector : IAsyncDisposable
{
    private readonly ConnectorOptions _options;
    private readonly ITransport _transport;
    private readonly TimeProvider _time;
    private readonly ConnectionServices _services;
    private readonly ConnectionSet _connections;
    private readonly ConcurrentDictionary<ReconnectingConnection, bool> _lasting = [];

    /// <summary>Makes a connector.</summary>
    /// <param name="format">How frames look on the wire; it must be the server's.</param>
    /// <param name="handler">
    /// Handles every frame on its connection's receive loop; must not block. The connector itself takes packets with the id 65,535: the
    /// server's heartbeats and close notices.
    /// </param>
    /// <param name="options">The settings; by default those of a new <see cref="ConnectorOptions"/>.</param>
    /// <param name="closed">Called once for each connection when it has ended.</param>
    /// <param name="transport">The transport; by default <see cref="SocketTransport"/>.</param>
    /// <param name="loggers">Receives log messages; by default nothing is logged.</param>
    /// <param name="time">The clock of deadlines; by default <see cref="TimeProvider.System"/>.</param>
    /// <param name="packets">The packets of the protocol, to send messages and answer requests; sealed here. By default none.</param>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public PlayChatConnector(
        FrameFormat format,
        FrameHandler handler,
        ConnectorOptions? options = null,
        Action<Connection, CloseReason>? closed = null,
        ITransport? transport = null,
        ILoggerFactory? loggers = null,
        TimeProvider? time = null,
        PacketSet? packets = null)
        : this(format, packets ?? new PacketSet(), handler, router: null, options, closed, transport, loggers, time)
    {
    }

    /// <summary>Makes a connector whose connections handle packets as a server does: with a router, filters and requests.</summary>
    /// <param name="format">How frames look on the wire; it must be the server's.</param>
    /// <param name="packets">The packets of the protocol; sealed here.</param>
    /// <param name="configure">Maps packets to handlers; called once, before this constructor returns.</param>
    /// <param name="options">The settings; by default those of a new <see cref="ConnectorOptions"/>.</param>
    /// <param name="closed">Called once for each connection when it has ended.</param>
    /// <param name="transport">The transport; by default <see cref="SocketTransport"/>.</param>
    /// <param name="loggers">Receives log messages; by default nothing is logged.</param>
    /// <param name="time">The clock of deadlines; by default <see cref="TimeProvider.System"/>.</param>
    /// <param name="services">The constructor arguments of handler classes; by default they have none.</param>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public PlayChatConnector(
        FrameFormat format,
        PacketSet packets,
        Action<PacketRouter> configure,
        ConnectorOptions? options = null,
        Action<Connection, CloseReason>? closed = null,
        ITransport? transport = null,
        ILoggerFactory? loggers = null,
        TimeProvider? time = null,
        IServiceProvider? services = null)
        : this(format, packets, handler: null, CreateRouter(services, packets, configure), options, closed, transport, loggers, time)
    {
    }

    private PlayChatConnector(
        FrameFormat format,
        PacketSet packets,
        FrameHandler? handler,
        PacketRouter? router,
        ConnectorOptions? options,
        Action<Connection, CloseReason>? closed,
        ITransport? transport,
        ILoggerFactory? loggers,
        TimeProvider? time)
    {
        ArgumentNullException.ThrowIfNull(format);
        if (router is null)
        {
            ArgumentNullException.ThrowIfNull(handler);
        }

        _options = options ?? new ConnectorOptions();
        _options.Validate();
        _transport = transport ?? SocketTransport.Instance;
        _time = time ?? TimeProvider.System;
        Metrics = new ServerMetrics(time: _time);
        ILogger logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger("PlayChat.Core");
        PacketDispatcher? dispatcher = router?.Start(Metrics, logger, _time);
        _services = new ConnectionServices
        {
            Format = format,
            Packets = packets.Seal(),
            Outlet = router?.Outlet,
            Handler = dispatcher is null ? new FramesHandler(this, handler!, closed) : new PacketsHandler(this, dispatcher, closed),
            Options = _options.Connections,
            Pool = SegmentPool.Default,
            Metrics = Metrics,
            Time = _time,
            Logger = logger,
            IsClient = true,
        };
        _connections = new ConnectionSet(_options.Connections, _time, TimeSpan.FromSeconds(1), inspect: null);
    }

    /// <summary>The counters of all its connections.</summary>
    public ServerMetrics Metrics { get; }

    /// <summary>Connects to a server.</summary>
    /// <param name="host">An address, or a name whose addresses are tried in turn.</param>
    /// <param name="port">1–65,535.</param>
    /// <param name="prepare">
    /// Called with the connection before its first frame can arrive, for example to keep an object with it
    /// (<see cref="Connection.Set{T}"/>) that its handlers need. It must not send or close.
    /// </param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="ConnectFailedException">The server did not answer in time, or refused; the message says which.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The connector was disposed.</exception>
    public Task<Connection> ConnectAsync(
        string host, int port, Action<Connection>? prepare = null, CancellationToken cancellationToken = default) =>
        OpenAsync(ToEndPoint(host, port), prepare, lasting: null, cancellationToken);

    /// <inheritdoc cref="ConnectAsync(string, int, Action{Connection}?, CancellationToken)"/>
    /// <param name="endPoint">The server.</param>
    /// <param name="prepare">
    /// Called with the connection before its first frame can arrive, for example to keep an object with it
    /// (<see cref="Connection.Set{T}"/>) that its handlers need. It must not send or close.
    /// </param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    public Task<Connection> ConnectAsync(
        EndPoint endPoint, Action<Connection>? prepare = null, CancellationToken cancellationToken = default) =>
        OpenAsync(endPoint, prepare, lasting: null, cancellationToken);

    /// <summary>Connects to a server, enters, and makes the connection again after each break.</summary>
    /// <param name="host">An address, or a name whose addresses are tried in turn, at each attempt anew.</param>
    /// <param name="port">1–65,535.</param>
    /// <param name="enter">
    /// Makes each new connection usable: logs in on the first one, and resumes on each later one. The first argument is the new connection,
    /// not yet <see cref="ReconnectingConnection.Current"/>; the second is the attempt to return after a break, <see langword="null"/> for
    /// the first connection. The token is cancelled when the connection ends or the attempt is given up. It has no time limit: bound your
    /// own waits.
    /// </param>
    /// <param name="options">The settings and callbacks; by default those of a new <see cref="ReconnectOptions"/>.</param>
    /// <param name="prepare">
    /// Called with each of the connections before its first frame can arrive, for example to keep an object with it
    /// (<see cref="Connection.Set{T}"/>) that its handlers need. It must not send or close.
    /// </param>
    /// <param name="cancellationToken">Gives the first connection up; nothing is left open. Later it has no effect.</param>
    /// <returns>The first connection has been entered by then. Dispose it, or the connector, to end it.</returns>
    /// <exception cref="ConnectFailedException">The server did not answer in time, or refused; the message says which.</exception>
    /// <exception cref="ConnectionClosedException">The first connection ended while <paramref name="enter"/> ran.</exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The connector was disposed.</exception>
    /// <remarks>
    /// <paramref name="enter"/> runs on the thread pool, while frames already arrive; one call at a time. To give an attempt up, throw: the
    /// connection is then aborted. Of the first connection, any exception reaches the caller of this method. After a break,
    /// <see cref="ReconnectOptions.MayPass"/> says whether another attempt follows or the exception is the end.
    /// </remarks>
    public Task<ReconnectingConnection> ConnectLastingAsync(
        string host,
        int port,
        Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask> enter,
        ReconnectOptions? options = null,
        Action<Connection>? prepare = null,
        CancellationToken cancellationToken = default) =>
        ConnectLastingAsync(ToEndPoint(host, port), enter, options, prepare, cancellationToken);

    /// <inheritdoc cref="ConnectLastingAsync(string, int, Func{Connection, ReconnectAttempt?, CancellationToken, ValueTask},
    /// ReconnectOptions?, Action{Connection}?, CancellationToken)"/>
    /// <param name="endPoint">The server.</param>
    /// <param name="enter">
    /// Makes each new connection usable: logs in on the first one, and resumes on each later one. The first argument is the new connection,
    /// not yet <see cref="ReconnectingConnection.Current"/>; the second is the attempt to return after a break, <see langword="null"/> for
    /// the first connection. The token is cancelled when the connection ends or the attempt is given up. It has no time limit: bound your
    /// own waits.
    /// </param>
    /// <param name="options">The settings and callbacks; by default those of a new <see cref="ReconnectOptions"/>.</param>
    /// <param name="prepare">
    /// Called with each of the connections before its first frame can arrive, for example to keep an object with it
    /// (<see cref="Connection.Set{T}"/>) that its handlers need. It must not send or close.
    /// </param>
    /// <param name="cancellationToken">Gives the first connection up; nothing is left open. Later it has no effect.</param>
    public async Task<ReconnectingConnection> ConnectLastingAsync(
        EndPoint endPoint,
        Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask> enter,
        ReconnectOptions? options = null,
        Action<Connection>? prepare = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        return await ConnectLastingAsync(new EndPointRotation([endPoint]), enter, options, prepare, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <inheritdoc cref="ConnectLastingAsync(string, int, Func{Connection, ReconnectAttempt?, CancellationToken, ValueTask},
    /// ReconnectOptions?, Action{Connection}?, CancellationToken)"/>
    /// <param name="servers">
    /// The servers. Each attempt tries all of them in turn until one accepts the connection, beginning with
    /// <see cref="EndPointRotation.Current"/>. When <paramref name="enter"/> throws, the next attempt begins with the next server.
    /// </param>
    /// <param name="enter">
    /// Makes each new connection usable: logs in on the first one, and resumes on each later one. The first argument is the new connection,
    /// not yet <see cref="ReconnectingConnection.Current"/>; the second is the attempt to return after a break, <see langword="null"/> for
    /// the first connection. The token is cancelled when the connection ends or the attempt is given up. It has no time limit: bound your
    /// own waits.
    /// </param>
    /// <param name="options">The settings and callbacks; by default those of a new <see cref="ReconnectOptions"/>.</param>
    /// <param name="prepare">
    /// Called with each of the connections before its first frame can arrive, for example to keep an object with it
    /// (<see cref="Connection.Set{T}"/>) that its handlers need. It must not send or close.
    /// </param>
    /// <param name="cancellationToken">Gives the first connection up; nothing is left open. Later it has no effect.</param>
    public async Task<ReconnectingConnection> ConnectLastingAsync(
        EndPointRotation servers,
        Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask> enter,
        ReconnectOptions? options = null,
        Action<Connection>? prepare = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(servers);
        ArgumentNullException.ThrowIfNull(enter);
        options ??= new ReconnectOptions();
        options.Validate();
        var lasting = new ReconnectingConnection(
            (self, token) => OpenAnyAsync(servers, prepare, self, token),
            (connection, attempt, token) => EnterAsync(servers, enter, connection, attempt, token),
            options,
            _time,
            _services.Logger);
        await lasting.OpenAsync(cancellationToken).ConfigureAwait(false);
        _lasting[lasting] = true;
        _ = ForgetAsync(lasting);
        return lasting;
    }

    private static EndPoint ToEndPoint(string host, int port)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        return IPAddress.TryParse(host, out IPAddress? address) ? new IPEndPoint(address, port) : new DnsEndPoint(host, port);
    }

    private static async ValueTask EnterAsync(
        EndPointRotation servers,
        Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask> enter,
        Connection connection,
        ReconnectAttempt? attempt,
        CancellationToken cancellationToken)
    {
        int changes = servers.Changes;
        try
        {
            await enter(connection, attempt, cancellationToken).ConfigureAwait(false);
        }
        catch when (servers.Changes == changes) // otherwise the application has chosen the next server itself
        {
            servers.MoveOn();
            throw;
        }
    }

    private async Task<Connection> OpenAnyAsync(
        EndPointRotation servers, Action<Connection>? prepare, ReconnectingConnection lasting, CancellationToken cancellationToken)
    {
        for (int left = servers.Count; ; left--)
        {
            try
            {
                return await OpenAsync(servers.Current, prepare, lasting, cancellationToken).ConfigureAwait(false);
            }
            catch (ConnectFailedException)
            {
                servers.MoveOn();
                if (left <= 1)
                {
                    throw;
                }
            }
        }
    }

    private async Task ForgetAsync(ReconnectingConnection lasting)
    {
        await lasting.Closed.ConfigureAwait(false);
        _lasting.TryRemove(lasting, out _);
    }

    private async Task<Connection> OpenAsync(
        EndPoint endPoint, Action<Connection>? prepare, ReconnectingConnection? lasting, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        using var timeout = new CancellationTokenSource(_options.ConnectTimeout, _time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        TransportConnection link;
        try
        {
            link = await _transport.ConnectAsync(endPoint, _options.Transport, _services.Logger, patience.Token).ConfigureAwait(false);
            if (_options.Tls is { } tls)
            {
                link = await TlsConnection.ConnectAsync(link, tls, patience.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is AuthenticationException or OperationCanceledException
            || (e is IOException and not ConnectFailedException))
        {
            cancellationToken.ThrowIfCancellationRequested();
            string why = patience.IsCancellationRequested
                ? $"no answer within {_options.ConnectTimeout.TotalSeconds:0.###} seconds"
                : $"TLS failed: {e.Message}";
            throw new ConnectFailedException(endPoint, $"Cannot connect to {endPoint}: {why}.", e);
        }

        var connection = new Connection(link, _services);
        if (lasting is not null)
        {
            connection.Set(lasting);
        }

        try
        {
            prepare?.Invoke(connection);
        }
        catch
        {
            link.Dispose();
            throw;
        }

        CloseReason refusal = _connections.TryAdd(connection);
        if (refusal != CloseReason.None)
        {
            link.Dispose();
            ObjectDisposedException.ThrowIf(refusal == CloseReason.ServerShutdown, this);
            throw new ConnectFailedException(
                endPoint,
                $"Cannot connect to {endPoint}: this client's own limit of connections is reached.",
                new InvalidOperationException());
        }

        connection.Start();
        return connection;
    }

    /// <summary>
    /// Closes every connection after its queue is sent, ends all attempts to reconnect, and waits until everything has ended.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_lasting.Keys.Select(static lasting => lasting.DisposeAsync().AsTask())).ConfigureAwait(false);
        Task empty = _connections.CloseAsync();
        foreach (Connection connection in _connections.All)
        {
            connection.Close();
        }

        await empty.ConfigureAwait(false);
        _connections.Dispose();
        Metrics.Dispose();
    }

    private static PacketRouter CreateRouter(IServiceProvider? services, PacketSet packets, Action<PacketRouter> configure)
    {
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(configure);
        var router = new PacketRouter(services, packets.Seal(), isClient: true);
        configure(router);
        return router;
    }

    private abstract class Handler(PlayChatConnector connector, Action<Connection, CloseReason>? closed) : IConnectionHandler
    {
        public abstract ValueTask HandleAsync(Connection connection, in Frame frame);

        public void OnClosed(Connection connection, CloseReason reason)
        {
            try
            {
                closed?.Invoke(connection, reason);
            }
            finally
            {
                connector._connections.Remove(connection); // last: DisposeAsync waits for it
            }
        }
    }

    private sealed class FramesHandler(PlayChatConnector connector, FrameHandler handler, Action<Connection, CloseReason>? closed)
        : Handler(connector, closed)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame)
        {
            if (Heartbeat.TryTake(connection, in frame))
            {
                return default;
            }

            handler(connection, frame);
            return default;
        }
    }

    private sealed class PacketsHandler(PlayChatConnector connector, PacketDispatcher dispatcher, Action<Connection, CloseReason>? closed)
        : Handler(connector, closed)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame) => dispatcher.HandleAsync(connection, in frame);
    }
}
