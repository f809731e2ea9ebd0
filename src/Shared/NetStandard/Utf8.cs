namespace System.Text.Unicode;

/// <summary>What .NET Standard 2.1 lacks.</summary>
internal static class Utf8
{
    /// <summary>Returns whether bytes are text in UTF-8: RFC 3629. They are not changed.</summary>
    internal static bool IsValid(Span<byte> text)
    {
        for (int i = 0; i < text.Length;)
        {
            // The second byte also excludes forms that are too long, surrogates, and what is above U+10FFFF.
            (int length, byte low, byte high) = text[i] switch
            {
                < 0x80 => (1, (byte)0, (byte)0),
                >= 0xC2 and < 0xE0 => (2, (byte)0x80, (byte)0xBF),
                0xE0 => (3, (byte)0xA0, (byte)0xBF),
                0xED => (3, (byte)0x80, (byte)0x9F),
                >= 0xE1 and < 0xF0 => (3, (byte)0x80, (byte)0xBF),
                0xF0 => (4, (byte)0x90, (byte)0xBF),
                >= 0xF1 and < 0xF4 => (4, (byte)0x80, (byte)0xBF),
                0xF4 => (4, (byte)0x80, (byte)0x8F),
                _ => (0, (byte)0, (byte)0),
            };
            if (length == 0 || text.Length - i < length || (length > 1 && (text[i + 1] < low || text[i + 1] > high)))
            {
                return false;
            }

            for (int next = i + 2; next < i + length; next++)
            {
                if ((text[next] & 0xC0) != 0x80)
                {
                    return false;
                }
            }

            i += length;
        }

        return true;
    }
}
