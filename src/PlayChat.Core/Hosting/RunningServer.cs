using System.Buffers;
using System.Diagnostics.Metrics;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>A started server: makes its parts, listens, sets links up, and drains.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    // How long the application's code may still run when the stop timeout is over and its token is cancelled.
    private static readonly TimeSpan s_lastPatience = TimeSpan.FromSeconds(5);

    private readonly PlayChatOptions _options;
    private readonly string _optionsPath;
    private readonly ServerHandlers _handlers;
    private readonly ITransport _transport;
    private readonly TimeProvider _time;
    private readonly ConnectionServices _connectionServices;
    private readonly ConnectionSet _connections;
    private readonly ConnectionSet _refused; // over a limit: each is told why and closed
    private readonly LinkBudget _budget;
    private readonly Admission _admission;
    private readonly RefusalLog _refusals;
    private readonly IdleCloseLog _idleCloses;
    private readonly HandshakeServices _handshakes;
    private readonly List<Endpoint> _endpoints = [];
    private readonly List<ServerCertificates> _certificates = []; // of the endpoints with TLS
    private readonly List<EndPoint> _endPoints = []; // the bound addresses of _endpoints
    private readonly ResumeTable? _resume; // null without a resume window
    private readonly SegmentPool _pool;
    private readonly RoomServices _roomServices;
    private readonly List<IServerPart> _parts = [];
    private HandlerWatchdog? _watchdog;
    private readonly object _gate = new();
    private readonly CancellationTokenSource _stopAsked = new(); // not disposed: it has no timer, and a start may still look at it
    private readonly TaskCompletionSource _startEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task? _stopping; // written under _gate
    private volatile bool _hasListened;

    internal RunningServer(
        PlayChatOptions options,
        string optionsPath,
        ServerHandlers handlers,
        FrameFormat format,
        PacketSet packets,
        ITransport transport,
        TimeProvider time,
        ILoggerFactory loggers,
        IServiceProvider? provider,
        ArrayPool<byte> pool)
    {
        _pool = new SegmentPool(pool);
        _options = options;
        _optionsPath = optionsPath;
        _handlers = handlers;
        _transport = transport;
        _time = time;
        Metrics = new ServerMetrics(provider?.GetService<IMeterFactory>(), time);
        Metrics.AddPool(() => _pool.Statistics);
        ILogger logger = loggers.CreateLogger("PlayChat.Core");
        Logger = logger;
        PacketDispatcher? dispatcher = handlers.Router?.Start(Metrics, logger, time);
        _roomServices = new RoomServices
        {
            Format = format,
            Packets = packets,
            Outlet = handlers.Router?.Outlet,
            Provider = provider ?? NoServices.Instance,
            Options = options.Rooms,
            MaxTurnBytes = options.Connections.MaxOutboundBytes / 8,
            ReplayBytes = options.Sessions.ReplayBytes,
            Pool = _pool,
            Metrics = Metrics,
            Time = time,
            Logger = logger,
            FindInvoker = dispatcher is null ? null : dispatcher.FindRoomInvoker,
        };
        Rooms = new RoomRegistry(_roomServices);
        _connectionServices = new ConnectionServices
        {
            Format = format,
            Packets = packets,
            Outlet = handlers.Router?.Outlet,
            Handler = handlers.CreateConnectionHandler(OnEnded, dispatcher),
            Stream = handlers.Stream,
            Options = options.Connections,
            Pool = _pool,
            Metrics = Metrics,
            Time = time,
            Logger = logger,
        };
        _connectionServices.Set(Rooms);
        var deadlines = new SessionDeadlines(
            options.Sessions,
            time.TimestampFrequency,
            CloseOverdue,
            handlers.Heartbeat is not null ? AskForHeartbeat
                : handlers.Router is not null && format.HasHeartbeat ? static session => Heartbeat.Ask(session.Connection)
                : null);
        _budget = LinkBudget.Read();
        _refusals = new RefusalLog(logger, time);
        _idleCloses = new IdleCloseLog(logger, time, options.Sessions, optionsPath);
        _admission = new Admission(options.Connections, _budget, Metrics, time, _refusals);
        _handshakes = new HandshakeServices(_admission, _refusals, options.Connections, Metrics, time)
        {
            Logger = logger,
            PacketJson = format.HasHeartbeat ? new PacketJson(packets) : null,
        };
        _connections = new ConnectionSet(
            options.Connections, time, options.Sessions.SweepInterval, deadlines.Inspect, _budget.MaxConnections);
        if (options.Sessions.ResumeWindow > TimeSpan.Zero)
        {
            _resume = new ResumeTable(options.Sessions.ResumeWindow, options.Connections.MaxConnections, time, Metrics)
            {
                KeepsFrames = options.Sessions.ReplayBytes > 0,
            };
        }

        ResumeStorage? storage = handlers.ResumeStore is { } store
            ? new ResumeStorage(store, handlers.ResumeTokenLifetime, time, Metrics, logger)
            : null;
        Sessions = new SessionRegistry(Metrics, _connections.Find, _resume, storage)
        {
            Ended = handlers.SessionEnded is null ? null : OnSessionEnded,
            Audience = new SessionAudience(_connections, _connectionServices),
        };
        _connectionServices.Set(Sessions);
        _refused = new ConnectionSet(
            new ConnectionOptions { MaxConnections = _budget.MaxRefused }, time, options.Sessions.SweepInterval, inspect: null);
    }

    internal IReadOnlyList<EndPoint> EndPoints => _endPoints;

    /// <summary>What the connections of the server have in common.</summary>
    internal ConnectionServices ConnectionServices => _connectionServices;

    internal TimeProvider Time => _time;

    /// <summary>The cluster that shares rooms of the server. Set once, by a part of the server that is about to start.</summary>
    internal IRoomCluster? RoomCluster
    {
        set => _roomServices.Cluster = value;
    }

    internal RoomRegistry Rooms { get; }

    internal SessionRegistry Sessions { get; }

    internal ServerMetrics Metrics { get; }

    internal ILogger Logger { get; }

    public async ValueTask DisposeAsync() => await StopAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);

    /// <summary>Cancelled when a stop was asked for.</summary>
    internal CancellationToken StopAsked => _stopAsked.Token;

    /// <summary>Lets a stop proceed that was asked for during the start.</summary>
    internal void EndStart() => _startEnded.TrySetResult();

    internal Task StartAsync(IServerPart part, CancellationToken cancellationToken)
    {
        _parts.Add(part);
        return part.StartAsync(cancellationToken);
    }

    /// <summary>Binds all addresses. Clients that connect wait for <see cref="Accept"/>.</summary>
    internal void Bind()
    {
        for (int i = 0; i < _options.Endpoints.Count; i++)
        {
            EndpointOptions endpoint = _options.Endpoints[i];
            _ = EndpointOptions.TryParse(endpoint.Address, out IPEndPoint address);
            string path = EndpointOptions.TlsPath(_optionsPath, i);
            ServerCertificates? certificates = null;
            if (endpoint.Tls.IsSet)
            {
                // Before the address is bound: an unreadable certificate must leave nothing open.
                certificates = new ServerCertificates(endpoint.Tls, path, _time, Logger);
                _certificates.Add(certificates);
            }

            TransportListener listener =
                TransportOf(endpoint).Listen(endpoint.Inherited ?? (EndPoint)address, _options.Transport, Logger);
            Handshakes? handshakes = Handshakes.Create(endpoint, certificates, _handshakes);
            if (!endpoint.ProxyProtocol.IsEnabled)
            {
                listener = new AdmittingListener(
                    listener,
                    _admission,
                    canTell: certificates is null && !endpoint.WebSocket.Enabled,
                    handshakes is { HasForwarders: true } ? handshakes.IsForwarder : null);
            }

            _endpoints.Add(new Endpoint(
                listener,
                handshakes,
                _time,
                Logger,
                Open,
                Metrics));
            _endPoints.Add(_endpoints[i].EndPoint);
        }
    }

    /// <summary>Accepts clients at all bound addresses.</summary>
    internal void Accept()
    {
        _watchdog = new HandlerWatchdog(
            _connectionServices, hasEngines: _options.Endpoints.Any(endpoint => TransportOf(endpoint).CompletesInline));
        _budget.Log(Logger, _options.Connections.MaxConnections, _optionsPath);
        _hasListened = true;
        foreach (Endpoint endpoint in _endpoints)
        {
            endpoint.Start();
            HostingLog.Listening(Logger, endpoint.EndPoint);
        }
    }

    /// <summary>What links of other servers need as well.</summary>
    internal HandshakeServices HandshakeServices => _handshakes;

    /// <summary>Whether links are served: the server has started, and does not stop.</summary>
    internal bool IsServing => _hasListened && Volatile.Read(ref _stopping) is null;

    /// <summary>Serves a link that another server has accepted. While this server does not serve, the link is aborted.</summary>
    /// <param name="link">Owned from now on.</param>
    internal void Serve(TransportConnection link)
    {
        if (!IsServing)
        {
            link.Abort();
            link.Dispose();
            return;
        }

        if (!_admission.TryEnter(link, canTell: true))
        {
            return;
        }

        try
        {
            Open(link);
        }
        catch (Exception e)
        {
            // As in an endpoint: no other code owns the link now.
            HostingLog.OpenFault(Logger, e, link.RemoteEndPoint);
            link.Abort();
            link.Dispose();
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

    private ITransport TransportOf(EndpointOptions endpoint) => endpoint.Transport ?? _transport;

    internal Task StopAsync(CancellationToken cancellationToken)
    {
        bool hurry;
        Task stopping;
        _stopAsked.Cancel();
        lock (_gate)
        {
            hurry = _stopping is { IsCompleted: false } && cancellationToken.IsCancellationRequested;
            // On the thread pool: a drain calls the application, which must not happen under the gate.
            stopping = _stopping ??= Task.Run(() => DrainAsync(cancellationToken), CancellationToken.None);
        }

        if (hurry)
        {
            AbortAll();
        }

        return stopping;
    }

    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        // Also with a cancelled token: the start has been asked to end.
        await _startEnded.Task.WaitAsync(s_lastPatience, _time, CancellationToken.None)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // A failed start throws its own error, and had nothing to drain that a log should mention.
        ILogger logger = _hasListened ? Logger : NullLogger.Instance;
        using var timeout = new CancellationTokenSource(_options.StopTimeout, _time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        HostingLog.Stopping(logger, _connections.Count);
        foreach (Endpoint endpoint in _endpoints)
        {
            await endpoint.DisposeAsync().ConfigureAwait(false);
        }

        foreach (ServerCertificates certificates in _certificates)
        {
            certificates.Dispose();
        }

        Sessions.StopResuming();
        Task empty = Task.WhenAll(_connections.CloseAsync(), _refused.CloseAsync());
        try
        {
            patience.Token.ThrowIfCancellationRequested();
            // Frames that were received before are handled, so their jobs are queued in rooms; a room drains when it has run them.
            await Rooms.DrainAsync(patience.Token).ConfigureAwait(false);
            foreach (IServerPart part in _parts)
            {
                await part.HandOverAsync(patience.Token).ConfigureAwait(false);
            }

            foreach (Connection connection in _connections.All)
            {
                connection.TellAndClose(CloseReason.ServerShutdown);
            }

            await empty.WaitAsync(patience.Token).ConfigureAwait(false);
            // The sessions have ended. Rooms learn of it in one more turn, and then end as well.
            await Rooms.EndAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            HostingLog.Aborting(logger, _connections.Count);
            AbortAll();
            await HandlersReturnedAsync(empty, logger).ConfigureAwait(false);
            _roomServices.Dispose(); // wakes the rooms that wait for their flush interval
            await RoomsEndedAsync(logger).ConfigureAwait(false);
        }

        foreach (IServerPart part in _parts)
        {
            await part.DisposeAsync().ConfigureAwait(false);
        }

        _connections.Dispose();
        _refused.Dispose();
        _resume?.Dispose();
        _roomServices.Dispose();
        _watchdog?.Dispose();
        Metrics.Dispose();
        _pool.Close();
        HostingLog.Stopped(logger);
    }

    /// <summary>
    /// Waits a bounded time for handlers that still run: every link is aborted, so only those that ignore their token do.
    /// </summary>
    private async Task HandlersReturnedAsync(Task empty, ILogger logger)
    {
        try
        {
            await empty.WaitAsync(s_lastPatience, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            HostingLog.HandlersLeft(logger, _connections.Count);
        }
    }

    /// <summary>Ends the rooms, and waits a bounded time: a turn that does not return must not delay the stop without end.</summary>
    private async Task RoomsEndedAsync(ILogger logger)
    {
        using var patience = new CancellationTokenSource(s_lastPatience, _time);
        try
        {
            await Rooms.EndAsync(patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            HostingLog.RoomsLeft(logger);
        }
    }

    private void AbortAll()
    {
        foreach (Connection connection in _connections.All.Concat(_refused.All))
        {
            connection.Abort(CloseReason.ServerShutdown);
        }
    }

    /// <summary>Sets an accepted link up. If this method throws, the caller still owns the link.</summary>
    private void Open(TransportConnection link)
    {
        var connection = new Connection(link, _connectionServices);
        if (link.PeerCertificate is { } certificate)
        {
            connection.Set(certificate);
        }

        if (link.User is { } user)
        {
            connection.Set(user);
        }

        CloseReason refusal = link.Refusal != CloseReason.None ? link.Refusal : _connections.TryAdd(connection);
        if (refusal != CloseReason.None)
        {
            _refusals.Refused(link.RemoteEndPoint, refusal);
            Metrics.Add(Counter.ConnectionsRefused);
            if (_refused.TryAdd(connection) != CloseReason.None)
            {
                link.Abort(); // too many refused connections at once to tell each one why
                link.Dispose();
                return;
            }

            connection.WasRefused = true;
        }

        try
        {
            if (refusal == CloseReason.None)
            {
                Welcome(connection);
            }
            else
            {
                connection.TellAndClose(refusal);
            }
        }
        catch (Exception e)
        {
            // A fault of this server, or of the application's log or transport.
            connection.Abort(CloseReason.TransportFault);
            HostingLog.OpenFault(Logger, e, link.RemoteEndPoint);
        }
        finally
        {
            connection.Start(); // always: the connection is in a set by now, and only its end removes it and frees the link
        }
    }

    private void Welcome(Connection connection)
    {
        Metrics.Add(Counter.ConnectionsAccepted);
        Session session = Sessions.Open(connection);
        if (Logger.IsEnabled(LogLevel.Debug))
        {
            ConnectionLog.Opened(Logger, connection.Id, connection.RemoteEndPoint); // reading the address allocates it
        }

        try
        {
            _handlers.Connected?.Invoke(session);
        }
        catch (Exception e)
        {
            HostingLog.ConnectedHandlerFault(Logger, e, connection.Id);
            Metrics.Add(Counter.HandlerFaults);
            connection.TellAndClose(CloseReason.HandlerFault);
        }
    }

    private void CloseOverdue(Connection connection, CloseReason reason)
    {
        _idleCloses.Closing(connection, reason);
        connection.TellAndClose(reason);
    }

    private void AskForHeartbeat(Session session)
    {
        try
        {
            _handlers.Heartbeat!(session);
        }
        catch (Exception e)
        {
            // The exception must not end the sweep, which serves the deadlines of all other sessions.
            HostingLog.HeartbeatHandlerFault(Logger, e, session.Id);
            Metrics.Add(Counter.HandlerFaults);
        }
    }

    private void OnSessionEnded(Session session, CloseReason reason)
    {
        try
        {
            _handlers.SessionEnded!(session, reason);
        }
        catch (Exception e)
        {
            // The application's code; the caller may be the end of a connection, or the timer of all sessions that are away.
            HostingLog.SessionEndedHandlerFault(Logger, e, session.Id);
            Metrics.Add(Counter.HandlerFaults);
        }
    }

    private void OnEnded(Connection connection)
    {
        Sessions.OnConnectionEnded(connection, connection.CloseReason);
        (connection.WasRefused ? _refused : _connections).Remove(connection);
    }
}
