using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace PlayChat.Protocol;

/// <summary>Which names and texts the chat protocol allows. proto/PROTOCOL.md, "Limits".</summary>
/// <remarks>A character is a Unicode code point. Thread-safe; null is never allowed.</remarks>
public static class ChatRules
{
    /// <summary>
    /// 1 to <see cref="ChatLimits.MaxPlayerNameChars"/> characters, no control characters, not only white space, not
    /// <see cref="ChatLimits.SystemName"/>.
    /// </summary>
    public static bool IsPlayerName([NotNullWhen(true)] string? name) =>
        IsName(name, ChatLimits.MaxPlayerNameChars) && !name.Trim().Equals(ChatLimits.SystemName, StringComparison.OrdinalIgnoreCase);

    /// <summary>1 to <see cref="ChatLimits.MaxRoomNameChars"/> characters, no control characters, not only white space.</summary>
    public static bool IsRoomName([NotNullWhen(true)] string? name) => IsName(name, ChatLimits.MaxRoomNameChars);

    /// <summary>1 to <see cref="ChatLimits.MaxTextBytes"/> bytes of UTF-8.</summary>
    public static bool IsText([NotNullWhen(true)] string? text) =>
        !string.IsNullOrEmpty(text) && FitsBytes(text, ChatLimits.MaxTextBytes);

    /// <summary>At most <see cref="ChatLimits.MaxPasswordBytes"/> bytes of UTF-8; empty counts as none and is allowed here.</summary>
    public static bool IsPassword([NotNullWhen(true)] string? password) =>
        password is not null && FitsBytes(password, ChatLimits.MaxPasswordBytes);

    /// <summary>At most <see cref="ChatLimits.MaxClientVersionChars"/> characters, no control characters; may be empty.</summary>
    public static bool IsClientVersion([NotNullWhen(true)] string? version) =>
        version is not null && IsPrintable(version, ChatLimits.MaxClientVersionChars);

    private static bool IsName([NotNullWhen(true)] string? name, int maxChars) =>
        !string.IsNullOrWhiteSpace(name) && IsPrintable(name, maxChars);

    private static bool IsPrintable(string value, int maxChars)
    {
        int chars = 0;
        foreach (Rune rune in value.EnumerateRunes())
        {
            // Zl and Zp break lines as line feeds do: in a name they would tear logs and terminals.
            bool printable = Rune.GetUnicodeCategory(rune)
                is not (UnicodeCategory.Control or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
            if (!printable || ++chars > maxChars)
            {
                return false;
            }
        }

        return true;
    }

    // No text has fewer bytes than UTF-16 units, so a long one is refused without counting it.
    private static bool FitsBytes(string value, int maxBytes) =>
        value.Length <= maxBytes && Encoding.UTF8.GetByteCount(value) <= maxBytes;
}
