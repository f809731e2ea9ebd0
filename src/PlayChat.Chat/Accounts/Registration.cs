namespace PlayChat.Chat.Accounts;

/// <summary>Whether a login makes an account for its name.</summary>
internal enum Registration
{
    /// <summary>If no account has it and the server registers names.</summary>
    IfUnknown = 0,

    /// <summary>Never: NAME_UNKNOWN answers where the server would.</summary>
    Never = 1,

    /// <summary>That is all it asks for: NAME_TAKEN answers if an account has it.</summary>
    Required = 2,
}
