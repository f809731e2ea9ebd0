namespace PlayChat.Protocol;

/// <summary>What the rules for names and texts see in a character. tools/unicode-table.mjs derives it from Unicode's properties.</summary>
internal enum CharacterKind : byte
{
    /// <summary>A control, line or paragraph separator, private, unassigned, or a surrogate.</summary>
    None = 0,

    /// <summary>A number, punctuation, a symbol, a cased letter of other scripts, or a code point reserved for emoji.</summary>
    Symbol = 1,

    /// <summary>A letter without case, of a script whose letters do not join (category Lo).</summary>
    Letter = 2,

    /// <summary>A letter of the Latin script.</summary>
    Latin = 3,

    /// <summary>A letter of the Greek script.</summary>
    Greek = 4,

    /// <summary>A letter of the Cyrillic script.</summary>
    Cyrillic = 5,

    /// <summary>A letter that joins the letter behind it, as in Arabic (Joining_Type D and L).</summary>
    JoiningLetter = 6,

    /// <summary>A letter that joins only the letter before it (Joining_Type R).</summary>
    RightJoiningLetter = 7,

    /// <summary>A space (category Zs).</summary>
    Space = 8,

    /// <summary>A format control (category Cf).</summary>
    Format = 9,

    /// <summary>A variation selector.</summary>
    VariationSelector = 10,

    /// <summary>Another character that is drawn as nothing: Default_Ignorable_Code_Point, or one whose picture is empty.</summary>
    Blank = 11,

    /// <summary>A mark with a width of its own (category Mc of combining class 0).</summary>
    SpacingMark = 12,

    /// <summary>A mark that is drawn over, under or around what it follows.</summary>
    Mark = 13,

    /// <summary>A mark that takes a consonant's vowel (combining class 9).</summary>
    Virama = 14,

    /// <summary>A mark that is drawn as nothing and joins the letters around it (Invisible_Stacker, Number_Joiner).</summary>
    Stacker = 15,
}
