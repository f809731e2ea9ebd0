namespace PlayChat.Core.Hosting;

/// <summary>What came of a login, for the answer to the client. Immutable.</summary>
public sealed class LoginOutcome
{
    internal LoginOutcome(Session session, string? refusal, ReadOnlyMemory<byte> token = default, bool isResumed = false) =>
        (Session, Refusal, Token, IsResumed) = (session, refusal, token, isResumed);

    /// <summary>Why the login was refused; <see langword="null"/> for a client that is in.</summary>
    public string? Refusal { get; }

    /// <summary>The session. It is bound to its user if there is no <see cref="Refusal"/>.</summary>
    public Session Session { get; }

    /// <summary>
    /// What the client resumes with, once. A secret like a password. Empty after a refusal, if sessions do not resume, and when a login was
    /// renewed: the client keeps the token that it has.
    /// </summary>
    public ReadOnlyMemory<byte> Token { get; }

    /// <summary>Whether the session continues in its rooms: after a resume that follows no restart of the server, and a renewed login.
    /// </summary>
    public bool IsResumed { get; }
}
