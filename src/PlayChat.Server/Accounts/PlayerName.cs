using System.Diagnostics.CodeAnalysis;
using PlayChat.Protocol;
using PlayChat.Storage;

namespace PlayChat.Server.Accounts;

/// <summary>Which names an account may have.</summary>
internal static class PlayerName
{
    /// <summary>The rule, as a sentence.</summary>
    public static string Rule { get; } =
        $"A player name has 1 to {ChatLimits.MaxPlayerNameChars} letters, digits, symbols and single spaces between them, no letters of "
        + $"two scripts that look alike, and is not {ChatLimits.SystemName}.";

    /// <summary>Checks a name, and folds it as the store does.</summary>
    // The store folds letter case and compatibility forms: no player may imitate the server's own name that way.
    public static bool TryGetKey(string name, [NotNullWhen(true)] out string? key)
    {
        key = null;
        return ChatRules.IsPlayerName(name)
            && AccountName.TryGetKey(name, out key)
            && key.Trim() != AccountName.GetKey(ChatLimits.SystemName);
    }
}
