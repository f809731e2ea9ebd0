using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Hosting;

/// <summary>How clients log in and resume with one request; see <see cref="PlayChatServer.UseLogin"/>. Set it before the start.</summary>
/// <remarks>
/// Hooks run for several connections at a time. The connection's next packet waits for a hook that awaits, and no deadline of the session
/// runs meanwhile. A hook that throws closes the connection as <see cref="CloseReason.HandlerFault"/>. A refusal is a sentence for the
/// client.
/// </remarks>
/// <typeparam name="TLogin">The first packet of a client: its proof of identity, and what it resumes with.</typeparam>
/// <typeparam name="TAnswer">The server's answer; one packet of the server's <see cref="PacketSet"/> carries it.</typeparam>
public sealed class LoginRules<TLogin, TAnswer>
{
    private const string GeneralRefusal = "The login is refused.";

    /// <summary>
    /// Says which user the login is of, or refuses. Not asked when a session resumes, unless its login has expired.
    /// </summary>
    public required Func<PacketContext, TLogin, CancellationToken, ValueTask<LoginDecision>> Identify { get; init; }

    /// <summary>Makes the answer, which is sent before everything that the rooms send to a session that resumes. Must not block.</summary>
    public required Func<LoginOutcome, TAnswer> Answer { get; init; }

    /// <summary>
    /// Returns what the login resumes with, <see langword="null"/> for nothing. Default: sessions do not resume. It also needs
    /// <see cref="SessionOptions.ResumeWindow"/>. If the server does not know the token any more, the login goes to <see cref="Identify"/>.
    /// </summary>
    public Func<TLogin, ResumeClaim?>? Resume { get; init; }

    /// <summary>
    /// Returns why the user may not come in now, for example a ban; <see langword="null"/> lets it in. Default: all come in. Asked at each
    /// login, and at each resume, then with the session that continues, before its rooms return it. A refused resume ends the session.
    /// </summary>
    public Func<PacketContext, TLogin, SessionUser, CancellationToken, ValueTask<string?>> Admit { get; init; } =
        static (_, _, _, _) => default;

    /// <summary>
    /// Returns why the login is refused while the user has this older session; <see langword="null"/>, the default, lets the newer login
    /// take over, and the older client is closed as <see cref="CloseReason.TakenOver"/>. Must not block.
    /// </summary>
    public Func<TLogin, Session, string?> KeepOlder { get; init; } = static (_, _) => null;

    /// <summary>
    /// Lets a session enter the game before the answer: load what the older session's rooms have saved, join a room. Returns
    /// <see langword="null"/>, or a refusal that ends the session. Default: nothing. Not called for a session that continues in its rooms.
    /// </summary>
    public Func<PacketContext, TLogin, CancellationToken, ValueTask<string?>> Enter { get; init; } = static (_, _, _) => default;

    /// <summary>
    /// Whether a client that closes its connection leaves for good. Default false: it then says so (<see cref="LoginRouting.MapLogout"/>).
    /// </summary>
    public bool CloseIsLeave { get; init; }

    internal void Map(PacketRouter router, int attemptsPerMinute)
    {
        router.RequireLogin = true;
        router.MapPacket<TLogin>(HandleAsync).AllowBeforeLogin().RateLimit(attemptsPerMinute, perSeconds: 60);
    }

    private async ValueTask HandleAsync(PacketContext context, TLogin login, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        session.IsLoggingIn = true;
        try
        {
            if (session.User is { } user)
            {
                string? refusal = await RenewAsync(context, login, user, cancellationToken).ConfigureAwait(false)
                    ?? await Admit(context, login, user, cancellationToken).ConfigureAwait(false);
                context.Reply(Answer(new LoginOutcome(session, refusal, isResumed: refusal is null)));
            }
            else if (!await TryResumeAsync(context, login, cancellationToken).ConfigureAwait(false))
            {
                await LogInAsync(context, login, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            session.IsLoggingIn = false;
            context.Session.IsLoggingIn = false; // another one after a resume
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
                    session.IsLoggingIn = true;
                    if ((session.HasLoginExpired
                            && await RenewAsync(context, login, session.User!, cancellationToken).ConfigureAwait(false) is { } refusal)
                        || (refusal = await Admit(context, login, session.User!, cancellationToken).ConfigureAwait(false)) is not null
                        || (resumption.IsRestored
                            && session.FindRooms<Room>().Count == 0 // else those of a resume whose answer was lost
                            && (refusal = await Enter(context, login, cancellationToken).ConfigureAwait(false)) is not null))
                    {
                        await RejectAsync(context, refusal).ConfigureAwait(false);
                        return;
                    }

                    context.Reply(Answer(new LoginOutcome(session, null, resumption.Token, !resumption.IsRestored)));
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
            Refuse(context, decision.Refusal ?? GeneralRefusal);
            return;
        }

        if (await Admit(context, login, user, cancellationToken).ConfigureAwait(false) is { } barred)
        {
            Refuse(context, barred);
            return;
        }

        Session? older;
        do
        {
            older = context.Sessions.FindOlder(user);
            if (older is not null && KeepOlder(login, older) is { } kept)
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

        context.Session.ExpireLogin(decision.ExpiresAt);
        await context.Sessions.EndOlderAsync(context.Session, older, cancellationToken).ConfigureAwait(false);
        if (await Enter(context, login, cancellationToken).ConfigureAwait(false) is { } refusal)
        {
            await RejectAsync(context, refusal).ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte> token = Resume is null
            ? default
            : await context.Sessions.IssueResumeTokenAsync(context.Session, CloseIsLeave).ConfigureAwait(false);
        context.Reply(Answer(new LoginOutcome(context.Session, null, token)));
    }

    /// <summary>Lets the login of a session that is bound to a user last longer.</summary>
    /// <returns>Why not; <see langword="null"/> if it does.</returns>
    private async ValueTask<string?> RenewAsync(PacketContext context, TLogin login, SessionUser user, CancellationToken cancellationToken)
    {
        if (context.Session.LoginExpiry == long.MaxValue)
        {
            return $"This connection is logged in as {user.Name}. Log out, and connect again.";
        }

        LoginDecision decision = await Identify(context, login, cancellationToken).ConfigureAwait(false);
        if (decision.User is not { } renewed)
        {
            return decision.Refusal ?? GeneralRefusal;
        }

        if ((renewed.Id, renewed.Name) != (user.Id, user.Name))
        {
            return $"This connection is logged in as {user.Name}. Log in as another user on another connection.";
        }

        context.Session.ExpireLogin(decision.ExpiresAt);
        return null;
    }

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
