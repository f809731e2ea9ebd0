using System.Diagnostics.CodeAnalysis;
using System.Text;
using PlayChat.Characters;

namespace PlayChat.Storage;

/// <summary>
/// Makes the key of an account name. Names that differ only in case, in Unicode compatibility forms or in invisible joiners have the same
/// key, in any script.
/// </summary>
/// <remarks>
/// Stores keep this key beside the name with a unique index, so uniqueness does not depend on a database's collation
/// (SQLite's NOCASE folds ASCII only). Accents do count. Anything that looks players up by name uses the same key.
/// </remarks>
public static class AccountName
{
    /// <summary>Longest name a store takes, in UTF-16 units. Programs usually allow far fewer characters.</summary>
    public const int MaxLength = 256;

    /// <summary>Longest key a store takes, in UTF-16 units. Normalizing can make a key longer than its name.</summary>
    // 400: an index key of SQL Server holds 900 bytes.
    public const int MaxKeyLength = 400;

    /// <summary>
    /// Whether this process can fold names. Without ICU (invariant globalization, usual in slim container images) it cannot: three forms of
    /// one name would be three accounts, and another process would not find them in the same database.
    /// </summary>
    // A compatibility form, a composition and a pair of surrogates. They are what the runtime leaves alone without ICU.
    public static bool CanFold { get; } = Fold("\uff21A\u030a\U0001d41a") == "a\u00e5a";

    /// <summary>Makes the key of <paramref name="name"/>.</summary>
    /// <returns>
    /// <see langword="false"/> when no account can have this name: it is empty or only white space, too long, holds
    /// U+0000, or is not well-formed UTF-16.
    /// </returns>
    public static bool TryGetKey(string name, [NotNullWhen(true)] out string? key)
    {
        key = null;
        if (string.IsNullOrWhiteSpace(name) || name.Length > MaxLength || name.Contains('\0', StringComparison.Ordinal))
        {
            return false;
        }
        string? folded = Fold(name);
        if (string.IsNullOrWhiteSpace(folded) || folded.Length > MaxKeyLength)
        {
            return false;
        }
        key = folded;
        return true;
    }

    /// <summary>Makes the key of <paramref name="name"/>.</summary>
    /// <exception cref="ArgumentException"><see cref="TryGetKey"/> refuses the name.</exception>
    public static string GetKey(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return TryGetKey(name, out string? key)
            ? key
            : throw new ArgumentException(
                $"An account name has 1 to {MaxLength} UTF-16 units, is well-formed and not blank.", nameof(name));
    }

    private static string? Fold(string name)
    {
        try
        {
            // Upper case first: it joins forms that lower case keeps apart (final sigma). Case mapping can undo the normal
            // form, so it is restored at the end.
            string own = WithoutJoiners(name.Normalize(NormalizationForm.FormKC));
            return own.ToUpperInvariant().ToLowerInvariant().Normalize(NormalizationForm.FormKC);
        }
        catch (ArgumentException)
        {
            // Not well-formed: a lone surrogate has no normal form.
            return null;
        }
    }

    private static string WithoutJoiners(string name) =>
        name.EnumerateRunes().Any(Joiners.Contains)
            ? string.Concat(name.EnumerateRunes().Where(static rune => !Joiners.Contains(rune)))
            : name;
}
