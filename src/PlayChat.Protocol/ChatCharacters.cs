using System.Globalization;
using System.Text;

namespace PlayChat.Protocol;

/// <summary>Which characters names and texts may have, by the Unicode data of the runtime.</summary>
internal static class ChatCharacters
{
    /// <summary>Combining marks that may follow each other. No script needs more; hundreds of them paint over the lines around.</summary>
    public const int MaxMarks = 4;

    private const int ZeroWidthNonJoiner = 0x200C;
    private const int ZeroWidthJoiner = 0x200D;

    /// <summary>
    /// Whether a character may stand in a player's name: letters, digits, marks, punctuation, symbols and the space of ASCII.
    /// RFC 8264, "FreeformClass", without joiners and without what looks like a space or like nothing.
    /// </summary>
    public static bool IsOfPlayerName(Rune rune) =>
        rune.Value == ' ' || (Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.SpaceSeparator or UnicodeCategory.Format)
            && IsVisible(rune) && !IsVariationSelector(rune));

    /// <summary>
    /// Whether a character may stand in a room's name: those of a player's name, other spaces, and what emoji and scripts such as Persian
    /// are joined with.
    /// </summary>
    public static bool IsOfRoomName(Rune rune) => IsVisible(rune) && (IsJoiner(rune) || !IsFormat(rune));

    /// <summary>
    /// Whether a character may stand in a text: any that has a meaning to the reader. Line breaks and tabs are such; other controls,
    /// characters that turn the writing direction for what follows, private and unassigned ones are not.
    /// </summary>
    public static bool IsOfText(Rune rune) => Rune.GetUnicodeCategory(rune) switch
    {
        UnicodeCategory.Control => rune.Value is '\n' or '\t' or '\r',
        UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned => false,
        UnicodeCategory.Format => !IsDirection(rune),
        _ => true,
    };

    /// <summary>Whether a character combines with the one before it.</summary>
    public static bool IsMark(Rune rune) => Rune.GetUnicodeCategory(rune)
        is UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.SpacingCombiningMark;

    /// <summary>Whether an allowed character shows something by itself: no mark, space or joiner.</summary>
    public static bool IsDrawn(Rune rune) =>
        !IsMark(rune) && Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.SpaceSeparator or UnicodeCategory.Format);

    /// <summary>Whether no more than <see cref="MaxMarks"/> marks follow each other.</summary>
    public static bool HasFewMarks(string text)
    {
        int marks = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            marks = IsMark(rune) ? marks + 1 : 0;
            if (marks > MaxMarks)
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsVisible(Rune rune) => Rune.GetUnicodeCategory(rune) switch
    {
        UnicodeCategory.Control or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
            or UnicodeCategory.PrivateUse or UnicodeCategory.Surrogate or UnicodeCategory.OtherNotAssigned => false,
        _ => !IsBlank(rune),
    };

    private static bool IsFormat(Rune rune) => Rune.GetUnicodeCategory(rune) == UnicodeCategory.Format;

    private static bool IsJoiner(Rune rune) => rune.Value is ZeroWidthNonJoiner or ZeroWidthJoiner;

    // Letters and symbols that are drawn as nothing: the Hangul fillers, the Khmer inherent vowels, the empty Braille pattern, and the
    // combining grapheme joiner (DerivedCoreProperties.txt of Unicode, "Default_Ignorable_Code_Point"; the Braille pattern is not in it).
    private static bool IsBlank(Rune rune) =>
        rune.Value is 0x034F or 0x115F or 0x1160 or 0x17B4 or 0x17B5 or 0x2800 or 0x3164 or 0xFFA0;

    private static bool IsVariationSelector(Rune rune) => rune.Value is (>= 0xFE00 and <= 0xFE0F) or (>= 0xE0100 and <= 0xE01EF);

    // Embeddings, overrides and isolates (Unicode Standard Annex 9, section 2): an override shows the text behind it backwards. The
    // marks of direction (U+200E, U+200F, U+061C) act on their neighbors alone.
    private static bool IsDirection(Rune rune) => rune.Value is (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
