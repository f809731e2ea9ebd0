namespace PlayChat.Chat.Extensions;

/// <summary>What <see cref="IChatAuthenticator"/> has decided.</summary>
public readonly record struct ChatLoginDecision
{
    /// <summary>The player; <see langword="null"/> if there is none.</summary>
    internal string? Player { get; private init; }

    /// <summary>The refusal; <see langword="null"/> if there is none.</summary>
    internal string? Refusal { get; private init; }

    /// <summary>The accounts of the server decide, by name and password, as if there were no authenticator. This is the default.</summary>
    public static ChatLoginDecision UseAccounts => default;

    /// <summary>
    /// Lets the login in as a player. The server makes an account without a password for a name that it does not know. A player that is
    /// banned or disabled is refused all the same.
    /// </summary>
    /// <param name="name">A valid name of the chat, 2 to 32 characters; another one is refused with NAME_INVALID.</param>
    public static ChatLoginDecision As(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return new ChatLoginDecision { Player = name };
    }

    /// <summary>Refuses the login.</summary>
    /// <param name="reason">A sentence for the user that says what to do.</param>
    public static ChatLoginDecision Refuse(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new ChatLoginDecision { Refusal = reason };
    }
}
