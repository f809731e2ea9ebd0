namespace PlayChat.Server.Configuration;

/// <summary>The settings of the program itself, bound from the configuration's root. Ranges and meanings: <see cref="SettingsCatalog"/>.</summary>
internal sealed class ServerSettings
{
    public ServerMode Mode { get; set; }

    public ServerTransport Transport { get; set; }

    public bool InlineCompletions { get; set; }

    public int Workers { get; set; }

    public int MaxFrameBytes { get; set; }

    public SessionSettings Sessions { get; set; } = new();

    public RoomSettings Rooms { get; set; } = new();

    public BroadcastSettings Broadcast { get; set; } = new();

    public StorageSettings Storage { get; set; } = new();

    public AccountSettings Accounts { get; set; } = new();

    public ChatLogSettings ChatLog { get; set; } = new();

    public KpiSettings Kpi { get; set; } = new();
}
