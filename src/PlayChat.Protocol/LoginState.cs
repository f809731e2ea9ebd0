using Google.Protobuf;

namespace PlayChat.Protocol;

/// <summary>What the server gave the client at its login, and the token for the next resume.</summary>
/// <remarks>
/// One thread at a time writes: the receive loop of the current connection. <see cref="Answer"/> may be read anywhere;
/// <see cref="ResumeToken"/> is
/// read by the receive loop and, after the connection has ended, by the attempts to reconnect. <see cref="Credentials"/> is thread-safe.
/// </remarks>
internal sealed class LoginState
{
    private SLoginRes? _answer;
    private CLoginReq? _credentials;

    /// <summary>The answer to the login; null before it.</summary>
    public SLoginRes? Answer => Volatile.Read(ref _answer);

    /// <summary>
    /// The login that the server accepted, with its password, to log in again by it; null before, and without
    /// <see cref="ChatClientOptions.Reconnect"/>. It is never changed.
    /// </summary>
    public CLoginReq? Credentials
    {
        get => Volatile.Read(ref _credentials);
        set => Volatile.Write(ref _credentials, value);
    }

    /// <summary>Empty when the session is not to be resumed.</summary>
    public ByteString ResumeToken { get; private set; } = ByteString.Empty;

    public void LoggedIn(SLoginRes answer)
    {
        Volatile.Write(ref _answer, answer);
        ResumeToken = answer.ResumeToken;
    }

    public void Resumed(SResumeRes answer) => ResumeToken = answer.ResumeToken;
}
