using PlayChat.Core.Hosting;

namespace PlayChat.Core.Clients;

/// <summary>
/// Logs a client in on each connection of <see cref="PlayChatConnector.ConnectLastingAsync(string, int, Func{Connection, ReconnectAttempt?,
/// CancellationToken, ValueTask}, ReconnectOptions?, Action{Connection}?, CancellationToken)"/>, and resumes its session: pass
/// <see cref="EnterAsync"/>. One object for each player.
/// </summary>
/// <typeparam name="TLogin">The login of <see cref="LoginRules{TLogin, TAnswer}"/>.</typeparam>
/// <typeparam name="TAnswer">Its answer.</typeparam>
/// <param name="login">
/// Makes the login. With a claim, the server continues the session; add name and password or a token all the same, or the client has to log
/// in anew when the server does not know the session any more.
/// </param>
/// <param name="read">Reads the refusal and the resume token of an answer; the token is empty if there is none.</param>
public sealed class LoginClient<TLogin, TAnswer>(
    Func<ResumeClaim?, TLogin> login, Func<TAnswer, (string? Refusal, ReadOnlyMemory<byte> Token)> read)
    where TLogin : notnull
{
    private Connection? _former; // the one that the token came on
    private ReadOnlyMemory<byte> _token;
    private ResumeClaim? _earlier;

    /// <summary>How long to wait for the answer. Default 10 seconds.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Called with each answer that lets the client in, before the connection is used.</summary>
    public Action<TAnswer>? Entered { get; init; }

    /// <summary>
    /// What another client needs to continue the session, for example after a restart of the program; <see langword="null"/> if there is
    /// nothing. Set it before the first connection to what an earlier client had. Keep it like a password.
    /// </summary>
    public ResumeClaim? Claim
    {
        get => _former is { } former && !_token.IsEmpty ? new ResumeClaim(_token, former.FramesReceived) : _earlier;
        set => (_earlier, _former) = (value, null);
    }

    /// <summary>Logs in or resumes on a new connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="attempt">Not used.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="RequestFailedException">The server has refused the login, with this message. It ends the attempts, unless
    /// <see cref="ReconnectOptions.MayPass"/> says otherwise.</exception>
    /// <exception cref="TimeoutException">There was no answer in time.</exception>
    public async ValueTask EnterAsync(Connection connection, ReconnectAttempt? attempt, CancellationToken cancellationToken)
    {
        TAnswer answer = await connection.RequestAsync<TAnswer>(login(Claim), Timeout, cancellationToken).ConfigureAwait(false);
        (string? refusal, ReadOnlyMemory<byte> token) = read(answer);
        if (refusal is not null)
        {
            throw new RequestFailedException(refusal, answer);
        }

        (_former, _token, _earlier) = (connection, token, null);
        Entered?.Invoke(answer);
    }
}
