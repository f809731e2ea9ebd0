using System.Buffers;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>A socket server: configured by its <c>Use…</c> and <c>On…</c> methods, then started once.</summary>
/// <remarks>
/// The methods of the set-up are for one thread, before <see cref="StartAsync"/>; everything else is thread-safe. Without a framing
/// frames are <see cref="FrameFormat.Packet"/>.
/// </remarks>
public sealed partial class PlayChatServer : IAsyncDisposable
{
    private readonly PlayChatOptions _options = new();
    private readonly ServerHandlers _handlers = new();
    private FrameFormat _format = FrameFormat.Packet();
    private PacketSet _packets = new();
    private ITransport _transport = SocketTransport.Instance;
    private TimeProvider _time = TimeProvider.System;
    private ILoggerFactory _loggers = NullLoggerFactory.Instance;
    private ArrayPool<byte> _pool = ArrayPool<byte>.Shared;
    private IServiceProvider? _provider;
    private Action<PacketRouter>? _configurePackets;

    /// <summary>Makes a server.</summary>
    /// <param name="configure">Sets the options, at least one endpoint.</param>
    public PlayChatServer(Action<PlayChatOptions>? configure = null)
    {
        configure?.Invoke(_options);
    }

    /// <summary>The configuration section the settings come from, to name keys in full.</summary>
    internal string OptionsPath { get; set; } = "PlayChat";

    /// <summary>The settings; unchanged once the server has started.</summary>
    public PlayChatOptions Options => _options;

    /// <summary>Sets how frames look on the wire. Default <see cref="FrameFormat.Packet"/> with 64 KB.</summary>
    public PlayChatServer UseFraming(FrameFormat format) => Set(format, ref _format);

    /// <summary>Sets the packets of the protocol, so that they are mapped and sent by their messages alone. Default none. The set is unchanged from start on.</summary>
    public PlayChatServer UsePackets(PacketSet packets) => Set(packets, ref _packets);

    /// <summary>Sets how bytes are moved. Default <see cref="SocketTransport"/>.</summary>
    public PlayChatServer UseTransport(ITransport transport) => Set(transport, ref _transport);

    /// <summary>Sets where log messages go. Default nowhere.</summary>
    public PlayChatServer UseLogging(ILoggerFactory loggers) => Set(loggers, ref _loggers);

    /// <summary>Sets the clock of all deadlines. Default the system's.</summary>
    public PlayChatServer UseTime(TimeProvider time) => Set(time, ref _time);

    /// <summary>
    /// Sets where the memory of all buffers comes from. Default <see cref="ArrayPool{T}.Shared"/>. The server keeps what it has rented for reuse, within bounds, and
    /// has returned all of it some time after it has stopped, when the last connection has let go.
    /// </summary>
    /// <param name="pool">Thread-safe.</param>
    public PlayChatServer UsePool(ArrayPool<byte> pool) => Set(pool, ref _pool);

    /// <summary>Sets where handlers that are classes get their constructor arguments. The generic host's are used by <c>AddPlayChat</c>.</summary>
    public PlayChatServer UseServices(IServiceProvider provider) => Set(provider, ref _provider!);

    /// <summary>Handles every frame as bytes. The one form beside <see cref="OnFrameAsync"/> and <see cref="OnPackets"/> that a server has.</summary>
    /// <param name="handler">Runs on the sender's receive loop; must not block. What it sends back goes out together.</param>
    public PlayChatServer OnFrame(FrameHandler handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        RequireNoFrames();
        _handlers.Frame = handler;
        return this;
    }

    /// <summary>Handles every frame as bytes, and may wait for something.</summary>
    /// <param name="handler">The sender's next frame is handled when it is done.</param>
    public PlayChatServer OnFrameAsync(AsyncFrameHandler handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        RequireNoFrames();
        _handlers.FrameAsync = handler;
        return this;
    }

    /// <summary>Handles frames by their packet ids.</summary>
    /// <param name="configure">Maps ids to handlers; called when the server starts.</param>
    public PlayChatServer OnPackets(Action<PacketRouter> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        RequireNoFrames();
        _configurePackets = configure;
        return this;
    }

    /// <summary>Is called with every new session before its first frame, in the order of acceptance on each endpoint; must not block.</summary>
    public PlayChatServer OnConnected(Action<Session> handler) => Do(() => _handlers.Connected += handler);

    /// <summary>Is called when a session's link has ended, before its rooms hear of it; must not block.</summary>
    public PlayChatServer OnDisconnected(Action<Session, CloseReason> handler) => Do(() => _handlers.Disconnected += handler);

    /// <summary>Is called when a peer was silent for <see cref="SessionOptions.HeartbeatInterval"/>: sends it something to answer.</summary>
    public PlayChatServer OnHeartbeat(Action<Session> handler) => Do(() => _handlers.Heartbeat = handler);

    /// <summary>
    /// Is called before PlayChat closes a connection of its own accord (a limit, a deadline, a bad frame, a failed handler, shutdown), so that the peer can be told
    /// why by a frame; must not block.
    /// </summary>
    public PlayChatServer OnClosing(Action<Connection, CloseReason> handler) => Do(() => _handlers.Closing = handler);

    /// <summary>Is called when the server is about to listen: <see cref="Rooms"/> and <see cref="Sessions"/> exist then.</summary>
    public PlayChatServer OnStarting(Action<PlayChatServer> handler) => Do(() => _handlers.Starting += handler);

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

    private void RequireNoFrames()
    {
        RequireNotStarted();
        if (_handlers.HasFrames || _configurePackets is not null)
        {
            throw new InvalidOperationException("A server handles frames in one form: OnFrame, OnFrameAsync or OnPackets.");
        }
    }

    private void RequireNotStarted()
    {
        if (_running is not null)
        {
            throw new InvalidOperationException("The server has been started; set it up before.");
        }
    }
}
