using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>A socket server: configure it by its <c>Use…</c> and <c>On…</c> methods, then start it once.</summary>
/// <remarks>
/// Call the set-up methods from one thread, before <see cref="StartAsync"/>; everything else is thread-safe. The default framing is
/// <see cref="FrameFormat.Packet"/>.
/// </remarks>
public sealed class PlayChatServer : IAsyncDisposable
{
    private readonly PlayChatOptions _options = new();
    private readonly ServerHandlers _handlers = new();
    private FrameFormat _format = FrameFormat.Packet();
    private PacketSet _packets = new();
    private ITransport _transport = SocketTransport.Instance;
    private TimeProvider _time = TimeProvider.System;
    private ILoggerFactory _loggers = NullLoggerFactory.Instance;
    private ArrayPool<byte> _pool = ArrayPool<byte>.Shared;
    private int? _seed;
    private IServiceProvider? _provider;
    private Action<PacketRouter>? _configurePackets;
    private Action<PacketRouter>? _mapLogin;
    private RunningServer? _running;
    private readonly Dictionary<Type, Func<RunningServer, IServerPart>> _parts = [];
    private bool _isHosted;

    /// <summary>Makes a server.</summary>
    /// <param name="configure">Sets the options; a server needs at least one endpoint.</param>
    public PlayChatServer(Action<PlayChatOptions>? configure = null)
    {
        configure?.Invoke(_options);
    }

    /// <summary>The configuration section of the settings, so that messages name keys in full.</summary>
    internal string OptionsPath { get; set; } = "PlayChat";

    /// <summary>The settings; unchanged once the server has started.</summary>
    public PlayChatOptions Options => _options;

    /// <summary>The bound addresses, in the order of the options; port 0 is replaced by the port that the system chose.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public IReadOnlyList<EndPoint> EndPoints => Running.EndPoints;

    /// <summary>The most connections that the server takes: <see cref="ConnectionOptions.MaxConnections"/>, or fewer once it has started
    /// and the system allows the process fewer open files. Thread-safe.</summary>
    public int ConnectionLimit => _running?.ConnectionLimit ?? _options.Connections.MaxConnections;

    /// <summary>The rooms.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public RoomRegistry Rooms => Running.Rooms;

    /// <summary>The sessions.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public SessionRegistry Sessions => Running.Sessions;

    /// <summary>The server's counters.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public ServerMetrics Metrics => Running.Metrics;

    /// <summary>The running server; <see langword="null"/> before the start.</summary>
    internal RunningServer? Started => _running;

    /// <summary>Where the server logs, started or not.</summary>
    internal ILogger Logger => _running?.Logger ?? _loggers.CreateLogger("PlayChat.Core");

    private RunningServer Running => _running ?? throw new InvalidOperationException("The server has not been started.");

    /// <summary>Sets how frames look on the wire. Default <see cref="FrameFormat.Packet"/> with 64 KB.</summary>
    public PlayChatServer UseFraming(FrameFormat format) => Set(format, ref _format);

    /// <summary>Sets the packets of the protocol, so that you map and send them by their message types. Default none.</summary>
    /// <param name="packets">The server seals the set when it starts.</param>
    public PlayChatServer UsePackets(PacketSet packets) => Set(packets, ref _packets);

    /// <summary>Sets the transport of the endpoints that have none of their own. Default <see cref="SocketTransport"/>.</summary>
    public PlayChatServer UseTransport(ITransport transport) => Set(transport, ref _transport);

    /// <summary>Sets the receiver of log messages. Without it nothing is logged.</summary>
    public PlayChatServer UseLogging(ILoggerFactory loggers) => Set(loggers, ref _loggers);

    /// <summary>Sets the clock of all deadlines. Default <see cref="TimeProvider.System"/>.</summary>
    public PlayChatServer UseTime(TimeProvider time) => Set(time, ref _time);

    /// <summary>Seeds the random numbers of all rooms (<see cref="RoomContext.Random"/>), so that a test can repeat them. Default: other
    /// numbers in each run.</summary>
    public PlayChatServer UseSeed(int seed) => Do(() => _seed = seed);

    /// <summary>
    /// Sets the pool of all buffers. Default <see cref="ArrayPool{T}.Shared"/>. The server keeps rented memory for reuse, and returns what
    /// has been idle for 20 to 40 seconds. After a stop it returns all of it, as soon as the last connection has released its buffers.
    /// </summary>
    /// <param name="pool">Must be thread-safe.</param>
    public PlayChatServer UsePool(ArrayPool<byte> pool) => Set(pool, ref _pool);

    /// <summary>
    /// Sets the services that handler classes get as constructor arguments. <c>AddPlayChat</c> sets those of the generic host.
    /// </summary>
    public PlayChatServer UseServices(IServiceProvider provider) => Set(provider, ref _provider!);

    /// <summary>
    /// Keeps resume tokens in a store, so that a client can resume after a restart of the server: its user is logged in again, without
    /// rooms (<see cref="Resumption.IsRestored"/>). Without a store, tokens end with the server. It has no effect without
    /// <see cref="SessionOptions.ResumeWindow"/>.
    /// </summary>
    /// <param name="store">The store; it outlives the server and is not disposed.</param>
    /// <param name="tokenLifetime">How long a token is valid after it was saved last; above 0. Default 1 day.</param>
    /// <exception cref="ArgumentOutOfRangeException">The lifetime is not above 0.</exception>
    public PlayChatServer UseResumeStore(IResumeStore store, TimeSpan? tokenLifetime = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        TimeSpan lifetime = tokenLifetime ?? TimeSpan.FromDays(1);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(lifetime, TimeSpan.Zero, nameof(tokenLifetime));
        return Do(() => (_handlers.ResumeStore, _handlers.ResumeTokenLifetime) = (store, lifetime));
    }

    /// <summary>
    /// Lets clients log in, and resume, with their first packet. All other packets then need a login
    /// (<see cref="PacketRouter.RequireLogin"/>), and a client that has none after 10 seconds is closed, unless you set
    /// <see cref="SessionOptions.LoginTimeout"/>. <see cref="Clients.LoginClient{TLogin, TAnswer}"/> is the client's side.
    /// </summary>
    /// <param name="rules">Which users may log in, and what follows.</param>
    /// <param name="attemptsPerMinute">
    /// How many logins a connection may send, 1 to 1,000,000. What happens to one more says <see cref="PacketRouter.OnRateLimited"/>.
    /// </param>
    /// <exception cref="InvalidOperationException">The server has a login already, or has been started.</exception>
    public PlayChatServer UseLogin<TLogin, TAnswer>(LoginRules<TLogin, TAnswer> rules, int attemptsPerMinute = 10)
    {
        ArgumentNullException.ThrowIfNull(rules);
        if (_mapLogin is not null)
        {
            throw new InvalidOperationException("The server has a login already: call UseLogin once.");
        }

        if (_options.Sessions.LoginTimeout == Timeout.InfiniteTimeSpan)
        {
            _options.Sessions.LoginTimeout = TimeSpan.FromSeconds(10);
        }

        return Do(() => _mapLogin = router => rules.Map(router, attemptsPerMinute));
    }

    /// <summary>Adds a part, made when the server starts.</summary>
    /// <exception cref="InvalidOperationException">The server has one of this type.</exception>
    internal PlayChatServer UsePart<TPart>(Func<RunningServer, TPart> make)
        where TPart : IServerPart
    {
        RequireNotStarted();
        return _parts.TryAdd(typeof(TPart), running => make(running))
            ? this
            : throw new InvalidOperationException($"The server has a {typeof(TPart).Name} already: set it up once.");
    }

    /// <summary>Serves connections that another server accepts, such as Kestrel. The server then needs no endpoint of its own.</summary>
    /// <returns>Takes the connections. May be called after the start as well, if the server has endpoints.</returns>
    /// <remarks>Handlers, sessions, rooms, limits and close reasons are those of the server's own endpoints.</remarks>
    public HostedEndpoint Host()
    {
        _isHosted = true;
        return new HostedEndpoint(this);
    }

    /// <summary>
    /// Serves WebSockets whose HTTP requests another server reads, such as Kestrel. The server then needs no endpoint of its own.
    /// </summary>
    /// <param name="options">
    /// Origins, hosts and the longest message. <see cref="WebSocketOptions.Enabled"/> and <see cref="WebSocketOptions.Path"/> have no
    /// effect: the other server decides which requests are for a WebSocket. Default: the defaults of the options.
    /// </param>
    /// <returns>Judges the requests and takes the upgraded connections.</returns>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    /// <exception cref="ArgumentException"><see cref="WebSocketOptions.Content"/> is set; the other server serves files.</exception>
    public HostedWebSocket HostWebSocket(WebSocketOptions? options = null)
    {
        options ??= new WebSocketOptions();
        if (options.Content is not null)
        {
            throw new ArgumentException(
                "Content is for endpoints of PlayChat; serve files by the server that reads the requests.", nameof(options));
        }

        string[] problems = [.. options.Validate(nameof(WebSocketOptions))];
        if (problems.Length > 0)
        {
            throw new OptionsException(problems);
        }

        _isHosted = true;
        return new HostedWebSocket(this, options);
    }

    /// <summary>
    /// Handles every frame as bytes. A server uses either this, <see cref="OnFrameAsync"/>, <see cref="OnPackets"/> or
    /// <see cref="OnStream"/>.
    /// </summary>
    /// <param name="handler">Runs on the connection's receive loop and must not block. Its answers go out in one send per batch.</param>
    public PlayChatServer OnFrame(FrameHandler handler) => Handle(handler, () => _handlers.Frame = handler);

    /// <summary>Handles every frame as bytes, like <see cref="OnFrame"/>, with a handler that may await.</summary>
    /// <param name="handler">The server handles the connection's next frame after the returned task has completed.</param>
    public PlayChatServer OnFrameAsync(AsyncFrameHandler handler) => Handle(handler, () => _handlers.FrameAsync = handler);

    /// <summary>Handles frames by their packet ids.</summary>
    /// <param name="configure">Maps ids to handlers. The server calls it when it starts.</param>
    public PlayChatServer OnPackets(Action<PacketRouter> configure) => Handle(configure, () => _configurePackets = configure);

    /// <summary>
    /// Handles every connection as a stream of bytes, without frames: for proxies, file transfer and libraries with a protocol of their
    /// own.
    /// </summary>
    /// <param name="handler">
    /// <para>
    /// Handles a connection from its first byte to its end, on the thread pool. The connection's <c>Send</c> and its rooms reach no peer:
    /// they return <see langword="false"/>.
    /// </para>
    /// <para>
    /// The pipe has the bytes of the connection. The input completes when the peer has sent its last byte (FIN); the output still works
    /// then. Complete the output to send a FIN and read on. When the link breaks, a read throws <see cref="ConnectionClosedException"/>,
    /// and a flush returns <see cref="FlushResult.IsCompleted"/>.
    /// </para>
    /// <para>
    /// A flush waits while the peer has not taken 64 KB (or <see cref="ConnectionOptions.MaxOutboundBytes"/>, if that is less), and nothing
    /// is received while the handler has not read 64 KB. The handler may leave both halves open or complete them. Use nothing of the pipe
    /// after the handler's task has completed.
    /// </para>
    /// <para>
    /// The token is cancelled when the connection closes or is aborted, or the server stops. After a close the handler may still read and
    /// write until <see cref="ConnectionOptions.CloseTimeout"/>, and after a stop of the server until
    /// <see cref="PlayChatOptions.StopTimeout"/>; then the link is aborted.
    /// </para>
    /// </param>
    /// <remarks>
    /// <para>
    /// When the handler's task has completed, what it has written is sent, and the connection closes as
    /// <see cref="CloseReason.PeerClosed"/> if the peer had sent its FIN, otherwise as <see cref="CloseReason.LocalClose"/>. When it
    /// throws, the exception is logged and counted, and the connection closes as <see cref="CloseReason.HandlerFault"/>; its own cancelled
    /// token and the end of its own connection are no faults.
    /// </para>
    /// <para>
    /// All limits of connections but <see cref="ConnectionOptions.BytesPerSecond"/> and <see cref="ConnectionOptions.FramesPerSecond"/>,
    /// TLS, sessions with their deadlines, and the figures of bytes apply as to frames. Bytes that are sent count as activity for
    /// <see cref="SessionOptions.IdleTimeout"/> as well.
    /// </para>
    /// </remarks>
    public PlayChatServer OnStream(Func<Connection, IDuplexPipe, CancellationToken, Task> handler) =>
        Handle(handler, () => _handlers.Stream = handler);

    /// <summary>Adds a handler for every new session. It runs before the session's first frame, in the order of acceptance on each
    /// endpoint, and must not block.</summary>
    public PlayChatServer OnConnected(Action<Session> handler) => Do(() => _handlers.Connected += handler);

    /// <summary>
    /// Adds a handler for every session whose link has ended. It runs before the session's rooms are told, and must not block.
    /// </summary>
    /// <remarks>
    /// It is called once for each connection. With <see cref="SessionOptions.ResumeWindow"/> the session may continue: it becomes away, or
    /// it has moved to another connection already. <see cref="OnSessionEnded"/> is called for its end.
    /// </remarks>
    public PlayChatServer OnDisconnected(Action<Session, CloseReason> handler) => Do(() => _handlers.Disconnected += handler);

    /// <summary>
    /// Adds a handler for every session that has ended, with the reason. It runs after the session's rooms are told, and must not block.
    /// </summary>
    /// <remarks>
    /// <para>It is called exactly once for each session of <see cref="OnConnected"/>, except for one whose connection was taken by a
    /// session that resumed (<see cref="SessionRegistry.ResumeAsync"/>). For a session that cannot resume it follows
    /// <see cref="OnDisconnected"/> at once.</para>
    /// <para>The reason is the connection's close reason; for an away session, why its connection was lost. It is
    /// <see cref="CloseReason.TakenOver"/> if the user has logged in elsewhere while the session was away,
    /// <see cref="CloseReason.ServerShutdown"/> if the server has stopped, and the one given to <see cref="SessionRegistry.EndAsync"/>
    /// after a logout.</para>
    /// </remarks>
    public PlayChatServer OnSessionEnded(Action<Session, CloseReason> handler) => Do(() => _handlers.SessionEnded += handler);

    /// <summary>
    /// Adds a handler for a peer that was silent for <see cref="SessionOptions.HeartbeatInterval"/>. It sends the peer a frame that asks
    /// for an answer, and takes the place of PlayChat's own heartbeat, which a server of packets with
    /// <see cref="FrameFormat.Packet"/> sends otherwise.
    /// </summary>
    public PlayChatServer OnHeartbeat(Action<Session> handler) => Do(() => _handlers.Heartbeat += handler);

    /// <summary>
    /// Adds a handler that runs before the server closes a connection: for a limit, a deadline, a bad frame, a failed handler or a
    /// shutdown. It can send the peer a frame that says why, and must not block.
    /// </summary>
    public PlayChatServer OnClosing(Action<Connection, CloseReason> handler) => Do(() => _handlers.Closing += handler);

    /// <summary>
    /// Adds a handler for bytes that are no frame, such as those of a peer that speaks another protocol. It runs before
    /// <see cref="OnClosing"/>, and must not block.
    /// </summary>
    public PlayChatServer OnBadFrame(BadFrameHandler handler) => Do(() => _handlers.BadFrame += handler);

    /// <summary>
    /// Adds a task that the start waits for when all addresses are bound and no client has been accepted yet, for example to announce the
    /// server. Clients that connect meanwhile wait. If the task fails, so does the start, and nothing is left open.
    /// </summary>
    /// <param name="handler">Gets the token of <see cref="StartAsync"/>. Handlers run one after the other, before those of
    /// <see cref="OnStarting"/>.</param>
    public PlayChatServer OnBound(Func<CancellationToken, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Do(() => _handlers.Bound.Add(handler));
    }

    /// <summary>
    /// Adds a handler that runs just before the server accepts its first client. <see cref="Rooms"/> and <see cref="Sessions"/> exist by
    /// then.
    /// </summary>
    public PlayChatServer OnStarting(Action<PlayChatServer> handler) => Do(() => _handlers.Starting += handler);

    /// <summary>
    /// Creates a room when the server starts, before it accepts clients. Find it by its name: <c>context.Rooms.Get&lt;TRoom&gt;(name)</c>.
    /// The start throws what <see cref="RoomRegistry.Create{TRoom}(string, Func{RoomContext, TRoom}?)"/> throws.
    /// </summary>
    /// <param name="name">The room's name.</param>
    /// <param name="make">
    /// Creates the room with the context that it gets. By default the room's constructor gets the <see cref="RoomContext"/> and, for its
    /// other parameters, the server's services.
    /// </param>
    public PlayChatServer AddRoom<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        string name, Func<RoomContext, TRoom>? make = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(name);
        return OnStarting(server => server.Rooms.Create(name, make));
    }

    /// <inheritdoc cref="AddRoom{TRoom}(string, Func{RoomContext, TRoom}?)"/>
    /// <param name="settings">The settings with which the room begins.</param>
    /// <param name="make">
    /// Creates the room with the context that it gets. By default the room's constructor gets the <see cref="RoomContext"/> and, for its
    /// other parameters, the server's services.
    /// </param>
    public PlayChatServer AddRoom<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        RoomSettings settings, Func<RoomContext, TRoom>? make = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(settings);
        return OnStarting(server => server.Rooms.Create(settings, make));
    }

    /// <summary>Checks the options and reads the certificates, as <see cref="StartAsync"/> does first. Nothing is opened.</summary>
    /// <exception cref="OptionsException">An option is invalid, or a certificate is not usable.</exception>
    public void Validate()
    {
        _options.Validate(OptionsPath, _isHosted);
        for (int i = 0; i < _options.Endpoints.Count; i++)
        {
            if (_options.Endpoints[i].Tls is { IsSet: true } tls)
            {
                CertificateSet.Read(tls, EndpointOptions.TlsPath(OptionsPath, i));
            }
        }
    }

    /// <summary>Checks the options and starts listening. Call it once.</summary>
    /// <param name="cancellationToken">Checked once, before the start, which waits for nothing but a cluster
    /// (<c>UseRoomCluster</c>) and the handlers of <see cref="OnBound"/>. They get the token as well.</param>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    /// <exception cref="ListenFailedException">The system refuses an address; nothing is left open.</exception>
    /// <exception cref="InvalidOperationException">The server has been started before, or has none of the handlers that
    /// <see cref="OnFrame"/> lists.</exception>
    public async Task StartAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RequireNotStarted();
        _options.Validate(OptionsPath, _isHosted);
        _packets.Seal();
        if ((_mapLogin + _configurePackets) is { } configure) // the login first, so that OnPackets may change what it has set
        {
            if (_handlers.HasForm)
            {
                throw new InvalidOperationException("UseLogin needs packets: handle them by OnPackets.");
            }

            _handlers.Router = new PacketRouter(_provider, _packets);
            configure(_handlers.Router);
        }

        if (!_handlers.HasForm)
        {
            throw new InvalidOperationException("Nothing handles connections: call OnFrame, OnFrameAsync, OnPackets or OnStream.");
        }

        var running = new RunningServer(_options, OptionsPath, _handlers, _format, _packets, _transport, _time, _loggers, _provider, _pool);
        running.RoomServices.Seed = _seed;
        _running = running;
        using var starting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, running.StopAsked);
        try
        {
            // First: a second start of a server that runs fails here, before it takes the place of that server in a cluster.
            running.Bind();
            foreach (Func<RunningServer, IServerPart> make in _parts.Values)
            {
                await running.StartAsync(make(running), starting.Token).ConfigureAwait(false);
            }

            foreach (Func<CancellationToken, Task> bound in _handlers.Bound)
            {
                await bound(starting.Token).ConfigureAwait(false);
            }

            _handlers.Starting?.Invoke(this);
            starting.Token.ThrowIfCancellationRequested();
            running.Accept();
            running.EndStart();
        }
        catch
        {
            running.EndStart();
            await running.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Reads the certificates of all endpoints again. TLS handshakes that begin from now on use them; open connections stay as they are.
    /// </summary>
    /// <returns>
    /// <see langword="false"/> when the files of an endpoint do not hold what they should. That endpoint keeps the certificates it has, and
    /// the log names the problem. <see langword="true"/> also for a server without TLS.
    /// </returns>
    /// <remarks>
    /// The server also looks for changed files by itself, see <see cref="TlsOptions.CertificateCheckInterval"/>. Thread-safe.
    /// </remarks>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public bool ReloadCertificates() => Running.ReloadCertificates();

    /// <summary>
    /// Drains the server: stops accepting, lets the rooms finish their queues, tells every session (see <see cref="OnClosing"/>), delivers
    /// its queue, and closes it. Repeated calls return the same task.
    /// </summary>
    /// <param name="cancellationToken">Ends the drain early, as <see cref="PlayChatOptions.StopTimeout"/> does: open connections are
    /// aborted.</param>
    public Task StopAsync(CancellationToken cancellationToken = default) => _running?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <summary>Starts the server if it is not running, waits for Ctrl+C, SIGTERM, SIGHUP or the token, and drains it.</summary>
    /// <param name="cancellationToken">Starts the drain.</param>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        var stop = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var starting = new CancellationTokenSource();
        bool Stop()
        {
            bool isFirst = stop.TrySetResult();
            if (isFirst)
            {
                starting.Cancel();
            }

            return isFirst;
        }

        // The first signal starts the drain, after which the process ends. A second signal ends the process at once.
        void OnSignal(PosixSignalContext context) => context.Cancel = Stop();

        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnSignal);
        using CancellationTokenRegistration cancelled = cancellationToken.Register(() => Stop());
        if (_running is null)
        {
            try
            {
                await StartAsync(starting.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (starting.IsCancellationRequested)
            {
                return; // stopped before it had started
            }
        }

        await stop.Task.ConfigureAwait(false);
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Aborts every connection at once. To drain the server, call <see cref="StopAsync"/> before.</summary>
    public ValueTask DisposeAsync() => _running?.DisposeAsync() ?? ValueTask.CompletedTask;

    private PlayChatServer Set<T>(T value, ref T field)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(value);
        RequireNotStarted();
        field = value;
        return this;
    }

    private PlayChatServer Do(Action set)
    {
        RequireNotStarted();
        set();
        return this;
    }

    private PlayChatServer Handle(Delegate handler, Action set, [CallerArgumentExpression(nameof(handler))] string? name = null)
    {
        ArgumentNullException.ThrowIfNull(handler, name);
        RequireNotStarted();
        if (_handlers.HasForm || _configurePackets is not null)
        {
            throw new InvalidOperationException("A server handles connections in one form: OnFrame, OnFrameAsync, OnPackets or OnStream.");
        }

        set();
        return this;
    }

    private void RequireNotStarted()
    {
        if (_running is not null)
        {
            throw new InvalidOperationException("The server has been started; set it up before.");
        }
    }
}
