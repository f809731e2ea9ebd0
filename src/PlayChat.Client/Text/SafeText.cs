namespace PlayChat.Client.Text;

/// <summary>Makes what others wrote harmless to show: no character of it moves the cursor, colours, breaks or turns the line.</summary>
internal static class SafeText
{
    /// <summary>Control characters become visible signs (ESC is ␛), characters that turn the direction of text are spelled out, halves of
    /// pairs become �.</summary>
    public static string Clean(string text) => text.All(static c => !char.IsControl(c) && !char.IsSurrogate(c) && !IsHarmful(c))
        ? text : string.Concat(text.EnumerateRunes().Select(Seen)); // whether pairs are whole is seen rune by rune

    private static string Seen(Rune rune) => rune.Value switch
    {
        < 0x20 => ((char)(0x2400 + rune.Value)).ToString(),
        0x7F => "\u2421", // ␡
        0x2028 or 0x2029 => "\u2424", // ␤
        int value when Rune.IsControl(rune) || IsHarmful(value) => string.Create(CultureInfo.InvariantCulture, $"<U+{value:X4}>"),
        _ => rune.ToString(),
    };

    // Line and paragraph separators; the embeddings, overrides and isolates of the bidirectional algorithm, which reach beyond the
    // text that holds them and could swap a name with what it says.
    private static bool IsHarmful(int value) => value is 0x2028 or 0x2029 or (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
