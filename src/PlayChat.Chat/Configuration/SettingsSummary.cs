namespace PlayChat.Chat.Configuration;

/// <summary>Which settings of a configuration differ from the defaults.</summary>
internal static class SettingsSummary
{
    /// <summary>Lists the settings, and the log levels, that do not have their default: <c>KEY=VALUE</c>, sorted, secrets as ***.</summary>
    /// <param name="values">All values of a checked configuration.</param>
    public static IReadOnlyList<string> Of(IReadOnlyDictionary<string, string?> values) =>
    [
        .. values.Where(static entry => entry.Value is not null && !IsDefault(entry.Key, entry.Value))
            .OrderBy(static entry => entry.Key, StringComparer.OrdinalIgnoreCase)
            .Select(static entry => $"{entry.Key}={SettingsCatalog.Show(entry.Key, entry.Value!)}"),
    ];

    private static bool IsDefault(string key, string value)
    {
        if (SettingsCatalog.Find(key) is { } setting)
        {
            return setting.IsSame(setting.Default, value);
        }

        // Where the log goes stands in the banner.
        return !LogLevels.IsLevel(key)
            || (key.Equals(LogLevels.DefaultKey, StringComparison.OrdinalIgnoreCase) && value == LogLevels.Default)
            || (key.Equals(LogLevels.FrameworkKey, StringComparison.OrdinalIgnoreCase) && value == LogLevels.Framework);
    }
}
