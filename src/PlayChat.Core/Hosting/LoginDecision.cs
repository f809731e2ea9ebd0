namespace PlayChat.Core.Hosting;

/// <summary>
/// The decision about a login. Return the user, which converts to a decision, or the result of <see cref="Until"/> or <see cref="Refuse"/>.
/// The default value refuses with a general sentence.
/// </summary>
public readonly record struct LoginDecision
{
    /// <summary>The user; <see langword="null"/> refuses.</summary>
    public SessionUser? User { get; private init; }

    /// <summary>The reason for a refusal, in a sentence for the client.</summary>
    public string? Refusal { get; private init; }

    /// <summary>When the login expires; <see langword="null"/> for never.</summary>
    public DateTimeOffset? ExpiresAt { get; private init; }

    /// <summary>Logs this user in.</summary>
    /// <param name="user">The user; <see langword="null"/> refuses.</param>
    public static implicit operator LoginDecision(SessionUser? user) => new() { User = user };

    /// <summary>Logs a user in for a limited time, by the server's clock.</summary>
    /// <param name="user">The user.</param>
    /// <param name="expiresAt">
    /// When the session is closed as <see cref="CloseReason.LoginExpired"/>, at most <see cref="SessionOptions.SweepInterval"/> later. A
    /// client that logs in again before, on the same connection and as the same user, renews the login.
    /// </param>
    public static LoginDecision Until(SessionUser user, DateTimeOffset expiresAt) => new() { User = user, ExpiresAt = expiresAt };

    /// <summary>Refuses the login. The connection stays open for another one.</summary>
    /// <param name="reason">Sent to the client, so it must not say whether a name exists.</param>
    public static LoginDecision Refuse(string reason) => new() { Refusal = reason };
}
