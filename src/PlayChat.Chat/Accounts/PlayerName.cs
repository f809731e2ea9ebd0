using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Chat.Accounts;

/// <summary>Which names an account may have.</summary>
internal static class PlayerName
{
    /// <summary>Checks a name, and folds it as the store does.</summary>
    /// <param name="name">The name.</param>
    /// <param name="key">The folded name; <see langword="null"/> when no account may have the name.</param>
    /// <param name="problem">Why not, as a sentence for the player.</param>
    // The store folds letter case and compatibility forms: no player may imitate the server's own name that way.
    public static bool TryGetKey(string name, [NotNullWhen(true)] out string? key, [NotNullWhen(false)] out string? problem)
    {
        key = null;
        problem = ChatRules.FindPlayerNameProblem(name)
            ?? (!AccountName.TryGetKey(name, out key) ? "The name has a character that no name may have."
                : key.Trim() == AccountName.GetKey(ChatLimits.SystemName) ? ChatRules.SystemNameProblem
                : null);
        return problem is null;
    }
}
