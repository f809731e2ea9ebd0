using System.Text;
using PlayChat.Characters;

namespace PlayChat.Protocol;

/// <summary>Which characters names and texts may have, by <see cref="UnicodeTable"/>: every runtime lets the same ones through.</summary>
internal static class ChatCharacters
{
    /// <summary>
    /// Whether a character may stand in a player's name: letters, digits, marks, punctuation, symbols, the space of ASCII and what joins
    /// them (<see cref="AreJoinersInPlace"/>). RFC 8264, "FreeformClass", without what looks like a space or like nothing.
    /// </summary>
    public static bool IsOfPlayerName(Rune rune) => rune.Value == ' ' || IsDrawn(rune) || IsMark(rune) || Joiners.Contains(rune);

    /// <summary>Whether a character may stand in a room's name: those of a player's name, and other spaces.</summary>
    public static bool IsOfRoomName(Rune rune) => IsOfPlayerName(rune) || UnicodeTable.KindOf(rune.Value) == CharacterKind.Space;

    /// <summary>
    /// Whether a character may stand in a text: any that Unicode has or will have. Line breaks and tabs are such; other controls,
    /// characters that turn the writing direction for what follows, and noncharacters are not.
    /// </summary>
    public static bool IsOfText(Rune rune) =>
        (!Rune.IsControl(rune) || rune.Value is '\n' or '\t' or '\r') && !IsDirection(rune) && !IsNoncharacter(rune);

    /// <summary>U+FDD0 to U+FDEF and the last two of each plane: programs use them internally, so no text has them.</summary>
    public static bool IsNoncharacter(Rune rune) => rune.Value is (>= 0xFDD0 and <= 0xFDEF) || (rune.Value & 0xFFFE) == 0xFFFE;

    /// <summary>Whether a character shows something by itself: no mark, space or joiner.</summary>
    public static bool IsDrawn(Rune rune) => UnicodeTable.KindOf(rune.Value) is > CharacterKind.None and < CharacterKind.Space;

    /// <summary>
    /// Whether all joiners of a name stand where they shape what is seen: not at its begin, and not behind a space or a letter of Latin,
    /// Greek or Cyrillic. The marks that only join two letters stand between such.
    /// </summary>
    /// <remarks>Names of accounts that differ in joiners alone are the same name: <c>AccountName</c> of PlayChat.Storage.</remarks>
    public static bool AreJoinersInPlace(string name)
    {
        CharacterKind last = CharacterKind.None;
        foreach (Rune rune in name.EnumerateRunes())
        {
            CharacterKind kind = UnicodeTable.KindOf(rune.Value);
            if (Joiners.Contains(rune))
            {
                if (last is CharacterKind.None or CharacterKind.Space
                    or CharacterKind.Latin or CharacterKind.Greek or CharacterKind.Cyrillic)
                {
                    return false;
                }

                continue;
            }

            if ((kind == CharacterKind.Stacker && !IsStacked(last)) || (last == CharacterKind.Stacker && !IsStacked(kind)))
            {
                return false;
            }

            last = kind;
        }

        return last != CharacterKind.Stacker;
    }

    /// <summary>Whether no more marks are drawn over and under each other than words have.</summary>
    public static bool HasFewMarks(string text)
    {
        MarkRun marks = default;
        foreach (Rune rune in text.EnumerateRunes())
        {
            if (!marks.TryTake(rune))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsMark(Rune rune) => UnicodeTable.KindOf(rune.Value) >= CharacterKind.SpacingMark;

    private static bool IsStacked(CharacterKind kind) =>
        kind is CharacterKind.Letter or CharacterKind.JoiningLetter or CharacterKind.RightJoiningLetter or >= CharacterKind.SpacingMark;

    // Embeddings, overrides and isolates (Unicode Standard Annex 9, section 2): an override shows the text behind it backwards. The
    // marks of direction (U+200E, U+200F, U+061C) act on their neighbors alone.
    private static bool IsDirection(Rune rune) => rune.Value is (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
