using PlayChat.Core.Connections;

namespace PlayChat.Core.Sessions;

/// <summary>A session that has moved to a new connection; see <see cref="SessionRegistry.ResumeAsync"/>. Immutable.</summary>
public sealed class Resumption
{
    internal Resumption(Session session, ReadOnlyMemory<byte> token, Connection? former)
    {
        Session = session;
        Token = token;
        Former = former;
    }

    /// <summary>The session: the same object, with the same id, user, items and rooms as before.</summary>
    public Session Session { get; }

    /// <summary>The token for the next resume. Send it to the client with your answer.</summary>
    public ReadOnlyMemory<byte> Token { get; }

    /// <summary>
    /// The connection from which the session was taken, because the server had not noticed its end yet;
    /// <see langword="null"/> if the session was away. The server has told its peer and closed it as <see cref="CloseReason.TakenOver"/>.
    /// </summary>
    public Connection? Former { get; }
}
