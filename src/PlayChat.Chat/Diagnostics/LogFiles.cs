using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Diagnostics;

/// <summary>The files of the program's own log, as the configuration names them for Serilog.</summary>
/// <remarks>Serilog does not report a file that it cannot write, so the server tries each one before it starts.</remarks>
internal static class LogFiles
{
    /// <summary>
    /// The full path of each file that the log writes now. Serilog puts the time into the configured name as its rolling interval says.
    /// </summary>
    public static IEnumerable<string> Paths(IConfiguration configuration) =>
        Entries(configuration).Select(entry => CurrentFile(configuration, entry));

    /// <summary>Makes the folder of each file and tries to write there.</summary>
    /// <exception cref="StartException">A file is not writable; the message names its key.</exception>
    public static void Check(IConfiguration configuration)
    {
        foreach ((string key, string? path) in Entries(configuration))
        {
            try
            {
                Check(FullPath(path!));
                if (Directory.Exists(CurrentFile(configuration, new(key, path))))
                {
                    throw new IOException("It is a folder; name a file.");
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
            {
                throw new StartException($"{key} is '{path}'; writing this log file failed: {e.Message}", e);
            }
        }
    }

    private static string CurrentFile(IConfiguration configuration, KeyValuePair<string, string?> entry) =>
        CurrentFile(FullPath(entry.Value!), configuration[entry.Key[..^"path".Length] + "rollingInterval"]);

    // The formats are those of Serilog.Sinks.File, RollingIntervalExtensions.GetFormat.
    private static string CurrentFile(string path, string? rollingInterval)
    {
        string? format = rollingInterval?.ToUpperInvariant() switch
        {
            "YEAR" => "yyyy",
            "MONTH" => "yyyyMM",
            "DAY" => "yyyyMMdd",
            "HOUR" => "yyyyMMddHH",
            "MINUTE" => "yyyyMMddHHmm",
            _ => null,
        };
        string time = format is null ? "" : DateTime.Now.ToString(format, CultureInfo.InvariantCulture);
        return Path.Combine(Path.GetDirectoryName(path)!, Path.GetFileNameWithoutExtension(path) + time + Path.GetExtension(path));
    }

    private static void Check(string path)
    {
        string directory = Path.GetDirectoryName(path)!;
        Directory.CreateDirectory(directory);
        string probe = Path.Combine(directory, Path.GetRandomFileName());
        using (new FileStream(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose))
        {
        }

        // The file of today may exist already and belong to another account.
        foreach (string file in new[] { path, CurrentFile(path, "Day") }.Where(File.Exists))
        {
            Append(file);
        }
    }

    private static void Append(string file)
    {
        try
        {
            using var stream = new FileStream(file, FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (IOException)
        {
            // Another server of this folder has it; then Serilog takes the next number.
        }
    }

    // Serilog puts environment variables in, too.
    private static string FullPath(string path) => Path.GetFullPath(Environment.ExpandEnvironmentVariables(path));

    private static IEnumerable<KeyValuePair<string, string?>> Entries(IConfiguration configuration) =>
        configuration.GetSection(SettingsCatalog.SerilogSection).AsEnumerable()
            .Where(static entry => entry.Key.EndsWith(":path", StringComparison.OrdinalIgnoreCase) && !string.IsNullOrEmpty(entry.Value));
}
