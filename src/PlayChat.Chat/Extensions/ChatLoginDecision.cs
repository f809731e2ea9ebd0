namespace PlayChat.Chat.Extensions;

/// <summary>What <see cref="IChatAuthenticator"/> has decided.</summary>
public readonly record struct ChatLoginDecision
{
    /// <summary>The player; <see langword="null"/> if there is none.</summary>
    internal string? Player { get; private init; }

    /// <summary>The refusal; <see langword="null"/> if there is none.</summary>
    internal string? Refusal { get; private init; }

    /// <summary>When the player's login expires; <see langword="null"/> for never.</summary>
    internal DateTimeOffset? ExpiresAt { get; private init; }

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

    /// <summary>Lets the login in as <see cref="As"/> does, for a limited time: until its token expires, for example.</summary>
    /// <param name="name">As in <see cref="As"/>.</param>
    /// <param name="expiresAt">
    /// When the session ends, by the server's clock, and its connection is closed as <see cref="Core.CloseReason.LoginExpired"/>. A client
    /// that was away then does not resume.
    /// </param>
    public static ChatLoginDecision Until(string name, DateTimeOffset expiresAt) => As(name) with { ExpiresAt = expiresAt };

    /// <summary>Decides as an authenticator of sessions has: <c>JwtAuthenticator</c>, for example, which knows when a token
    /// expires.</summary>
    /// <param name="decision">Its decision. The name of its user is the player; the user's id is ignored.</param>
    public static ChatLoginDecision From(LoginDecision decision) =>
        decision.User is not { } user ? Refuse(decision.Refusal ?? "The login is refused. Ask the operator of the server.")
            : As(user.Name) with { ExpiresAt = decision.ExpiresAt };

    /// <summary>Refuses the login.</summary>
    /// <param name="reason">A sentence for the user that says what to do.</param>
    public static ChatLoginDecision Refuse(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new ChatLoginDecision { Refusal = reason };
    }
}
