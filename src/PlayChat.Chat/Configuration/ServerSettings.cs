using PlayChat.Options;
using PlayChat.Webhooks;

namespace PlayChat.Chat.Configuration;

/// <summary>The settings of the program itself, bound from the configuration's root.</summary>
internal sealed class ServerSettings
{
    /// <summary>The largest value of <see cref="Workers"/>: the native transport has at most as many event loops.</summary>
    public const int MaxWorkers = 1024;

    [Option("What the server does with what it receives.", LowerCase = true)]
    public ServerMode Mode { get; set; }

    [Option("How bytes are moved: by the runtime's sockets, or by epoll (Linux only, the fastest).", LowerCase = true)]
    public ServerTransport Transport { get; set; }

    [Option("Handle what the runtime's sockets receive on their own threads, without a hop to the thread pool (not on Windows).")]
    public bool InlineCompletions { get; set; }

    [Option(
        "Threads that handle what is received: those of the thread pool, and with Transport linux as many event loops; 0 leaves it to the "
            + "runtime.",
        Min = 0,
        Max = MaxWorkers)]
    public int Workers { get; set; }

    [Option(
        "Largest frame accepted from a client, in bytes; in broadcast and classroom mode at most 65535.",
        Min = 4096,
        Max = ChatLimits.MaxServerFrameBytes,
        WhenReached = "The connection is told and closed as `FrameTooLarge`. The header alone decides: the server neither waits for the "
            + "body nor stores it.",
        SeenIn = "`playchat.protocol.violations`, `playchat.connections.closed` with its reason",
        Why = "A header of a few bytes would make the server wait for, and hold, gigabytes.")]
    public int MaxFrameBytes { get; set; } = ChatLimits.DefaultMaxClientFrameBytes;

    /// <summary>The options of the framework, with the defaults that suit a chat. Those of the running server.</summary>
    public PlayChatOptions PlayChat { get; set; } = new()
    {
        Connections = { BytesPerSecond = 262_144, FramesPerSecond = 500 },
        Sessions = { LoginTimeout = TimeSpan.FromSeconds(10), ResumeWindow = TimeSpan.FromSeconds(30), MaxPerUser = 5 },
        Rooms = { MaxMembers = 100, MaxRoomsPerSession = 100 },
    };

    public WebSettings Web { get; set; } = new();

    public SessionSettings Sessions { get; set; } = new();

    public ChatRoomSettings Rooms { get; set; } = new();

    public DirectSettings Direct { get; set; } = new();

    public BroadcastSettings Broadcast { get; set; } = new();

    public ClusterSettings Cluster { get; set; } = new();

    public RabbitMqSettings RabbitMq { get; set; } = new();

    public StorageSettings Storage { get; set; } = new();

    public AccountSettings Accounts { get; set; } = new();

    public ChatLogSettings ChatLog { get; set; } = new();

    public LogSettings Log { get; set; } = new();

    public KpiSettings Kpi { get; set; } = new();

    public WebhookOptions Webhooks { get; set; } = new();

    public OperationsSettings Operations { get; set; } = new();

    public TelemetrySettings Telemetry { get; set; } = new();

    internal bool RoomsLast => Rooms.Lasting == AutoSwitch.True || (Rooms.Lasting == AutoSwitch.Auto && !Cluster.IsOn);
}
