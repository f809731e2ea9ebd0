using System.Text.RegularExpressions;

namespace PlayChat.Client.Text;

internal static class Mention
{
    // Words of scripts before it stand between spaces. In Korean, Chinese and Japanese something follows a name without one.
    private const char FirstWithoutSpaces = '\u1100';

    /// <summary>Whether a text has a name as a word of its own, in any letter case.</summary>
    public static bool IsIn(string text, string name)
    {
        name = Composed(name);
        return name.Length > 0 && Regex.IsMatch(
            Composed(text),
            (StandsAlone(name[0]) ? @"(?<![\p{L}\p{Nd}])" : "") + Regex.Escape(name) + (StandsAlone(name[^1]) ? @"(?![\p{L}\p{Nd}])" : ""),
            RegexOptions.IgnoreCase | RegexOptions.CultureInvariant,
            TimeSpan.FromSeconds(1));
    }

    // Some systems type a letter and its mark as two characters.
    private static string Composed(string text)
    {
        try
        {
            return text.Normalize();
        }
        catch (ArgumentException)
        {
            return text; // half a surrogate pair has no such form
        }
    }

    private static bool StandsAlone(char edge) => char.IsLetterOrDigit(edge) && edge < FirstWithoutSpaces;
}
