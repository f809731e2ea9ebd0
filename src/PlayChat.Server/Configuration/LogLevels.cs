using Microsoft.Extensions.Configuration;
using Serilog.Events;

namespace PlayChat.Server.Configuration;

/// <summary>The levels in Serilog's section, which are what a running server takes over of it.</summary>
internal static class LogLevels
{
    /// <summary>The key of the level that holds where no other does.</summary>
    public const string DefaultKey = Section + ":Default";

    /// <summary>Serilog's own default.</summary>
    public const string Default = nameof(LogEventLevel.Information);

    private const string Section = SettingsCatalog.SerilogSection + ":MinimumLevel";

    /// <summary>Whether a key sets a level.</summary>
    public static bool IsLevel(string key) =>
        key.Equals(Section, StringComparison.OrdinalIgnoreCase) || key.StartsWith(Section + ":", StringComparison.OrdinalIgnoreCase);

    /// <summary>Checks every level. Serilog itself checks them only at start, and keeps silent about a wrong one later.</summary>
    /// <exception cref="StartException">A level is none of Serilog's.</exception>
    public static void Check(IConfiguration configuration)
    {
        foreach ((string key, string? value) in configuration.AsEnumerable())
        {
            if (IsLevel(key) && value is not null && !Enum.GetNames<LogEventLevel>().Contains(value, StringComparer.OrdinalIgnoreCase))
            {
                throw new StartException($"{key} is '{value}'; allowed is {string.Join(", ", Enum.GetNames<LogEventLevel>())}.");
            }
        }
    }
}
