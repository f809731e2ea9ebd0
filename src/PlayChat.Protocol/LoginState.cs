using Google.Protobuf;

namespace PlayChat.Protocol;

/// <summary>What the server gave the client at its login, and the token for the next resume.</summary>
/// <remarks>
/// One thread at a time writes: the receive loop of the current connection; the caller's thread replaces a login token.
/// <see cref="Answer"/> may be read anywhere; <see cref="ResumeToken"/> is read by the receive loop and, after the connection has ended,
/// by the attempts to reconnect. <see cref="Credentials"/> is thread-safe.
/// </remarks>
internal sealed class LoginState
{
    private SLoginRes? _answer;
    private volatile CLoginReq? _credentials;

    /// <summary>The answer to the login; null before it.</summary>
    public SLoginRes? Answer => Volatile.Read(ref _answer);

    /// <summary>
    /// The login that the server accepted, with its password, to log in again by it; null before, and without
    /// <see cref="ChatClientOptions.Reconnect"/>. It is never changed.
    /// </summary>
    public CLoginReq? Credentials => _credentials;

    /// <summary>Empty when the session is not to be resumed.</summary>
    public ByteString ResumeToken { get; private set; } = ByteString.Empty;

    /// <summary>
    /// Keeps an accepted login: by its token where the device stays logged in, and then without the password.
    /// </summary>
    public void Keep(CLoginReq login, ByteString token)
    {
        var kept = new CLoginReq(login) { LoginToken = token, MustRegister = false }; // the name is known from now on
        if (!token.IsEmpty)
        {
            kept.ClearPassword();
        }

        _credentials = kept;
    }

    /// <summary>The token is no longer good, and there is no password in its place.</summary>
    public void Forget()
    {
        if (Credentials is { LoginToken.IsEmpty: false })
        {
            _credentials = null;
        }

        ReplaceToken(ByteString.Empty);
    }

    /// <summary>The password was changed, and with it the token of a device that stays logged in.</summary>
    public void ChangePassword(string password, ByteString token)
    {
        ReplaceToken(token);
        if (Credentials is { } login)
        {
            Keep(new CLoginReq(login) { Password = password }, token);
        }
    }

    public void LoggedIn(SLoginRes answer)
    {
        Volatile.Write(ref _answer, answer);
        ResumeToken = answer.ResumeToken;
    }

    public void Resumed(SResumeRes answer) => ResumeToken = answer.ResumeToken;

    // On the caller's thread: the answer to a later login stays.
    private void ReplaceToken(ByteString token)
    {
        if (Answer is { } answer)
        {
            Interlocked.CompareExchange(ref _answer, new SLoginRes(answer) { LoginToken = token }, answer);
        }
    }
}
