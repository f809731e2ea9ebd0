namespace PlayChat.Protocol;

/// <summary>What the rules for names and texts see in a character. tools/unicode-table.mjs derives it from Unicode's properties.</summary>
internal enum CharacterKind : byte
{
    None = 0, // a control, line or paragraph separator, private, unassigned, or a surrogate
    Symbol = 1, // a number, punctuation, a symbol, a cased letter of other scripts, or a code point reserved for emoji
    Letter = 2, // a letter without case, of a script whose letters do not join (category Lo)
    Latin = 3, // a letter of this script; the next two are letters of theirs
    Greek = 4,
    Cyrillic = 5,
    JoiningLetter = 6, // a letter that joins the letter behind it, as in Arabic (Joining_Type D and L)
    RightJoiningLetter = 7, // a letter that joins only the letter before it (Joining_Type R)
    Space = 8, // a space (category Zs)
    Format = 9, // a format control (category Cf)
    VariationSelector = 10,
    Blank = 11, // another character that is drawn as nothing: Default_Ignorable_Code_Point, or one whose picture is empty
    SpacingMark = 12, // a mark with a width of its own (category Mc of combining class 0)
    Mark = 13, // a mark that is drawn over, under or around what it follows
    Virama = 14, // a mark that takes a consonant's vowel (combining class 9)
    Stacker = 15, // a mark that is drawn as nothing and joins the letters around it (Invisible_Stacker, Number_Joiner)
}
