namespace PlayChat.Core.Hosting;

/// <summary>What came of a login, for the answer to the client. Immutable.</summary>
public sealed class LoginOutcome
{
    internal LoginOutcome(Session session, ReadOnlyMemory<byte> token, bool isResumed)
    {
        Session = session;
        Token = token;
        IsResumed = isResumed;
    }

    internal LoginOutcome(Session session, string refusal)
    {
        Session = session;
        Refusal = refusal;
    }

    /// <summary>Why the login was refused; <see langword="null"/> for a client that is in.</summary>
    public string? Refusal { get; }

    /// <summary>The session. It is bound to its user if there is no <see cref="Refusal"/>.</summary>
    public Session Session { get; }

    /// <summary>
    /// What the client resumes with, once. A secret like a password. Empty after a refusal, and if sessions do not resume.
    /// </summary>
    public ReadOnlyMemory<byte> Token { get; }

    /// <summary>Whether the session continues in its rooms. False after a login, and after a resume that follows a restart of the server.
    /// </summary>
    public bool IsResumed { get; }
}
