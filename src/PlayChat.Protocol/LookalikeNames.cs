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

    private static readonly Dictionary<Rune, Rune> s_latin = Pairs(Cyrillic + Greek);

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
        var latin = new StringBuilder(name.Length);
        bool isChanged = false;
        foreach (Rune rune in name.ToLowerInvariant().EnumerateRunes())
        {
            if (s_latin.TryGetValue(rune, out Rune letter))
            {
                latin.Append(letter);
                isChanged = true;
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

        return isChanged ? latin.ToString() : null;
    }

    // The blocks with letters of these scripts (Blocks.txt of Unicode).
    private static Script ScriptOf(Rune rune) => !Rune.IsLetter(rune) ? Script.Other : rune.Value switch
    {
        <= 0x02AF or (>= 0x1D00 and <= 0x1D25) or (>= 0x1E00 and <= 0x1EFF) or (>= 0x2C60 and <= 0x2C7F) or (>= 0xA720 and <= 0xA7FF)
            or (>= 0xAB30 and <= 0xAB6F) or (>= 0xFF21 and <= 0xFF5A) => Script.Latin,
        (>= 0x0370 and <= 0x03FF) or (>= 0x1F00 and <= 0x1FFF) => Script.Greek,
        (>= 0x0400 and <= 0x052F) or (>= 0x1C80 and <= 0x1C8F) or (>= 0x2DE0 and <= 0x2DFF) or (>= 0xA640 and <= 0xA69F) => Script.Cyrillic,
        _ => Script.Other,
    };

    private static Dictionary<Rune, Rune> Pairs(string pairs)
    {
        Rune[] runes = [.. pairs.EnumerateRunes()];
        return runes.Chunk(2).ToDictionary(static pair => pair[0], static pair => pair[1]);
    }

    private enum Script
    {
        Other,
        Latin,
        Greek,
        Cyrillic,
    }
}
