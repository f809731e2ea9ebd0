using System.Text;

namespace PlayChat.Protocol;

/// <summary>Finds names that look like another name although they have other letters.</summary>
/// <remarks>
/// A part of Unicode Technical Standard 39 (confusables.txt): the letters of Greek and Cyrillic that look like Latin ones, and the rule
/// that one name has letters of one of the three scripts alone. Lookalikes in other scripts are not found.
/// </remarks>
public static class LookalikeNames
{
    // A letter and what it looks like, in lower case; letters that look alike in upper case alone are such, too.
    private const string Cyrillic = "аaвbеeкkмmнhоoрpсcтtуyхxѕsіiјjһhԁdԛqԝwѵvӏlүy";
    private const string Greek = "αaβbεeζzηhιiκkμmνvοoρpτtυyχxωwϲcϳj";

    // A name of many letters that two letters look like would have thousands.
    private const int MaxSpellings = 32;

    private static readonly Dictionary<Rune, Rune> s_latin = Pairs(Cyrillic + Greek).ToDictionary();
    private static readonly ILookup<Rune, Rune> s_cyrillic = Pairs(Cyrillic).ToLookup(static pair => pair.Value, static pair => pair.Key);
    private static readonly ILookup<Rune, Rune> s_greek = Pairs(Greek).ToLookup(static pair => pair.Value, static pair => pair.Key);

    /// <summary>Whether a name has letters of more than one of the scripts Latin, Greek and Cyrillic.</summary>
    public static bool IsMixed(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Script seen = Script.Other;
        foreach (Rune rune in name.EnumerateRunes())
        {
            Script script = ScriptOf(rune);
            if (script != Script.Other && seen != Script.Other && script != seen)
            {
                return true;
            }

            seen = script == Script.Other ? seen : script;
        }

        return false;
    }

    /// <summary>The Latin name that a Greek or Cyrillic one looks like, in lower case.</summary>
    /// <returns><see langword="null"/> when it does not look like a Latin name.</returns>
    public static string? GetLatin(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        string lower = name.ToLowerInvariant();
        return ToLatin(lower) is { } latin && latin != lower ? latin : null;
    }

    /// <summary>Whether two names look alike: both look like the same Latin name, or are it.</summary>
    public static bool AreAlike(string name, string other)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(other);
        return ToLatin(name.ToLowerInvariant()) is { } latin && latin == ToLatin(other.ToLowerInvariant());
    }

    /// <summary>
    /// The names in Latin, Cyrillic or Greek letters that look like a name, in lower case, without the name itself: at most 32 in each
    /// script.
    /// </summary>
    /// <returns>
    /// Also names that only look alike when their letters are folded: ask <see cref="AreAlike"/> about what is found under one of them.
    /// </returns>
    public static IReadOnlyList<string> GetAlike(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        string lower = name.ToLowerInvariant();
        if (ToLatin(lower) is not { } latin)
        {
            return [];
        }

        string[] alike = [latin, .. Spell(latin, s_cyrillic), .. Spell(latin, s_greek)];
        return [.. alike.Where(spelling => spelling != lower).Distinct(StringComparer.Ordinal)];
    }

    private static string? ToLatin(string lower)
    {
        var latin = new StringBuilder(lower.Length);
        foreach (Rune rune in lower.EnumerateRunes())
        {
            if (s_latin.TryGetValue(rune, out Rune letter))
            {
                latin.Append(letter);
            }
            else if (ScriptOf(rune) is Script.Greek or Script.Cyrillic)
            {
                return null;
            }
            else
            {
                latin.Append(rune);
            }
        }

        return latin.ToString();
    }

    /// <summary>Writes a Latin name in the letters of another script; empty where a letter has no lookalike there.</summary>
    private static IEnumerable<string> Spell(string latin, ILookup<Rune, Rune> letters)
    {
        IEnumerable<string> spellings = [""];
        foreach (Rune rune in latin.EnumerateRunes())
        {
            IEnumerable<Rune> alike = ScriptOf(rune) == Script.Latin ? letters[rune] : [rune];
            spellings = [.. spellings.SelectMany(_ => alike, static (begin, letter) => begin + letter).Take(MaxSpellings)];
        }

        return spellings;
    }

    private static Script ScriptOf(Rune rune) => UnicodeTable.KindOf(rune.Value) switch
    {
        CharacterKind.Latin => Script.Latin,
        CharacterKind.Greek => Script.Greek,
        CharacterKind.Cyrillic => Script.Cyrillic,
        _ => Script.Other,
    };

    private static IEnumerable<KeyValuePair<Rune, Rune>> Pairs(string pairs) =>
        pairs.EnumerateRunes().Chunk(2).Select(static pair => KeyValuePair.Create(pair[0], pair[1]));

    private enum Script
    {
        Other,
        Latin,
        Greek,
        Cyrillic,
    }
}
