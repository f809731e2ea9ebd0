using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace PlayChat.Server.Configuration;

/// <summary>Reads a configuration file as a whole.</summary>
/// <remarks>
/// The file provider of Microsoft.Extensions.Configuration takes a file whose name begins with a dot, or that has the hidden or the system
/// attribute, for a missing one, and a missing optional file for an empty one. A file that says which players may log in must be neither.
/// </remarks>
internal static class ConfigurationFile
{
    /// <summary>Reads the file.</summary>
    /// <returns>Its keys and values; <see langword="null"/> if there is nothing at the path.</returns>
    /// <exception cref="StartException">There is something, but it was not read, or it is no configuration.</exception>
    public static Dictionary<string, string?>? TryRead(string path)
    {
        try
        {
            return Parse(File.ReadAllBytes(path));
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return new FileInfo(path).LinkTarget is null ? null : throw Unread(path, "it is a link to a file that does not exist.", e);
        }
        catch (JsonException e)
        {
            throw Unread(path, Describe(e), e);
        }
        catch (Exception e) when (e is FormatException or IOException or UnauthorizedAccessException)
        {
            throw Unread(path, Directory.Exists(path) ? "it is a folder." : e.GetBaseException().Message, e);
        }
    }

    /// <summary>Reads a file that must be there.</summary>
    /// <exception cref="StartException">It is not, or it was not read.</exception>
    public static Dictionary<string, string?> Read(string path) => TryRead(path) ?? throw Unread(path, "there is no such file.");

    /// <summary>Reads a configuration in JSON form.</summary>
    /// <returns>All values, and the lists and sections that are empty, as <see langword="null"/>.</returns>
    public static Dictionary<string, string?> Parse(byte[] json)
    {
        if (json.AsSpan().TrimStart(" \t\r\n"u8).IsEmpty)
        {
            throw new FormatException("It is empty; an empty configuration is {}.");
        }

        using var stream = new MemoryStream(json);
        IConfigurationRoot configuration = new ConfigurationBuilder().AddJsonStream(stream).Build();
        return new Dictionary<string, string?>(
            configuration.AsEnumerable().Where(
                entry => entry.Value is not null || !configuration.GetSection(entry.Key).GetChildren().Any()),
            StringComparer.OrdinalIgnoreCase);
    }

    private static StartException Unread(string path, string reason, Exception? e = null) => new($"Reading {path} failed: {reason}", e);

    // Editors count lines and characters from 1. The reader's own message ends with the numbers from 0.
    private static string Describe(JsonException e)
    {
        int numbers = e.Message.IndexOf(" LineNumber: ", StringComparison.Ordinal);
        return $"line {e.LineNumber + 1}, character {e.BytePositionInLine + 1}: {(numbers < 0 ? e.Message : e.Message[..numbers])}";
    }
}
