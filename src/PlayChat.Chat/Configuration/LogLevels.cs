using Microsoft.Extensions.Configuration;
using Serilog.Events;

namespace PlayChat.Chat.Configuration;

/// <summary>The levels in Serilog's section, which are what a running server takes over of it.</summary>
internal static class LogLevels
{
    /// <summary>The key of the level that holds where no other does.</summary>
    public const string DefaultKey = Section + ":Default";

    /// <summary>Serilog's own default.</summary>
    public const string Default = nameof(LogEventLevel.Information);

    /// <summary>The key of the level of .NET's own parts.</summary>
    public const string FrameworkKey = OverrideSection + ":Microsoft";

    /// <summary>The default of that level: only what is wrong.</summary>
    public const string Framework = nameof(LogEventLevel.Warning);

    private const string OverrideSection = Section + ":Override";

    private const string Section = SettingsCatalog.SerilogSection + ":MinimumLevel";

    public static bool IsLevel(string key) =>
        key.Equals(Section, StringComparison.OrdinalIgnoreCase) || key.StartsWith(Section + ":", StringComparison.OrdinalIgnoreCase);

    /// <summary>
    /// Writes <c>MinimumLevel</c> as <c>MinimumLevel:Default</c>. Serilog prefers the short form, so a change of the long one beside it
    /// would have no effect.
    /// </summary>
    public static void UseLongForm(IConfiguration configuration)
    {
        if (configuration[Section] is { } level)
        {
            configuration[DefaultKey] = level;
            configuration[Section] = null;
        }
    }

    /// <summary>Checks every level. Serilog itself checks them only at start, and keeps silent about a wrong one later.</summary>
    /// <exception cref="StartException">A level is none of Serilog's.</exception>
    public static void Check(IConfiguration configuration)
    {
        foreach ((string key, string? value) in configuration.AsEnumerable())
        {
            if (value is not null && IsLevel(key))
            {
                Check(key, value);
            }
        }
    }

    /// <exception cref="StartException">The key sets no level, or the level is none of Serilog's.</exception>
    public static void Check(string key, string value)
    {
        if (!IsLevel(key) || !Enum.GetNames<LogEventLevel>().Contains(value, StringComparer.OrdinalIgnoreCase))
        {
            throw new StartException($"{key} is '{value}'; allowed is {string.Join(", ", Enum.GetNames<LogEventLevel>())}.");
        }
    }

    /// <summary>The key of a source's level, or <see cref="DefaultKey"/> for <c>Default</c>.</summary>
    public static string KeyOf(string source) =>
        source.Equals("Default", StringComparison.OrdinalIgnoreCase) ? DefaultKey : $"{OverrideSection}:{source}";

    /// <summary>Reads the levels: a source, or <c>Default</c>, and its level.</summary>
    public static IReadOnlyDictionary<string, string> Read(IReadOnlyDictionary<string, string?> values) => values
        .Where(static entry => IsLevel(entry.Key) && entry.Value is not null)
        .OrderBy(static entry => entry.Key, StringComparer.Ordinal)
        .ToDictionary(static entry => SourceOf(entry.Key), static entry => entry.Value!, StringComparer.OrdinalIgnoreCase);

    private static string SourceOf(string key) =>
        key.StartsWith(OverrideSection + ":", StringComparison.OrdinalIgnoreCase) ? key[(OverrideSection.Length + 1)..] : "Default";
}
