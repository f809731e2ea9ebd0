namespace PlayChat.Client.Interaction;

/// <summary>What a line is about, which decides how and where it is shown.</summary>
internal enum LineKind
{
    /// <summary>An answer to what the user did.</summary>
    Info,

    /// <summary>Help for a person in front of the screen; a script has no use for it.</summary>
    Hint,

    /// <summary>The name of what comes below.</summary>
    Title,

    /// <summary>The mark between what the user has seen and what is new.</summary>
    Unread,

    /// <summary>Something failed; the user can continue.</summary>
    Warning,

    /// <summary>Something did not work, and without a person to ask it is the end.</summary>
    Error,

    /// <summary>What another player said.</summary>
    Chat,

    /// <summary>What the user said, as it came back from the room.</summary>
    OwnChat,

    /// <summary>What one player says to another one alone.</summary>
    Direct,

    /// <summary>A player joined or left, or the server speaks.</summary>
    Event,
}
