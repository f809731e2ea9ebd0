using Google.Protobuf;

namespace PlayChat.Protocol;

/// <summary>What the server gave the client at its login, and the token for the next resume.</summary>
/// <remarks>
/// One thread at a time writes: the receive loop of the current connection. <see cref="Answer"/> may be read anywhere;
/// <see cref="ResumeToken"/> is
/// read by the receive loop and, after the connection has ended, by the attempts to reconnect.
/// </remarks>
internal sealed class LoginState
{
    private SLoginRes? _answer;

    /// <summary>The answer to the login; null before it.</summary>
    public SLoginRes? Answer => Volatile.Read(ref _answer);

    /// <summary>Empty when the session is not to be resumed.</summary>
    public ByteString ResumeToken { get; private set; } = ByteString.Empty;

    public void LoggedIn(SLoginRes answer)
    {
        Volatile.Write(ref _answer, answer);
        ResumeToken = answer.ResumeToken;
    }

    public void Resumed(SResumeRes answer) => ResumeToken = answer.ResumeToken;
}
