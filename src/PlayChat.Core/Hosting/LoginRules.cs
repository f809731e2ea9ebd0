using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Hosting;

/// <summary>How clients log in and resume with one request; see <see cref="PlayChatServer.UseLogin"/>. Set it before the start.</summary>
/// <remarks>
/// Hooks run for several connections at a time, so they must be thread-safe. Each call but the last two may await; the connection's next
/// packet waits for it, and no deadline of the session runs meanwhile. An exception of a hook closes the connection as
/// <see cref="CloseReason.HandlerFault"/>. A refusal is a sentence for the client.
/// </remarks>
/// <typeparam name="TLogin">The first packet of a client: its proof of identity, and what it resumes with.</typeparam>
/// <typeparam name="TAnswer">The server's answer; one packet of the server's <see cref="PacketSet"/> carries it.</typeparam>
public sealed class LoginRules<TLogin, TAnswer>
{
    private readonly int _attemptsPerMinute = 10;

    /// <summary>Says which user the login is of, or refuses: <see cref="LoginDecision"/>. Not asked while a session resumes.</summary>
    public required Func<PacketContext, TLogin, CancellationToken, ValueTask<LoginDecision>> Identify { get; init; }

    /// <summary>Makes the answer, which is sent before everything that the rooms send to a session that resumes.</summary>
    public required Func<LoginOutcome, TAnswer> Answer { get; init; }

    /// <summary>
    /// Returns what the login resumes with, <see langword="null"/> for nothing. Default: sessions do not resume. Resuming also needs
    /// <see cref="SessionOptions.ResumeWindow"/>. If the server does not know the token any more, the login goes to <see cref="Identify"/>.
    /// </summary>
    public Func<TLogin, ResumeClaim?>? Resume { get; init; }

    /// <summary>
    /// Returns why the user may not come in now, for example a ban; <see langword="null"/> lets it in. Default: all come in. Asked at each
    /// login and each resume, then with the session that continues, whose rooms have not returned it yet. A refused resume ends the session
    /// and closes the connection.
    /// </summary>
    public Func<PacketContext, TLogin, SessionUser, CancellationToken, ValueTask<string?>>? Admit { get; init; }

    /// <summary>
    /// Returns why the login is refused while the user has this older session; <see langword="null"/> lets the newer login take over, and
    /// the older client is closed as <see cref="CloseReason.TakenOver"/>. Default: the newer login takes over. Must not block.
    /// </summary>
    public Func<TLogin, Session, string?>? KeepOlder { get; init; }

    /// <summary>
    /// Lets a session enter the game before the answer: load what the older session's rooms have saved, join a room. Returns a refusal,
    /// after which the session ends and the connection closes, or <see langword="null"/>. Default: nothing. Not called for a session that
    /// continues, as it is in its rooms.
    /// </summary>
    public Func<PacketContext, TLogin, CancellationToken, ValueTask<string?>>? Enter { get; init; }

    /// <summary>
    /// Whether a client that closes its connection leaves for good. Default false: it then says so before, see
    /// <see cref="LoginRouting.MapLogout"/>.
    /// </summary>
    public bool CloseIsLeave { get; init; }

    /// <summary>How many logins a connection may send a minute: 1 to 1,000,000, default 10. What happens to one more says
    /// <see cref="PacketRouter.OnRateLimited"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of its range.</exception>
    public int AttemptsPerMinute
    {
        get => _attemptsPerMinute;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1_000_000);
            _attemptsPerMinute = value;
        }
    }

    internal void Map(PacketRouter router)
    {
        router.RequireLogin = true;
        router.MapPacket<TLogin>(HandleAsync).AllowBeforeLogin().RateLimit(AttemptsPerMinute, perSeconds: 60);
    }

    private async ValueTask HandleAsync(PacketContext context, TLogin login, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        if (session.User is { } user)
        {
            Refuse(context, $"This connection is logged in as {user.Name}. Log out, and connect again.");
            return;
        }

        session.IsLoggingIn = true;
        try
        {
            if (!await TryResumeAsync(context, login, cancellationToken).ConfigureAwait(false))
            {
                await LogInAsync(context, login, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            session.IsLoggingIn = false;
        }
    }

    private async ValueTask<bool> TryResumeAsync(PacketContext context, TLogin login, CancellationToken cancellationToken)
    {
        if (Resume?.Invoke(login) is not { Token.IsEmpty: false } claim)
        {
            return false;
        }

        try
        {
            return await context.Sessions.ResumeAsync(
                context.Connection,
                claim.Token,
                async resumption =>
                {
                    Session session = resumption.Session;
                    if (await AdmitAsync(context, login, session.User!, cancellationToken).ConfigureAwait(false) is { } refusal
                        || (resumption.IsRestored
                            && (refusal = await EnterAsync(context, login, cancellationToken).ConfigureAwait(false)) is not null))
                    {
                        await RejectAsync(context, refusal).ConfigureAwait(false);
                        return;
                    }

                    context.Reply(Answer(new LoginOutcome(session, resumption.Token, !resumption.IsRestored)));
                },
                claim.FramesReceived).ConfigureAwait(false) is not null;
        }
        catch (ResumeStoreException)
        {
            return false; // the log says why; the client may still prove who it is
        }
    }

    private async ValueTask LogInAsync(PacketContext context, TLogin login, CancellationToken cancellationToken)
    {
        LoginDecision decision = await Identify(context, login, cancellationToken).ConfigureAwait(false);
        if (decision.User is not { } user)
        {
            Refuse(context, decision.Refusal ?? "The login is refused.");
            return;
        }

        if (await AdmitAsync(context, login, user, cancellationToken).ConfigureAwait(false) is { } barred)
        {
            Refuse(context, barred);
            return;
        }

        Session? older;
        do
        {
            older = context.Sessions.FindUser(user.Name);
            if (older is not null && KeepOlder?.Invoke(login, older) is { } kept)
            {
                Refuse(context, kept);
                return;
            }

            if (!context.Connection.IsOpen)
            {
                return; // a client that has gone takes over from nobody
            }
        }
        while (!context.Sessions.TryBind(context.Session, user, older)); // another login of the user was faster: look again

        await context.Sessions.EndOlderAsync(context.Session, older, cancellationToken).ConfigureAwait(false);
        if (await EnterAsync(context, login, cancellationToken).ConfigureAwait(false) is { } refusal)
        {
            await RejectAsync(context, refusal).ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte> token = Resume is null
            ? default
            : await context.Sessions.IssueResumeTokenAsync(context.Session, CloseIsLeave).ConfigureAwait(false);
        context.Reply(Answer(new LoginOutcome(context.Session, token, isResumed: false)));
    }

    private ValueTask<string?> AdmitAsync(
        PacketContext context, TLogin login, SessionUser user, CancellationToken cancellationToken) =>
        Admit?.Invoke(context, login, user, cancellationToken) ?? default;

    private ValueTask<string?> EnterAsync(PacketContext context, TLogin login, CancellationToken cancellationToken) =>
        Enter?.Invoke(context, login, cancellationToken) ?? default;

    private void Refuse(PacketContext context, string refusal) => context.Reply(Answer(new LoginOutcome(context.Session, refusal)));

    /// <summary>Refuses a client whose session is bound, so that it has to connect again.</summary>
    private async ValueTask RejectAsync(PacketContext context, string refusal)
    {
        Session session = context.Session;
        await context.Sessions.EndAsync(session).ConfigureAwait(false);
        Refuse(context, refusal);
        context.Connection.Close();
    }
}
