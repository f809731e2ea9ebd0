using System.Text.RegularExpressions;

namespace PlayChat.Chat.Configuration;

/// <summary>Every key of the configuration. Help, validation, the defaults, appsettings.json
/// and docs/reference/limits.md come from it.</summary>
/// <remarks>Each key is described once, at the property that it sets (<see cref="Options.OptionAttribute"/>).</remarks>
internal static partial class SettingsCatalog
{
    /// <summary>The section that Serilog reads itself; its keys are Serilog's.</summary>
    public const string SerilogSection = "Serilog";

    /// <summary>Where the first endpoint listens: what --port and --host change.</summary>
    public const string AddressKey = "PlayChat:Endpoints:0:Address";

    private const string Hidden = "***";

    private static readonly string[] s_secretEnds = ["Password", "Token", "ConnectionString", "Headers", "Secret"];

    /// <summary>All keys, grouped by section: the tree of <see cref="ServerSettings"/>.</summary>
    /// <remarks>A chat room sends a player that resumes what it missed; what the framework kept for it would be sent twice.</remarks>
    public static IReadOnlyList<Setting> All { get; } = [.. Setting.Of(new ServerSettings()).Where(
        static setting => setting.Key != $"PlayChat:Sessions:{nameof(SessionOptions.ReplayBytes)}")];

    /// <summary>Finds the setting behind a key, whatever its case; elements of a list are one setting, whatever their number.</summary>
    /// <returns><see langword="null"/> when there is none.</returns>
    public static Setting? Find(string key)
    {
        string pattern = ElementNumber().Replace(key, "${list}:0:");
        return All.FirstOrDefault(setting => setting.Key.Equals(pattern, StringComparison.OrdinalIgnoreCase));
    }

    public static bool IsSerilog(string key) => key.StartsWith(SerilogSection + ":", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a key has a secret as its value, which nothing prints.</summary>
    public static bool IsSecret(string key) => s_secretEnds.Any(end => key.EndsWith(end, StringComparison.OrdinalIgnoreCase));

    /// <summary>A value as logs and lists show it: no secret, and of a web address only the host, for the rest may hold one.</summary>
    public static string Show(string key, string value) => IsSecret(key) ? Hidden
        : Uri.TryCreate(value, UriKind.Absolute, out Uri? url) && (url.Scheme is "http" or "https")
            && (url.UserInfo.Length > 0 || url.PathAndQuery != "/" || url.Fragment.Length > 0)
            ? $"{url.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped)}/{Hidden}"
        : value;

    [GeneratedRegex(
        "(?<list>Endpoints|Certificates|Keys|Targets):[0-9]{1,3}:",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex ElementNumber();
}
