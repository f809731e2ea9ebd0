using System.Security.Cryptography;

namespace PlayChat.Chat.Operations;

/// <summary>The secret of the operations endpoint: <c>Operations:Token</c>, or the first line of <c>Operations:TokenFile</c>.</summary>
internal static class OperationsToken
{
    private const int MinLength = 16;
    private const int NewBytes = 32;
    private const string DeleteIt = "Delete the file, and the server makes one. ";

    /// <returns>Empty if the settings have none.</returns>
    /// <exception cref="StartException">The file is missing or unreadable, or what it or the setting holds is not usable.</exception>
    public static string Read(OperationsSettings settings)
    {
        if (settings.Token.Length > 0 || settings.TokenFile.Length == 0)
        {
            return settings.Token.Length == 0 ? "" : Check(settings.Token, "Operations:Token", advice: "");
        }

        try
        {
            string token = File.ReadLines(settings.TokenFile).FirstOrDefault("").Trim();
            return Check(token, $"The first line of Operations:TokenFile '{settings.TokenFile}'", DeleteIt);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Unusable(settings, "reading", e);
        }
    }

    /// <summary>Whether a text can be a token: a header carries it.</summary>
    public static bool IsToken(string text) => text.Length > 0 && text.All(static c => c is > ' ' and <= '~');

    /// <summary>
    /// Makes the file with a new secret, which its owner alone can read, unless there is a file or the settings need none.
    /// </summary>
    /// <exception cref="StartException">Writing the file failed.</exception>
    public static void CreateFile(OperationsSettings settings)
    {
        if (settings.Token.Length > 0 || settings.TokenFile.Length == 0 || File.Exists(settings.TokenFile))
        {
            return;
        }

        // Moved when it is whole: an empty file, or half a token, would stop every later start.
        string written = settings.TokenFile + ".new";
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            File.Delete(written);
            using (var writer = new StreamWriter(written, options))
            {
                writer.WriteLine(Convert.ToHexString(RandomNumberGenerator.GetBytes(NewBytes)));
            }

            File.Move(written, settings.TokenFile);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Unusable(settings, "making", e);
        }
    }

    private static string Check(string token, string source, string advice) =>
        token.Length >= MinLength && IsToken(token)
            ? token
            : throw new StartException(
                $"{source} is not usable; it takes at least {MinLength} printable ASCII characters without spaces. "
                    + $"{advice}'openssl rand -hex 32' makes one.");

    private static StartException Unusable(OperationsSettings settings, string work, Exception e) =>
        new($"Operations:TokenFile is '{settings.TokenFile}'; {work} it failed: {e.Message}", e);
}
