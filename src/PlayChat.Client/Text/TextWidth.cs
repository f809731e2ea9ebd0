namespace PlayChat.Client.Text;

/// <summary>How many columns text takes on a terminal.</summary>
/// <remarks>
/// Counted by grapheme clusters, what a reader sees as one character: 한 or 👩‍👩‍👧 are 2 columns, e with an accent is 1. Terminals differ
/// in the rarest cases; nothing here depends on them beyond a cursor that is a column off.
/// </remarks>
internal static class TextWidth
{
    /// <summary>The widest that one grapheme cluster can be.</summary>
    public const int MaxOfGrapheme = 2;

    private const int EmojiPresentation = 0xFE0F;

    // The code points that take two columns: East_Asian_Width W and F of Unicode 15, unassigned ones within a block joined in. First and
    // last of each range, ascending.
    private static readonly int[] s_wide =
    [
        0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3, 0x25FD, 0x25FE, 0x2614, 0x2615,
        0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE,
        0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
        0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF,
        0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x303E, 0x3041, 0x3247, 0x3250, 0x4DBF, 0x4E00, 0xA4C6, 0xA960, 0xA97C,
        0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19, 0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6,
        0x16FE0, 0x16FE4, 0x16FF0, 0x16FF1, 0x17000, 0x18CD5, 0x18D00, 0x18D08, 0x1AFF0, 0x1B2FB,
        0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200, 0x1F202, 0x1F210, 0x1F23B, 0x1F240, 0x1F248,
        0x1F250, 0x1F251, 0x1F260, 0x1F265, 0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA,
        0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D,
        0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5,
        0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D7, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB,
        0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD,
    ];

    /// <summary>The columns of a whole text.</summary>
    public static int Of(string text) => GraphemesOf(text).Sum(static grapheme => grapheme.Columns);

    /// <summary>The grapheme clusters of a text, each with its columns: 0, 1 or 2.</summary>
    public static IEnumerable<(int Start, int Length, int Columns)> GraphemesOf(string text, int start = 0)
    {
        for (int length; start < text.Length; start += length)
        {
            length = StringInfo.GetNextTextElementLength(text, start);
            yield return (start, length, OfGrapheme(text.AsSpan(start, length)));
        }
    }

    /// <summary>Breaks a text into lines at spaces. The spaces at a break go; a word that is wider than a line is broken.</summary>
    /// <param name="text">The text; an empty one is one empty line.</param>
    /// <param name="firstColumns">The widest first line, at least 0: it may follow something else.</param>
    /// <param name="columns">The widest later line, at least <see cref="MaxOfGrapheme"/>.</param>
    public static List<string> Wrap(string text, int firstColumns, int columns)
    {
        var lines = new List<string>();
        int start = 0;
        int limit = firstColumns;
        for (int end; (end = FindExcess(text, start, limit)) < text.Length; limit = columns)
        {
            int length = text.AsSpan(start, end - start).LastIndexOf(' ') + 1;
            if (length == 0 && (lines.Count > 0 || limit == columns))
            {
                length = end - start; // no space to break at, and no wider line follows
            }

            lines.Add(text.Substring(start, length).TrimEnd(' '));
            start += length;
        }

        lines.Add(text[start..].TrimEnd(' '));
        return lines;
    }

    // Where the first character begins that is too much for a line. Spaces never are: at a break they go.
    private static int FindExcess(string text, int start, int limit)
    {
        int used = 0;
        foreach ((int at, _, int columns) in GraphemesOf(text, start))
        {
            used += columns;
            if (used > limit && text[at] != ' ')
            {
                return at;
            }
        }

        return text.Length;
    }

    private static int OfGrapheme(ReadOnlySpan<char> grapheme)
    {
        int columns = 0;
        bool regional = false;
        foreach (Rune rune in grapheme.EnumerateRunes())
        {
            // A flag is two regional indicators; each alone is one column.
            if (rune.Value == EmojiPresentation || (regional && IsRegionalIndicator(rune)))
            {
                return columns == 0 ? 0 : 2;
            }

            regional = IsRegionalIndicator(rune);
            columns = Math.Max(columns, OfRune(rune));
        }

        return columns;
    }

    private static int OfRune(Rune rune) => rune.Value switch
    {
        >= 0x20 and < 0x7F => 1,
        0xAD => 1, // a soft hyphen is shown
        >= 0x1160 and <= 0x11FF => 0, // Hangul vowels and final consonants join the syllable that began
        int value when IsWide(value) => 2,
        _ => Rune.GetUnicodeCategory(rune) is UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.Control
            or UnicodeCategory.Format ? 0 : 1,
    };

    private static bool IsWide(int codePoint)
    {
        int index = Array.BinarySearch(s_wide, codePoint);

        // Between two bounds: inside when the one before is a first.
        return index >= 0 || (~index & 1) == 1;
    }

    private static bool IsRegionalIndicator(Rune rune) => rune.Value is >= 0x1F1E6 and <= 0x1F1FF;
}
