using System.Text.RegularExpressions;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;
using PlayChat.Server.Hosting;

namespace PlayChat.Server.Configuration;

/// <summary>Every key of the configuration. Help, validation, the defaults, appsettings.json
/// and docs/reference/limits.md come from it.</summary>
/// <remarks>Each key is described once, at the property that it sets (<see cref="Options.OptionAttribute"/>).</remarks>
internal static partial class SettingsCatalog
{
    /// <summary>The section that Serilog reads itself; its keys are Serilog's.</summary>
    public const string SerilogSection = "Serilog";

    /// <summary>Where the first endpoint listens: what --port and --host change.</summary>
    public const string AddressKey = "PlayChat:Endpoints:0:Address";

    // The chat server sets these from keys of its own, and no handler of it sends requests to clients.
    private static readonly string[] s_unused =
    [
        "PlayChat:Rooms:MaxMembers",
        "PlayChat:Rooms:MaxRoomsPerSession",
        "PlayChat:Sessions:ReplayBytes",
        "PlayChat:Sessions:ResumeWindow",
        "PlayChat:Connections:MaxRequests",
        "PlayChat:Connections:BytesPerSecond",
        "PlayChat:Connections:FramesPerSecond",
    ];

    private static readonly string[] s_secretEnds = ["Password", "Token", "ConnectionString", "Headers"];

    /// <summary>All keys, grouped by section.</summary>
    public static IReadOnlyList<Setting> All { get; } = [.. Read().Where(
        static setting => !s_unused.Contains(setting.Key, StringComparer.Ordinal))];

    /// <summary>Finds the setting behind a key, whatever its case; endpoints and certificates of every number are one setting.</summary>
    /// <returns><see langword="null"/> when there is none.</returns>
    public static Setting? Find(string key)
    {
        string pattern = ElementNumber().Replace(key, "${list}:0:");
        return All.FirstOrDefault(setting => setting.Key.Equals(pattern, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Whether a key is one of Serilog's.</summary>
    public static bool IsSerilog(string key) => key.StartsWith(SerilogSection + ":", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a key has a secret as its value, which nothing prints.</summary>
    public static bool IsSecret(string key) => s_secretEnds.Any(end => key.EndsWith(end, StringComparison.OrdinalIgnoreCase));

    private static IEnumerable<Setting> Read()
    {
        var own = new ServerSettings();
        return
        [
            .. Setting.Of(own, ""),
            .. Setting.Of(new EndpointOptions(), "PlayChat:Endpoints:0:"),
            .. Setting.Of(new TlsOptions(), "PlayChat:Endpoints:0:Tls:"),
            .. Setting.Of(new CertificateOptions(), "PlayChat:Endpoints:0:Tls:Certificates:0:"),
            .. Setting.Of(new ProxyProtocolOptions(), "PlayChat:Endpoints:0:ProxyProtocol:"),
            .. Setting.Of(new WebSocketOptions(), "PlayChat:Endpoints:0:WebSocket:"),
            .. Setting.Of(new PlayChatOptions(), "PlayChat:"),
            .. Setting.Of(new TransportOptions(), "PlayChat:Transport:"),
            .. Setting.Of(new ConnectionOptions(), "PlayChat:Connections:"),
            // Unlike other servers, the chat server has a login to wait for.
            .. Setting.Of(new SessionOptions { LoginTimeout = TimeSpan.FromSeconds(10) }, "PlayChat:Sessions:"),
            .. Setting.Of(new RoomOptions(), "PlayChat:Rooms:"),
            .. Setting.Of(own.Web, "Web:"),
            .. Setting.Of(own.Web.ProxyProtocol, "Web:ProxyProtocol:"),
            .. Setting.Of(own.Sessions, "Sessions:"),
            .. Setting.Of(own.Rooms, "Rooms:"),
            .. Setting.Of(own.Broadcast, "Broadcast:"),
            .. Setting.Of(own.Cluster, "Cluster:"),
            .. Setting.Of(own.RabbitMq, "RabbitMq:"),
            .. Setting.Of(own.Storage, "Storage:"),
            .. Setting.Of(own.Accounts, "Accounts:"),
            .. Setting.Of(own.ChatLog, "ChatLog:"),
            .. Setting.Of(own.Log, "Log:"),
            .. Setting.Of(own.Kpi, "Kpi:"),
            .. Setting.Of(own.Operations, "Operations:"),
            .. Setting.Of(own.Telemetry.Otlp, "Telemetry:Otlp:"),
        ];
    }

    [GeneratedRegex(
        "(?<list>Endpoints|Certificates):[0-9]{1,3}:",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex ElementNumber();
}
