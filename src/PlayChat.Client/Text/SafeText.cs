using System.Globalization;
using System.Text;

namespace PlayChat.Client.Text;

/// <summary>Makes what others wrote harmless to show: no character of it moves the cursor, colours, breaks or turns the line.</summary>
internal static class SafeText
{
    private const int FirstControlPicture = 0x2400;

    /// <summary>Control characters become visible signs (ESC is ␛), characters that turn the direction of text are spelled out, halves of
    /// pairs become �.</summary>
    public static string Clean(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (!NeedsCleaning(text))
        {
            return text;
        }

        var clean = new StringBuilder(text.Length + 16);
        foreach (Rune rune in text.EnumerateRunes())
        {
            Append(clean, rune);
        }

        return clean.ToString();
    }

    private static bool NeedsCleaning(string text)
    {
        foreach (char c in text)
        {
            // Halves of pairs, too: whether they are whole is seen rune by rune.
            if (char.IsControl(c) || char.IsSurrogate(c) || IsHarmful(c))
            {
                return true;
            }
        }

        return false;
    }

    private static void Append(StringBuilder clean, Rune rune)
    {
        switch (rune.Value)
        {
            case < 0x20:
                clean.Append((char)(FirstControlPicture + rune.Value));
                break;

            case 0x7F:
                clean.Append('\u2421'); // ␡
                break;

            case 0x2028 or 0x2029:
                clean.Append('\u2424'); // ␤
                break;

            case int value when Rune.IsControl(rune) || IsHarmful(value):
                clean.Append(CultureInfo.InvariantCulture, $"<U+{value:X4}>");
                break;

            default:
                clean.Append(rune);
                break;
        }
    }

    // Line and paragraph separators; the embeddings, overrides and isolates of the bidirectional algorithm, which reach beyond the
    // text that holds them and could swap a name with what it says.
    private static bool IsHarmful(int value) => value is 0x2028 or 0x2029 or (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
