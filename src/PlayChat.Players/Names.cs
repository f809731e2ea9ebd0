using System.Runtime.CompilerServices;

namespace PlayChat.Players;

/// <summary>Checks what the tables use as keys, so that all databases compare and order it alike.</summary>
internal static class Names
{
    public const int MaxPlayerLength = 128;

    // With the player and the key of the same length: 640 bytes in SQL Server, whose clustered keys have at most 900.
    public const int MaxCollectionLength = 64;
    public const int MaxKeyLength = 128;

    /// <summary>Sorts behind every character of a name: the end of a range that a prefix selects.</summary>
    public const char AfterAll = '\u007f';

    /// <summary>Players may have any name, because it is only compared. SQL Server ignores spaces at the end, so names have none.</summary>
    public static string CheckPlayer(string player, [CallerArgumentExpression(nameof(player))] string parameter = "")
    {
        ArgumentException.ThrowIfNullOrEmpty(player, parameter);
        bool isName = player.Length <= MaxPlayerLength && player.Trim().Length == player.Length && !player.Any(char.IsControl)
            && player.EnumerateRunes().All(static rune => rune.Value != 0xFFFD);
        return isName ? player
            : throw new ArgumentException($"A player has 1 to {MaxPlayerLength} characters, no control ones, no spaces around.", parameter);
    }

    /// <summary>Collections, keys, boards, runs and transaction keys: visible ASCII.</summary>
    public static string Check(
        string name, int maxLength, int minLength = 1, [CallerArgumentExpression(nameof(name))] string parameter = "")
    {
        ArgumentNullException.ThrowIfNull(name, parameter);
        return name.Length >= minLength && name.Length <= maxLength && name.AsSpan().IndexOfAnyExceptInRange('!', '~') < 0 ? name
            : throw new ArgumentException($"'{name}' is not {minLength} to {maxLength} visible ASCII characters without space.", parameter);
    }
}
