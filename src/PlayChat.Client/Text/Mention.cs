namespace PlayChat.Client.Text;

/// <summary>Finds the user's name in what others say.</summary>
internal static class Mention
{
    // Words of scripts before it stand between spaces. In Korean, Chinese and Japanese something follows a name without one.
    private const char FirstWithoutSpaces = '\u1100';

    /// <summary>Whether a text has a name as a word of its own, in any letter case.</summary>
    public static bool IsIn(string text, string name)
    {
        if (name.Length == 0)
        {
            return false;
        }

        text = Composed(text);
        name = Composed(name);
        for (int at = -1; (at = text.IndexOf(name, at + 1, StringComparison.OrdinalIgnoreCase)) >= 0;)
        {
            int end = at + name.Length;
            if ((at == 0 || !Joins(text[at - 1], name[0])) && (end == text.Length || !Joins(text[end], name[^1])))
            {
                return true;
            }
        }

        return false;
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

    private static bool Joins(char neighbor, char edge) =>
        char.IsLetterOrDigit(neighbor) && char.IsLetterOrDigit(edge) && edge < FirstWithoutSpaces;
}
