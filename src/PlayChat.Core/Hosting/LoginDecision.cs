namespace PlayChat.Core.Hosting;

/// <summary>
/// The decision about a login. Return the user, which converts to a decision, or the result of <see cref="Refuse"/>. The default value
/// refuses with a general sentence.
/// </summary>
public readonly record struct LoginDecision
{
    private LoginDecision(SessionUser? user, string? refusal)
    {
        User = user;
        Refusal = refusal;
    }

    /// <summary>The user; <see langword="null"/> refuses.</summary>
    public SessionUser? User { get; }

    /// <summary>The reason for a refusal, in a sentence for the client.</summary>
    public string? Refusal { get; }

    /// <summary>Logs this user in.</summary>
    /// <param name="user">The user; <see langword="null"/> refuses.</param>
    public static implicit operator LoginDecision(SessionUser? user) => new(user, refusal: null);

    /// <summary>Refuses the login. The connection stays open for another one.</summary>
    /// <param name="reason">Sent to the client, so it must not say whether a name exists.</param>
    public static LoginDecision Refuse(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new LoginDecision(user: null, reason);
    }
}
