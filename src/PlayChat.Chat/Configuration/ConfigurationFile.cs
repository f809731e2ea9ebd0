using System.Runtime.ExceptionServices;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Configuration;

/// <summary>Reads a configuration file as a whole.</summary>
/// <remarks>
/// The file provider of Microsoft.Extensions.Configuration takes a file whose name begins with a dot, or that has the hidden or the system
/// attribute, for a missing one, and a missing optional file for an empty one. A file that says which players may log in must be neither.
/// </remarks>
internal static class ConfigurationFile
{
    // A named pipe without a writer and a network drive that is away give nothing, and a reload must not wait for them.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <param name="path">The file.</param>
    /// <param name="patience">How long to wait for its content; <see langword="null"/> for 10 seconds.</param>
    /// <returns>Its keys and values; <see langword="null"/> if there is nothing at the path.</returns>
    /// <exception cref="StartException">There is something, but it was not read, or it is no configuration.</exception>
    public static Dictionary<string, string?>? TryRead(string path, TimeSpan? patience = null)
    {
        try
        {
            return Parse(ReadBytes(path, patience ?? s_patience));
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return new FileInfo(path).LinkTarget is null ? null : throw Unread(path, "it is a link to a file that does not exist.", e);
        }
        catch (JsonException e)
        {
            throw Unread(path, Describe(e), e);
        }
        catch (DecoderFallbackException e)
        {
            throw Unread(path, "it is not UTF-8. Convert it, such as with iconv -t UTF-8.", e);
        }
        catch (Exception e) when (e is FormatException or IOException or UnauthorizedAccessException or TimeoutException)
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
        string text = Decode(json);
        if (string.IsNullOrWhiteSpace(text))
        {
            throw new FormatException("It is empty; an empty configuration is {}.");
        }

        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(text));
        IConfigurationRoot configuration = new ConfigurationBuilder().AddJsonStream(stream).Build();
        return new Dictionary<string, string?>(
            configuration.AsEnumerable().Where(
                entry => entry.Value is not null || !configuration.GetSection(entry.Key).GetChildren().Any()),
            StringComparer.OrdinalIgnoreCase);
    }

    private static byte[] ReadBytes(string path, TimeSpan patience)
    {
        byte[] bytes = [];
        ExceptionDispatchInfo? failure = null;
        var reader = new Thread(() =>
        {
            try
            {
                bytes = File.ReadAllBytes(path);
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
        })
        { IsBackground = true, Name = "configuration" };
        reader.Start();
        if (!reader.Join(patience))
        {
            throw new TimeoutException($"nothing came within {patience.TotalSeconds:0.#} s. Name a file, and no pipe without a writer.");
        }

        failure?.Throw();
        return bytes;
    }

    // As the reader of the framework does, but that one takes U+FFFD for each byte that it does not know: a password or a path would be
    // another one without a word.
    private static string Decode(byte[] json)
    {
        using var reader = new StreamReader(
            new MemoryStream(json),
            new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true),
            detectEncodingFromByteOrderMarks: true);
        return reader.ReadToEnd();
    }

    private static StartException Unread(string path, string reason, Exception? e = null) => new($"Reading {path} failed: {reason}", e);

    // Editors count lines and characters from 1. The reader's own message ends with the numbers from 0.
    private static string Describe(JsonException e)
    {
        int numbers = e.Message.IndexOf(" LineNumber: ", StringComparison.Ordinal);
        return $"line {e.LineNumber + 1}, character {e.BytePositionInLine + 1}: {(numbers < 0 ? e.Message : e.Message[..numbers])}";
    }
}
