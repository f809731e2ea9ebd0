using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Shows and changes the limits and log levels of the running server.</summary>
internal sealed class SettingsEditor(ILiveSettings live)
{
    /// <summary>Lists the settings, secrets left out.</summary>
    /// <param name="text">Only keys that contain it; <see langword="null"/> for all.</param>
    /// <param name="isChangeable">Only those that can be changed now.</param>
    public IReadOnlyList<LimitInfo> List(string? text, bool isChangeable) =>
    [
        .. SettingsCatalog.All
            .Where(setting => (!isChangeable || setting.IsReloadable)
                && (text is null || setting.Key.Contains(text, StringComparison.OrdinalIgnoreCase))
                && !SettingsCatalog.IsSecret(setting.Key))
            .Select(Describe),
    ];

    /// <summary>Changes a setting until the next reload or restart.</summary>
    /// <exception cref="AdminException">There is no such setting, it needs a restart, or the value is not allowed.</exception>
    public async Task<ActionResult> ChangeAsync(string key, string? value)
    {
        if (SettingsCatalog.Find(key) is not { } setting || SettingsCatalog.IsSecret(key))
        {
            throw AdminException.NotFound($"There is no setting '{key}'. List them with 'limits'.");
        }

        if (value is null || setting.FindProblem(key, value) is not null)
        {
            throw AdminException.Invalid(setting.FindProblem(key, value ?? "") ?? $"{key} needs a value.");
        }

        string before = await ChangeLiveAsync(key, value);
        return new ActionResult($"{key} was {before} and is now {value}, until the next reload or restart.", 1);
    }

    public IReadOnlyList<LogLevelInfo> ListLevels() =>
        [.. live.LogLevels.Select(static entry => new LogLevelInfo(entry.Key, entry.Value))];

    /// <summary>Changes a log level until the next reload or restart.</summary>
    /// <exception cref="AdminException">There is no such source or level.</exception>
    public async Task<ActionResult> ChangeLevelAsync(string? source, string? level)
    {
        string name = string.IsNullOrEmpty(source) ? "Default" : source;
        if (!live.LogLevels.Keys.Contains(name, StringComparer.OrdinalIgnoreCase))
        {
            throw AdminException.NotFound(
                $"There is no log level for '{name}'; there are {string.Join(", ", live.LogLevels.Keys)}. Others need a line in the "
                    + "section Serilog:MinimumLevel:Override at the next start.");
        }

        string before = await ChangeLiveAsync(LogLevels.KeyOf(name), level ?? "");
        return new ActionResult($"The log level of {name} was {before} and is now {level}, until the next reload or restart.", 1);
    }

    private LimitInfo Describe(Setting setting) => new(
        setting.Key,
        SettingsCatalog.Show(setting.Key, live.Find(setting.Key) ?? setting.Default),
        setting.Default,
        setting.Description,
        setting.Allowed,
        setting.IsReloadable);

    private async Task<string> ChangeLiveAsync(string key, string value)
    {
        try
        {
            return await live.ChangeAsync(key, value);
        }
        catch (StartException e)
        {
            throw AdminException.Invalid(e.Message);
        }
    }
}
