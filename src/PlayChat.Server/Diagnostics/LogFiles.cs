using System.Globalization;
using Microsoft.Extensions.Configuration;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Diagnostics;

/// <summary>The files of the program's own log, as the configuration names them for Serilog.</summary>
/// <remarks>Serilog does not report a file that it cannot write, so the server tries each one before it starts.</remarks>
internal static class LogFiles
{
    /// <summary>The full path of each, with the place of its date left out as in the configuration.</summary>
    public static IEnumerable<string> Paths(IConfiguration configuration) =>
        Entries(configuration).Select(static entry => FullPath(entry.Value!));

    /// <summary>Makes the folder of each file and tries to write there.</summary>
    /// <exception cref="StartException">One cannot be written; the message names its key.</exception>
    public static void Check(IConfiguration configuration)
    {
        foreach ((string key, string? path) in Entries(configuration))
        {
            try
            {
                Check(FullPath(path!));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
            {
                throw new StartException($"{key} is '{path}'; this log file cannot be written: {e.Message}", e);
            }
        }
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
        string name = Path.GetFileNameWithoutExtension(path);
        string today = DateTime.Now.ToString("yyyyMMdd", CultureInfo.InvariantCulture);
        foreach (string file in new[] { path, Path.Combine(directory, name + today + Path.GetExtension(path)) }.Where(File.Exists))
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
