using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>A started server: makes its parts, and sets links up.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private readonly PlayChatOptions _options;
    private readonly string _optionsPath;
    private readonly ServerHandlers _handlers;
    private readonly ConnectionSet _connections;
    private readonly ConnectionSet _refused; // over a limit: each is told why and closed
    private readonly LinkBudget _budget;
    private readonly Admission _admission;
    private readonly RefusalLog _refusals;
    private readonly IdleCloseLog _idleCloses;
    private readonly EndpointSet _endpoints;
    private readonly ResumeTable? _resume; // null without a resume window
    private readonly SegmentPool _pool;
    private readonly PoolTrimmer _poolTrimmer;
    private readonly List<IServerPart> _parts = [];
    private readonly ServerDrain _drain;
    private HandlerWatchdog? _watchdog;

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
        Time = time;
        Metrics = new ServerMetrics(provider?.GetService<IMeterFactory>(), time);
        Metrics.AddPool(() => _pool.Statistics);
        _poolTrimmer = new PoolTrimmer(_pool, time, () => Metrics.Read(Counter.Receives) + Metrics.Read(Counter.Sends));
        ILogger logger = loggers.CreateLogger("PlayChat.Core");
        Logger = logger;
        PacketDispatcher? dispatcher = handlers.Router?.Start(Metrics, logger, time);
        RoomServices = new RoomServices
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
        Rooms = new RoomRegistry(RoomServices);
        ConnectionServices = new ConnectionServices
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
        ConnectionServices.Set(Rooms);
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
        // The bytes of a stream need not be packets, so they have no JSON form.
        PacketJson? packetJson = format.HasHeartbeat && handlers.Stream is null ? new PacketJson(packets) : null;
        HandshakeServices = new HandshakeServices(_admission, _refusals, options.Connections, Metrics, time)
        {
            Logger = logger,
            PacketJson = packetJson,
            Subprotocols = packetJson is not null ? [WebSocketUpgrade.Binary, WebSocketUpgrade.Json]
                : format.HasHeartbeat ? [WebSocketUpgrade.Binary]
                : [],
        };
        _endpoints = new EndpointSet(options, optionsPath, transport, HandshakeServices, Open);
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
            MaxPerUser = options.Sessions.MaxPerUser,
            Audience = new SessionAudience(_connections, ConnectionServices),
        };
        ConnectionServices.Set(Sessions);
        _refused = new ConnectionSet(
            new ConnectionOptions { MaxConnections = _budget.MaxRefused }, time, options.Sessions.SweepInterval, inspect: null);
        _drain = new ServerDrain(options, time, logger, _endpoints, Sessions, Rooms, RoomServices, _connections, _refused, _parts, Free);
    }

    internal IReadOnlyList<EndPoint> EndPoints => _endpoints.Addresses;

    internal int ConnectionLimit => _connections.Limit;

    /// <summary>What the connections of the server have in common.</summary>
    internal ConnectionServices ConnectionServices { get; }

    internal TimeProvider Time { get; }

    /// <summary>The services of the rooms. A part of the server that is about to start sets its own there, once.</summary>
    internal RoomServices RoomServices { get; }

    internal RoomRegistry Rooms { get; }

    internal SessionRegistry Sessions { get; }

    internal ServerMetrics Metrics { get; }

    internal ILogger Logger { get; }

    public ValueTask DisposeAsync() => _drain.DisposeAsync();

    internal CancellationToken StopAsked => _drain.Asked;

    internal bool IsServing => _drain.IsServing;

    /// <summary>What links of other servers need as well.</summary>
    internal HandshakeServices HandshakeServices { get; }

    internal void EndStart() => _drain.EndStart();

    internal Task StartAsync(IServerPart part, CancellationToken cancellationToken)
    {
        _parts.Add(part);
        return part.StartAsync(cancellationToken);
    }

    internal void Bind() => _endpoints.Bind();

    internal void Accept()
    {
        _watchdog = new HandlerWatchdog(ConnectionServices, hasEngines: _endpoints.CompletesInline);
        _budget.Log(Logger, _options.Connections.MaxConnections, _optionsPath);
        _drain.BeginServing();
        _endpoints.Accept();
    }

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

    /// <summary>Makes the services of connections that stand for clients elsewhere: nothing is received on them.</summary>
    internal ConnectionServices CreateStandIns(FrameFormat format, PacketOutlet? outlet = null)
    {
        var services = new ConnectionServices
        {
            Format = format,
            Packets = ConnectionServices.Packets,
            Outlet = outlet,
            Handler = new SilentHandler(),
            Options = _options.Connections,
            Pool = _pool,
            Metrics = Metrics,
            Time = Time,
            Logger = Logger,
        };
        services.Set(Rooms);
        services.Set(Sessions);
        return services;
    }

    internal bool ReloadCertificates() => _endpoints.ReloadCertificates();

    internal Task StopAsync(CancellationToken cancellationToken) => _drain.StopAsync(cancellationToken);

    private void Free()
    {
        _connections.Dispose();
        _refused.Dispose();
        _resume?.Dispose();
        RoomServices.Dispose();
        _watchdog?.Dispose();
        Metrics.Dispose();
        _poolTrimmer.Dispose();
        _pool.Close();
    }

    /// <summary>Sets an accepted link up. If this method throws, the caller still owns the link.</summary>
    private void Open(TransportConnection link)
    {
        var connection = new Connection(link, ConnectionServices);
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

    private void AskForHeartbeat(Session session) => Call(session, _handlers.Heartbeat!, HostingLog.HeartbeatHandlerFault);

    private void OnSessionEnded(Session session, CloseReason reason) =>
        Call(session, ended => _handlers.SessionEnded!(ended, reason), HostingLog.SessionEndedHandlerFault);

    private void Call(Session session, Action<Session> handler, Action<ILogger, Exception, long> logFault)
    {
        try
        {
            handler(session);
        }
        catch (Exception e)
        {
            // The application's exception must not end the caller: the sweep that serves the deadlines of all sessions, the end of a
            // connection, or the timer of all sessions that are away.
            logFault(Logger, e, session.Id);
            Metrics.Add(Counter.HandlerFaults);
        }
    }

    private void OnEnded(Connection connection)
    {
        Sessions.OnConnectionEnded(connection, connection.CloseReason);
        (connection.WasRefused ? _refused : _connections).Remove(connection);
    }

    private sealed class SilentHandler : IConnectionHandler
    {
        public ValueTask HandleAsync(Connection connection, in Frame frame) => default;

        public void OnClosed(Connection connection, CloseReason reason)
        {
        }
    }
}
