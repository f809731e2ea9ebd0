using System.Text;
using PlayChat.Characters;

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

    // What each letter of ChatLimits.SystemName looks like, in lower case where it has one: also in small capitals, symbols, Armenian,
    // Cherokee and Lisu, because the server's name is worth more than another one.
    private static readonly string[] s_system =
    [
        "s\u0455\ua731\u057f\u054f\u13da\uabaa\ua4e2\U0001f162\U0001f182\U0001f1f8",
        "y\u0443\u04af\u03c5\u028f\u13a9\uab79\ua4ec\U0001f168\U0001f188\U0001f1fe",
        "s\u0455\ua731\u057f\u054f\u13da\uabaa\ua4e2\U0001f162\U0001f182\U0001f1f8",
        "t\u0442\u03c4\u1d1b\u13a2\uab72\ua4d4\U0001f163\U0001f183\U0001f1f9",
        "e\u0435\u03b5\u1d07\u13ac\uab7c\ua4f0\U0001f154\U0001f174\U0001f1ea",
        "m\u043c\u03bc\u1d0d\u13b7\uab87\ua4df\U0001f15c\U0001f17c\U0001f1f2",
    ];

    private static readonly Dictionary<Rune, Rune> s_latin = Pairs(Cyrillic + Greek).ToDictionary();
    private static readonly ILookup<Rune, Rune> s_cyrillic = Pairs(Cyrillic).ToLookup(static pair => pair.Value, static pair => pair.Key);
    private static readonly ILookup<Rune, Rune> s_greek = Pairs(Greek).ToLookup(static pair => pair.Value, static pair => pair.Key);

    /// <summary>Whether a name has letters of more than one of the scripts Latin, Greek and Cyrillic.</summary>
    public static bool IsMixed(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        CharacterKind seen = CharacterKind.None;
        foreach (Rune rune in name.EnumerateRunes())
        {
            CharacterKind script = ScriptOf(rune);
            if (script != CharacterKind.None && seen != CharacterKind.None && script != seen)
            {
                return true;
            }

            seen = script == CharacterKind.None ? seen : script;
        }

        return false;
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

    /// <summary>Whether a name is, or looks like, <see cref="ChatLimits.SystemName"/>.</summary>
    internal static bool IsSystem(string name)
    {
        Rune[] letters = [.. name.ToLowerInvariant().EnumerateRunes().Where(static rune => !Joiners.Contains(rune))];
        return letters.Length == s_system.Length
            && letters.Zip(s_system).All(static pair => pair.Second.EnumerateRunes().Contains(pair.First));
    }

    /// <summary>The Latin name that a name in lower case looks like, or is.</summary>
    /// <returns><see langword="null"/> when it does not look like a Latin name.</returns>
    private static string? ToLatin(string lower)
    {
        var latin = new StringBuilder(lower.Length);
        foreach (Rune rune in lower.EnumerateRunes())
        {
            if (s_latin.TryGetValue(rune, out Rune letter))
            {
                latin.Append(letter);
            }
            else if (ScriptOf(rune) is CharacterKind.Greek or CharacterKind.Cyrillic)
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
            IEnumerable<Rune> alike = ScriptOf(rune) == CharacterKind.Latin ? letters[rune] : [rune];
            spellings = [.. spellings.SelectMany(_ => alike, static (begin, letter) => begin + letter).Take(MaxSpellings)];
        }

        return spellings;
    }

    /// <summary>Latin, Greek or Cyrillic; <see cref="CharacterKind.None"/> for every other character.</summary>
    private static CharacterKind ScriptOf(Rune rune) =>
        UnicodeTable.KindOf(rune.Value) is (CharacterKind.Latin or CharacterKind.Greek or CharacterKind.Cyrillic) and var script
            ? script
            : CharacterKind.None;

    private static IEnumerable<KeyValuePair<Rune, Rune>> Pairs(string pairs) =>
        pairs.EnumerateRunes().Chunk(2).Select(static pair => KeyValuePair.Create(pair[0], pair[1]));
}
