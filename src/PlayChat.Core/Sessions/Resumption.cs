namespace PlayChat.Core.Sessions;

/// <summary>A session that has moved to a new connection; see <see cref="SessionRegistry.ResumeAsync"/>. Immutable.</summary>
public sealed class Resumption
{
    internal Resumption(Session session, ReadOnlyMemory<byte> token, bool isRestored)
    {
        Session = session;
        Token = token;
        IsRestored = isRestored;
    }

    /// <summary>The session: the same object, with the same id, user, items and rooms as before, unless <see cref="IsRestored"/>.</summary>
    public Session Session { get; }

    /// <summary>The token for the next resume. Send it to the client with your answer.</summary>
    public ReadOnlyMemory<byte> Token { get; }

    /// <summary>
    /// Whether the session is a new one for the client, because the server has restarted since: the token was found in the
    /// <see cref="IResumeStore"/>, and the connection's session was bound to its user. It is in no room. A client that resumes again,
    /// because it did not get the answer, still has to learn this: then the session is in the rooms that the lost resume has joined.
    /// </summary>
    public bool IsRestored { get; }
}
