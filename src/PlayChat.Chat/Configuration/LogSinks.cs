using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Configuration;

/// <summary>Puts together the sinks of the log, which are lists in section Serilog, from the sources of the configuration.</summary>
internal static class LogSinks
{
    /// <summary>The list of sinks.</summary>
    public const string Key = SettingsCatalog.SerilogSection + ":WriteTo";

    /// <summary>The list of sinks that report their failures.</summary>
    public const string AuditKey = SettingsCatalog.SerilogSection + ":AuditTo";

    private const string NameEnd = ":Name";
    private const string Resource = "PlayChat.Chat.appsettings.json";

    // What holds sinks: Async has them in its argument "configure".
    private static readonly string[] s_lists = ["WriteTo", "AuditTo", "configure"];

    /// <summary>Adds the sinks of the appsettings.json that is in the program to a file that says nothing about sinks.</summary>
    /// <remarks>A list in the file takes the place of the default one as a whole, also an empty one.</remarks>
    public static void AddDefaults(Dictionary<string, string?> file)
    {
        if (file.Keys.Any(static key => IsIn(key, Key) || IsIn(key, AuditKey)))
        {
            return;
        }

        using Stream stream = typeof(LogSinks).Assembly.GetManifestResourceStream(Resource)!;
        var json = new byte[stream.Length];
        stream.ReadExactly(json);
        foreach ((string key, string? value) in ConfigurationFile.Parse(json).Where(static entry => IsIn(entry.Key, Key)))
        {
            file[key] = value;
        }
    }

    /// <summary>
    /// Removes from a source what it says about the sinks that a later source replaces by others. Otherwise the new sink would get
    /// arguments of the old one, and the files of the old one would be made although nothing is written there.
    /// </summary>
    public static void RemoveReplaced(Dictionary<string, string?> source, IReadOnlyDictionary<string, string?> later)
    {
        foreach ((string key, string? value) in later)
        {
            string sink = key.EndsWith(NameEnd, StringComparison.OrdinalIgnoreCase) ? key[..^NameEnd.Length] : key;
            if (IsSink(sink) && NameOf(source, sink) is { } name && name != value)
            {
                foreach (string old in source.Keys.Where(old => IsIn(old, sink)).ToList())
                {
                    source.Remove(old);
                }
            }
        }
    }

    private static string? NameOf(Dictionary<string, string?> source, string sink) =>
        source.GetValueOrDefault(sink + NameEnd) ?? source.GetValueOrDefault(sink);

    private static bool IsSink(string key) => SettingsCatalog.IsSerilog(key)
        && key.Split(':') is [.., var list, _] && s_lists.Contains(list, StringComparer.OrdinalIgnoreCase);

    private static bool IsIn(string key, string section) =>
        key.StartsWith(section, StringComparison.OrdinalIgnoreCase) && (key.Length == section.Length || key[section.Length] == ':');
}
