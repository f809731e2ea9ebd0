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

    /// <summary>The columns of a whole text.</summary>
    public static int Of(string text)
    {
        int columns = 0;
        for (int i = 0; i < text.Length;)
        {
            int length = StringInfo.GetNextTextElementLength(text, i);
            columns += OfGrapheme(text.AsSpan(i, length));
            i += length;
        }

        return columns;
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
    private static int FindExcess(string text, int start, int columns)
    {
        int used = 0;
        int i = start;
        while (i < text.Length)
        {
            int length = StringInfo.GetNextTextElementLength(text, i);
            used += OfGrapheme(text.AsSpan(i, length));
            if (used > columns && text[i] != ' ')
            {
                break;
            }

            i += length;
        }

        return i;
    }

    /// <summary>The columns of one grapheme cluster: 0, 1 or 2.</summary>
    public static int OfGrapheme(ReadOnlySpan<char> grapheme)
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

    private static int OfRune(Rune rune)
    {
        if (rune.Value is >= 0x20 and < 0x7F)
        {
            return 1;
        }

        if (WideRanges.Contains(rune.Value))
        {
            return 2;
        }

        // Hangul vowels and final consonants join the syllable that began.
        bool joins = rune.Value is >= 0x1160 and <= 0x11FF;
        return joins ? 0 : Rune.GetUnicodeCategory(rune) switch
        {
            UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.Control => 0,
            UnicodeCategory.Format => rune.Value == 0xAD ? 1 : 0, // a soft hyphen is shown
            _ => 1,
        };
    }

    private static bool IsRegionalIndicator(Rune rune) => rune.Value is >= 0x1F1E6 and <= 0x1F1FF;
}
