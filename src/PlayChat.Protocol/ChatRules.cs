using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace PlayChat.Protocol;

/// <summary>Which names and texts the chat protocol allows. proto/PROTOCOL.md, "Limits".</summary>
/// <remarks>A character is a Unicode code point. Thread-safe; null is never allowed.</remarks>
public static class ChatRules
{
    private static readonly SearchValues<char> s_wordCharacters = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789-_.");

    /// <summary>
    /// 1 to <see cref="ChatLimits.MaxPlayerNameChars"/> letters, digits, marks, punctuation characters, symbols and spaces (U+0020); no
    /// space at either end and no two in a row; letters of one of the scripts Latin, Greek and Cyrillic alone; and nothing that looks
    /// like <see cref="ChatLimits.SystemName"/>.
    /// </summary>
    /// <remarks>
    /// The nicknames of RFC 8266, without letters that are drawn as nothing; joiners stand only where a script or an emoji needs them.
    /// Unicode 17 says what a letter is, on every runtime.
    /// </remarks>
    public static bool IsPlayerName([NotNullWhen(true)] string? name) => name is not null && FindPlayerNameProblem(name) is null;

    /// <summary>Says which rule of <see cref="IsPlayerName"/> a name breaks.</summary>
    /// <returns>A sentence for the player; <see langword="null"/> when the name is allowed.</returns>
    public static string? FindPlayerNameProblem(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (string.IsNullOrWhiteSpace(name))
        {
            return "The name is empty.";
        }

        if (name.Length > ChatLimits.MaxPlayerNameChars * 2 || name.EnumerateRunes().Count() > ChatLimits.MaxPlayerNameChars)
        {
            return $"The name is too long: {ChatLimits.MaxPlayerNameChars} characters are the most.";
        }

        if (name[0] == ' ' || name[^1] == ' ')
        {
            return "The name has a space at one of its ends.";
        }

        if (name.Contains("  ", StringComparison.Ordinal))
        {
            return "The name has two spaces in a row.";
        }

        if (!name.EnumerateRunes().All(ChatCharacters.IsOfPlayerName))
        {
            return "The name has a character that no name may have. Use letters, digits, symbols and single spaces between them.";
        }

        if (!name.EnumerateRunes().Any(ChatCharacters.IsDrawn))
        {
            return "The name has marks alone, and no letter under them.";
        }

        if (!ChatCharacters.AreJoinersInPlace(name) || !ChatCharacters.HasFewMarks(name))
        {
            return "The name has too many marks over or under its letters, or an invisible character between them.";
        }

        return LookalikeNames.IsMixed(name)
            ? "The name mixes letters of the Latin, Greek and Cyrillic scripts, which look alike. Use those of one script."
            : LookalikeNames.IsSystem(name) ? SystemNameProblem
            : null;
    }

    /// <summary>What a player is told about a name that is, or looks like, <see cref="ChatLimits.SystemName"/>.</summary>
    public static string SystemNameProblem { get; } = $"The name is reserved: the server speaks as {ChatLimits.SystemName}.";

    /// <summary>
    /// 1 to <see cref="ChatLimits.MaxRoomNameChars"/> visible characters and spaces, not only white space; no control, private or
    /// unassigned characters, and none that turn the writing direction. Unicode 17 says what is assigned; what it reserves for emoji is.
    /// </summary>
    public static bool IsRoomName([NotNullWhen(true)] string? name) =>
        IsName(name, ChatLimits.MaxRoomNameChars, ChatCharacters.IsOfRoomName);

    /// <summary>
    /// One emoji, as a player sees it, of at most <see cref="ChatLimits.MaxReactionBytes"/> bytes of UTF-8: a symbol with what belongs to
    /// it, or a key cap.
    /// </summary>
    public static bool IsReaction([NotNullWhen(true)] string? emoji) =>
        !string.IsNullOrEmpty(emoji)
        && Encoding.UTF8.GetByteCount(emoji) <= ChatLimits.MaxReactionBytes
        && StringInfo.GetNextTextElementLength(emoji) == emoji.Length
        && emoji.EnumerateRunes().ToArray() is [var first, .. var rest]
        && ((Rune.GetUnicodeCategory(first) == UnicodeCategory.OtherSymbol
                && first.Value is not (0x2800 or 0xFFFC or 0xFFFD)) // drawn as nothing, or in place of something
            || first.Value is >= 0x1F000 and <= 0x1FAFF // reserved for emojis, those of later Unicode as well
            || (rest is [.., { Value: 0x20E3 }] && first.Value is '#' or '*' or (>= '0' and <= '9')))
        && rest.Length < ChatLimits.MaxReactionBytes / 4
        && rest.All(static rune => Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.Control or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate or UnicodeCategory.NonSpacingMark)
            || rune.Value is 0xFE0E or 0xFE0F);

    /// <summary>
    /// Up to <see cref="ChatLimits.MaxRoomTypeChars"/> characters of a-z, 0-9, '-', '_' and '.'. Empty is allowed and means none.
    /// </summary>
    public static bool IsRoomType([NotNullWhen(true)] string? type) =>
        type is not null && type.Length <= ChatLimits.MaxRoomTypeChars && IsWord(type);

    /// <summary>
    /// Up to <see cref="ChatLimits.MaxRoomProperties"/> properties. A key has 1 to <see cref="ChatLimits.MaxRoomPropertyKeyChars"/>
    /// characters of a-z, 0-9, '-', '_' and '.'; a value has 1 to <see cref="ChatLimits.MaxRoomPropertyValueChars"/> characters that a
    /// room's name may have.
    /// </summary>
    public static bool AreRoomProperties([NotNullWhen(true)] IReadOnlyCollection<KeyValuePair<string, string>>? properties) =>
        properties is not null && properties.Count <= ChatLimits.MaxRoomProperties
        && properties.All(static property =>
            property.Key.Length is >= 1 and <= ChatLimits.MaxRoomPropertyKeyChars && IsWord(property.Key)
            && IsName(property.Value, ChatLimits.MaxRoomPropertyValueChars, ChatCharacters.IsOfRoomName));

    /// <summary>Makes a text safe to show: the server does so with every text, before anyone hears it.</summary>
    /// <returns>
    /// The text without control characters (line breaks and tabs stay), characters that turn the writing direction, and combining marks
    /// beyond eight in a row or four that are drawn in one place; noncharacters are replaced by U+FFFD. It may be empty. The same instance
    /// if there is nothing to change. Characters that this version does not know stay.
    /// </returns>
    public static string Clean(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.AsSpan().ContainsAnyExceptInRange(' ', '~') ? CleanRare(text) : text;
    }

    /// <summary>1 to <see cref="ChatLimits.MaxTextBytes"/> bytes of UTF-8.</summary>
    public static bool IsText([NotNullWhen(true)] string? text) =>
        !string.IsNullOrEmpty(text) && FitsBytes(text, ChatLimits.MaxTextBytes);

    /// <summary>
    /// Whether a password has at most <see cref="ChatLimits.MaxPasswordBytes"/> bytes of UTF-8. An empty password means none and is valid.
    /// </summary>
    public static bool IsPassword([NotNullWhen(true)] string? password) =>
        password is not null && FitsBytes(password, ChatLimits.MaxPasswordBytes);

    /// <summary>At most <see cref="ChatLimits.MaxClientVersionChars"/> characters, no control characters; may be empty.</summary>
    public static bool IsClientVersion([NotNullWhen(true)] string? version) =>
        version is not null && version.Length <= ChatLimits.MaxClientVersionChars * 2
        && version.EnumerateRunes().Count() <= ChatLimits.MaxClientVersionChars
        // Zl and Zp break lines as line feeds do, and would tear logs and terminals.
        && version.EnumerateRunes().All(static rune => Rune.GetUnicodeCategory(rune)
            is not (UnicodeCategory.Control or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator));

    private static bool IsWord(string text) => !text.AsSpan().ContainsAnyExcept(s_wordCharacters);

    private static bool IsName([NotNullWhen(true)] string? name, int maxChars, Func<Rune, bool> isAllowed) =>
        !string.IsNullOrWhiteSpace(name) && name.Length <= maxChars * 2
        && name.EnumerateRunes().All(isAllowed) && name.EnumerateRunes().Count() <= maxChars
        && name.EnumerateRunes().Any(ChatCharacters.IsDrawn)
        && ChatCharacters.AreJoinersInPlace(name) && ChatCharacters.HasFewMarks(name);

    private static string CleanRare(string text)
    {
        if (text.EnumerateRunes().All(ChatCharacters.IsOfText) && ChatCharacters.HasFewMarks(text))
        {
            return text;
        }

        var clean = new StringBuilder(text.Length);
        MarkRun marks = default;
        foreach (Rune rune in text.EnumerateRunes())
        {
            // What is removed does not end a run of marks: those around it would meet.
            if (ChatCharacters.IsNoncharacter(rune))
            {
                marks.TryTake(Rune.ReplacementChar);
                clean.Append(Rune.ReplacementChar);
            }
            else if (ChatCharacters.IsOfText(rune) && marks.TryTake(rune))
            {
                clean.Append(rune);
            }
        }

        return clean.ToString();
    }

    // No text has fewer bytes than UTF-16 units, so a long one is refused without counting it.
    private static bool FitsBytes(string value, int maxBytes) =>
        value.Length <= maxBytes && Encoding.UTF8.GetByteCount(value) <= maxBytes;
}
