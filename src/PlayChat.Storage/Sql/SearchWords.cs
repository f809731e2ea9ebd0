using System.Text;

namespace PlayChat.Storage.Sql;

/// <summary>What a player searches for: plain words, so that no database takes any part of them for its query syntax.</summary>
internal static class SearchWords
{
    private const int MaxWords = 10;

    /// <summary>The words of a text, ten at most: letters and digits alone.</summary>
    public static IReadOnlyList<string> Of(string text)
    {
        var spaced = new StringBuilder(text.Length);
        foreach (Rune rune in text.EnumerateRunes())
        {
            // Letters and digits of all kinds; Rune has no such test for letter-like numbers, such as superscripts.
            spaced.Append(Rune.IsLetter(rune) || Rune.IsNumber(rune) ? rune.ToString() : " ");
        }

        return spaced.ToString().Split(' ', MaxWords + 1, StringSplitOptions.RemoveEmptyEntries).Take(MaxWords).ToArray();
    }
}
