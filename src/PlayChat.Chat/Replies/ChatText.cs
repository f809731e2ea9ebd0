namespace PlayChat.Chat.Replies;

/// <summary>What players say, in a room or to one player.</summary>
internal static class ChatText
{
    /// <summary>The message of <see cref="ErrorCode.TextInvalid"/>.</summary>
    public static string Invalid { get; } =
        $"A text has 1 to {ChatLimits.MaxTextBytes} bytes of UTF-8. Shorten it, or say something.";

    /// <summary>Makes a text safe to show.</summary>
    /// <returns><see langword="false"/> when it is too long, or nothing is left of it.</returns>
    public static bool TryClean(string text, out string clean)
    {
        clean = ChatRules.IsText(text) ? ChatRules.Clean(text) : "";
        return clean.Length > 0;
    }

    /// <summary>Whether a text is empty, or can be shown as it is.</summary>
    public static bool IsShown(string text, int maxBytes) =>
        text.Length == 0
        || (System.Text.Encoding.UTF8.GetByteCount(text) <= maxBytes && TryClean(text, out string clean) && clean == text);
}
