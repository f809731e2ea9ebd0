using System.Net;
using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>The client's side: makes connections to servers, any number, all with the same framing and handlers. Thread-safe.</summary>
/// <remarks>
/// A client's connection is the same type as a server's and works the same way: frames are handled on its receive loop, one at a time,
/// and what a handler sends goes out together when the batch that arrived is handled.
/// </remarks>
public sealed class PlayChatConnector : IAsyncDisposable
{
    private readonly ConnectorOptions _options;
    private readonly ITransport _transport;
    private readonly TimeProvider _time;
    private readonly ConnectionServices _services;
    private readonly ConnectionSet _connections;

    /// <summary>Makes a connector.</summary>
    /// <param name="format">How frames look on the wire; the server's must be the same.</param>
    /// <param name="handler">Gets every frame that arrives, on its connection's receive loop; must not block.</param>
    /// <param name="options">The settings; the defaults without.</param>
    /// <param name="closed">Is called once for each connection when it has ended.</param>
    /// <param name="transport">How bytes are moved; <see cref="SocketTransport"/> without.</param>
    /// <param name="loggers">Where log messages go; nowhere without.</param>
    /// <param name="time">The clock of deadlines; the system's without.</param>
    /// <param name="packets">What messages are sent as and requests answered by; unchanged from now on. None without.</param>
    /// <exception cref="OptionsException">A setting cannot be.</exception>
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

    /// <summary>Makes a connector whose connections handle packets like a server's, by the same router, filters and requests.</summary>
    /// <param name="format">How frames look on the wire; the server's must be the same.</param>
    /// <param name="packets">The packets of the protocol; unchanged from now on.</param>
    /// <param name="configure">Maps packets to handlers; called once, at once.</param>
    /// <param name="options">The settings; the defaults without.</param>
    /// <param name="closed">Is called once for each connection when it has ended.</param>
    /// <param name="transport">How bytes are moved; <see cref="SocketTransport"/> without.</param>
    /// <param name="loggers">Where log messages go; nowhere without.</param>
    /// <param name="time">The clock of deadlines; the system's without.</param>
    /// <param name="services">Where handlers that are classes get their constructor arguments; they have none without.</param>
    /// <exception cref="OptionsException">A setting cannot be.</exception>
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
        router?.Start(Metrics, logger, _time);
        _services = new ConnectionServices
        {
            Format = format,
            Packets = packets.Seal(),
            Outlet = router?.Outlet,
            Handler = router is null ? new FramesHandler(this, handler!, closed) : new PacketsHandler(this, router, closed),
            Options = _options.Connections,
            Pool = SegmentPool.Default,
            Metrics = Metrics,
            Time = _time,
            Logger = logger,
        };
        _connections = new ConnectionSet(_options.Connections, _time, TimeSpan.FromSeconds(1), inspect: null);
    }

    /// <summary>What its connections counted together.</summary>
    public ServerMetrics Metrics { get; }

    /// <summary>Connects to a server.</summary>
    /// <param name="host">An address or a name, whose addresses are tried in turn.</param>
    /// <param name="port">1–65,535.</param>
    /// <param name="tag">Set as <see cref="Connection.Tag"/> before the first frame can arrive.</param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="ConnectFailedException">Nobody answered in time, or the answer was no; the message says which.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The connector was disposed.</exception>
    public Task<Connection> ConnectAsync(string host, int port, object? tag = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        return ConnectAsync(
            IPAddress.TryParse(host, out IPAddress? address) ? new IPEndPoint(address, port) : new DnsEndPoint(host, port), tag, cancellationToken);
    }

    /// <summary>Connects to a server; see the other overload.</summary>
    /// <param name="endPoint">The server.</param>
    /// <param name="tag">Set as <see cref="Connection.Tag"/> before the first frame can arrive.</param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    public async Task<Connection> ConnectAsync(EndPoint endPoint, object? tag = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        using var timeout = new CancellationTokenSource(_options.ConnectTimeout, _time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        TransportConnection link;
        try
        {
            link = await _transport.ConnectAsync(endPoint, _options.Transport, patience.Token).ConfigureAwait(false);
            if (_options.Tls is { } tls)
            {
                link = await TlsConnection.ConnectAsync(link, tls, patience.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is AuthenticationException or OperationCanceledException || (e is IOException and not ConnectFailedException))
        {
            cancellationToken.ThrowIfCancellationRequested();
            string why = patience.IsCancellationRequested ? $"no answer within {_options.ConnectTimeout.TotalSeconds:0.###} seconds" : $"TLS failed: {e.Message}";
            throw new ConnectFailedException(endPoint, $"Cannot connect to {endPoint}: {why}.", e);
        }

        var connection = new Connection(link, _services) { Tag = tag };
        CloseReason refusal = _connections.TryAdd(connection);
        if (refusal != CloseReason.None)
        {
            link.Dispose();
            ObjectDisposedException.ThrowIf(refusal == CloseReason.ServerShutdown, this);
            throw new ConnectFailedException(
                endPoint, $"Cannot connect to {endPoint}: this client's own limit of connections is reached.", new InvalidOperationException());
        }

        connection.Start();
        return connection;
    }

    /// <summary>Closes every connection in order, and waits until they have ended.</summary>
    public async ValueTask DisposeAsync()
    {
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
        var router = new PacketRouter(services, packets.Seal());
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
                connector._connections.Remove(connection); // last: whoever disposes the connector waits for it
            }
        }
    }

    private sealed class FramesHandler(PlayChatConnector connector, FrameHandler handler, Action<Connection, CloseReason>? closed)
        : Handler(connector, closed)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame)
        {
            handler(connection, frame);
            return default;
        }
    }

    private sealed class PacketsHandler(PlayChatConnector connector, PacketRouter router, Action<Connection, CloseReason>? closed)
        : Handler(connector, closed)
    {
        public override ValueTask HandleAsync(Connection connection, in Frame frame) => router.HandleAsync(connection, in frame);
    }
}
