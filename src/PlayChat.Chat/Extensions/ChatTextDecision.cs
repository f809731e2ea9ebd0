namespace PlayChat.Chat.Extensions;

/// <summary>What a rule says of a text.</summary>
public readonly record struct ChatTextDecision
{
    /// <summary>What is said instead; <see langword="null"/> if the text stays.</summary>
    internal string? Text { get; private init; }

    /// <summary>Why it is not said; <see langword="null"/> if it is.</summary>
    internal string? Refusal { get; private init; }

    /// <summary>The text stays as it is. This is the default.</summary>
    public static ChatTextDecision Keep => default;

    /// <summary>The text is replaced, for everyone; its sender sees the new one, too.</summary>
    /// <param name="text">As long as a text of the chat may be; a longer one is refused with TEXT_INVALID.</param>
    public static ChatTextDecision Replace(string text)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        return new ChatTextDecision { Text = text };
    }

    /// <summary>The text is not said: no member gets it, and nothing stores it.</summary>
    /// <param name="reason">A sentence for its sender that says what to do.</param>
    public static ChatTextDecision Refuse(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new ChatTextDecision { Refusal = reason };
    }
}
