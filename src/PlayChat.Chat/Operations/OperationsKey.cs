using System.Security.Cryptography;
using System.Text;

namespace PlayChat.Chat.Operations;

/// <summary>A key of another program, of which the server knows the hash alone.</summary>
/// <remarks>A key has 256 random bits, so its hash needs neither salt nor rounds: nothing but the key itself finds it.</remarks>
internal sealed record OperationsKey(string Name, byte[] Hash, IReadOnlySet<string> Scopes, int RequestsPerMinute)
{
    private const int MaxNameLength = 64;

    /// <exception cref="StartException">A value is not usable, or there is no token beside the keys.</exception>
    public static IReadOnlyList<OperationsKey> Read(OperationsSettings settings)
    {
        var keys = new List<OperationsKey>();
        for (int i = 0; i < settings.Keys.Count; i++)
        {
            if (settings.Keys[i].Name.Length > 0)
            {
                keys.Add(Read(settings.Keys[i], $"Operations:Keys:{i}:"));
            }
        }

        if (keys.GroupBy(static key => key.Name, StringComparer.Ordinal).FirstOrDefault(static same => same.Count() > 1) is { } twice)
        {
            throw new StartException($"Operations:Keys has two keys of the name '{twice.Key}'. The audit log needs a name for each.");
        }

        return keys.Count == 0 || settings.Token.Length > 0 || settings.TokenFile.Length > 0
            ? keys
            : throw new StartException(
                "Operations:Keys:0 gives a program some rights, but without Operations:Token or Operations:TokenFile every request has "
                    + "all of them. Set one.");
    }

    /// <summary>The SHA-256 of a token or a key. All hashes have one length, so a comparison takes the same time for each.</summary>
    public static byte[] HashOf(string secret) => SHA256.HashData(Encoding.UTF8.GetBytes(secret));

    public static bool IsName(string text) => text.Length is > 0 and <= MaxNameLength
        && text.All(static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_');

    private static OperationsKey Read(OperationsKeySettings settings, string path)
    {
        if (!IsName(settings.Name))
        {
            throw new StartException(
                $"{path}Name is '{settings.Name}'; allowed are up to {MaxNameLength} letters, digits, dots, hyphens and underscores.");
        }

        if (settings.Hash.Length != 2 * SHA256.HashSizeInBytes || !settings.Hash.All(char.IsAsciiHexDigit))
        {
            throw new StartException($"{path}Hash is not usable; allowed is the hash that 'keys new {settings.Name}' prints.");
        }

        return new OperationsKey(
            settings.Name,
            Convert.FromHexString(settings.Hash),
            OperationsScope.Parse(settings.Scopes) ?? throw new StartException(
                $"{path}Scopes is '{settings.Scopes}'; allowed are some of {string.Join(", ", OperationsScope.All)}, separated by commas."),
            settings.RequestsPerMinute);
    }
}
