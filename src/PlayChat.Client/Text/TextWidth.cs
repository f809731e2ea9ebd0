using Wcwidth;

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
            columns = Math.Max(columns, UnicodeCalculator.GetWidth(rune)); // -1 for a control character
        }

        return columns;
    }

    private static bool IsRegionalIndicator(Rune rune) => rune.Value is >= 0x1F1E6 and <= 0x1F1FF;
}
