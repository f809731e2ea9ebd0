using System.Runtime.InteropServices;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>A room with an object of its own for each member. It decides which sessions may join.</summary>
/// <remarks>
/// <para>Hooks run in this order: <see cref="Room.OnCreate"/>; for each member <see cref="OnJoining"/>, <see cref="OnEnter"/>,
/// <see cref="OnAway"/> and <see cref="OnReturn"/> in turn as often as its connection breaks, and <see cref="OnLeave"/>; after the last
/// member <see cref="Room.OnEmpty"/>; finally <see cref="Room.OnDispose"/>.</para>
/// <para>Call the protected members only in the room's turn. The public members are thread-safe.</para>
/// </remarks>
/// <typeparam name="TMember">The type of the members.</typeparam>
public abstract class Room<TMember> : Room
    where TMember : RoomMember
{
    private readonly List<TMember> _roomMembers = []; // in the places that their sessions have in the membership

    /// <summary>Creates a room. <see cref="RoomRegistry"/> calls it and registers the result.</summary>
    /// <param name="context">The context from the registry.</param>
    protected Room(RoomContext context)
        : base(context)
    {
    }

    /// <summary>The members in no particular order; valid until the next one enters or leaves.</summary>
    protected new ReadOnlySpan<TMember> Members => CollectionsMarshal.AsSpan(_roomMembers);

    /// <summary>Makes a session a member, unless the room refuses it; waits while the room's queue is full.</summary>
    /// <param name="session">The session that wants to join.</param>
    /// <param name="password">The password, if the room has one.</param>
    /// <param name="argument">Passed to <see cref="OnJoining"/>, for example the message that asks to join.</param>
    /// <param name="cancellationToken">Stops waiting for a place in the queue; the session is then no member.</param>
    /// <returns>
    /// The member, or the reason why there is none. If <see cref="OnJoining"/> or <see cref="OnEnter"/> throws, this call throws the same
    /// exception, and the session is no member.
    /// </returns>
    public async ValueTask<JoinResult<TMember>> JoinAsync(
        Session session, string? password = null, object? argument = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        var request = new RoomRequest<Room<TMember>, JoinResult<TMember>>(room => room.Admit(session, password, argument));
        try
        {
            return await this.PostAsync(RoomRequest<Room<TMember>, JoinResult<TMember>>.Job, request, null, cancellationToken)
                .ConfigureAwait(false)
                ? await request.Result.ConfigureAwait(false)
                : Refusal(EnterResult.Removed);
        }
        catch (OperationCanceledException) when (MemberCount == 0 && cancellationToken.IsCancellationRequested)
        {
            // The session that no longer waits may have been the only one that wanted to join.
            _ = this.PostAsync(
                static (Room<TMember> room, object? _, object? _) => room.RemoveIfEmpty(), null, null, CancellationToken.None).AsTask();
            throw;
        }
    }

    /// <summary>Ends a membership at the member's request; waits while the room's queue is full.</summary>
    /// <param name="session">The session that leaves.</param>
    /// <param name="cancellationToken">Stops waiting for a place in the queue; the session then stays.</param>
    /// <returns><see langword="false"/> if the session was no member, or the room was removed.</returns>
    public async ValueTask<bool> LeaveAsync(Session session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        var request = new RoomRequest<Room<TMember>, bool>(room => room.Leave(session, LeaveReason.Left));
        return await this.PostAsync(RoomRequest<Room<TMember>, bool>.Job, request, null, cancellationToken).ConfigureAwait(false)
            && await request.Result.ConfigureAwait(false);
    }

    /// <summary>
    /// Creates the member for a session that wants to join, or refuses the session (<see cref="Refuse"/>). The session may end before it
    /// becomes a member, so add it to the room's own state only in <see cref="OnEnter"/>.
    /// </summary>
    /// <param name="session">The session. Its password was right, and the room has a free seat.</param>
    /// <param name="argument">The argument of <see cref="JoinAsync"/> or <see cref="Enter"/>.</param>
    /// <returns>A new member of this session, or a refusal.</returns>
    protected abstract JoinDecision<TMember> OnJoining(Session session, object? argument);

    /// <summary>
    /// Called when a session has become a member: it gets what is broadcast from now on, behind what you send to it here. If the hook
    /// throws, the session is no member, and <see cref="OnLeave"/> is not called for it. The hook may remove the member
    /// (<see cref="Leave(Session)"/>); the join is then refused.
    /// </summary>
    protected virtual void OnEnter(TMember member)
    {
    }

    /// <summary>
    /// Called when a membership has ended; <see cref="Members"/> does not contain the member any more. An exception is logged and
    /// counted.
    /// </summary>
    /// <param name="member">The former member. You can still send to it, unless its session has ended.</param>
    /// <param name="reason">The reason.</param>
    protected virtual void OnLeave(TMember member, LeaveReason reason)
    {
    }

    /// <summary>
    /// Called when the connection of a member is lost and its session may resume (<see cref="SessionOptions.ResumeWindow"/>). It stays a
    /// member, with <see cref="RoomMember.IsAway"/>; what you send to it is dropped until it returns. Then either
    /// <see cref="OnReturn"/> or <see cref="OnLeave"/> follows.
    /// </summary>
    protected virtual void OnAway(TMember member)
    {
    }

    /// <summary>
    /// Called when a member that was away has resumed: it gets what is sent from now on. Unless <see cref="RoomMember.IsRecovered"/> says
    /// that it has missed nothing, send it here what it needs to continue, for example the state of the game.
    /// </summary>
    /// <remarks>
    /// Calls of <see cref="OnAway"/> and this hook alternate. A member that resumes before the room has learned of the break passes
    /// through both in one turn.
    /// </remarks>
    protected virtual void OnReturn(TMember member)
    {
    }

    /// <summary>Not called by the room: override <see cref="OnAway"/>.</summary>
    protected sealed override void OnMemberAway(Session member)
    {
    }

    /// <summary>Not called by the room: override <see cref="OnReturn"/>.</summary>
    protected sealed override void OnMemberReturned(Session member, bool isRecovered)
    {
    }

    /// <summary>Not called by the room: override <see cref="OnLeave"/>, which is called for each member whose session ends.</summary>
    protected sealed override void OnMemberLost(Session member)
    {
    }

    /// <summary>Refuses a session that wants to join.</summary>
    /// <param name="reason">The reason, in a sentence for the caller that asked to join.</param>
    protected static JoinDecision<TMember> Refuse(string reason) => new(null, reason);

    /// <summary>Returns the member of a session; <see langword="null"/> if there is none.</summary>
    protected internal TMember? Find(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        int place = PlaceOf(session);
        return place < 0 ? null : _roomMembers[place];
    }

    /// <summary>Makes a session a member on the room's own decision: it checks neither a lock nor a password.</summary>
    /// <param name="session">The session.</param>
    /// <param name="argument">Passed to <see cref="OnJoining"/>.</param>
    /// <returns>The member, or the reason why there is none.</returns>
    protected JoinResult<TMember> Enter(Session session, object? argument = null)
    {
        if (IsRemoved)
        {
            return Refusal(EnterResult.Removed);
        }

        RemoveIfEmpty();

        if (Find(session) is { } there)
        {
            return Refusal(EnterResult.AlreadyMember) with { Member = there };
        }

        if (IsFull)
        {
            return Refusal(EnterResult.Full);
        }

        JoinDecision<TMember> decision = OnJoining(session, argument);
        if (decision.Member is not { } member)
        {
            return Refusal(EnterResult.Refused, decision.Reason);
        }

        if (member.Session != session)
        {
            throw new InvalidOperationException($"{nameof(OnJoining)} returned a member of another session.");
        }

        EnterResult result = base.Enter(session);
        if (result != EnterResult.Entered)
        {
            return Refusal(result);
        }

        _roomMembers.Add(member);
        try
        {
            OnEnter(member);
        }
        catch
        {
            TakeOutMember(session);
            throw;
        }

        // The hook may have removed the member.
        return Find(session) is { } entered
            ? new JoinResult<TMember>(EnterResult.Entered, entered, null)
            : Refusal(EnterResult.Refused);
    }

    /// <summary>Ends a membership on the room's own decision.</summary>
    /// <returns><see langword="false"/> if the session was no member.</returns>
    protected new bool Leave(Session session) => Leave(session, LeaveReason.Expelled);

    private protected sealed override void Lose(Session session) => Leave(session, LeaveReason.SessionEnded);

    private protected sealed override void CallAway(Session member)
    {
        if (Find(member) is { } away)
        {
            away.IsAway = true;
            away.IsRecovered = false;
            RunHook(static state => state.Room.OnAway(state.Member), (Room: this, Member: away), nameof(OnAway));
        }
    }

    private protected sealed override void CallReturned(Session member, bool isRecovered)
    {
        if (Find(member) is { } returned)
        {
            returned.IsAway = false;
            returned.IsRecovered = isRecovered;
            RunHook(static state => state.Room.OnReturn(state.Member), (Room: this, Member: returned), nameof(OnReturn));
        }
    }

    private protected sealed override void Dismiss(Session member) => Leave(member, LeaveReason.RoomRemoved);

    private static JoinResult<TMember> Refusal(EnterResult result, string? reason = null) => new(result, null, reason ?? result switch
    {
        EnterResult.AlreadyMember => "The session is already a member of the room.",
        EnterResult.Full => "The room is full.",
        EnterResult.Removed => "The room was removed.",
        EnterResult.SessionEnded => "The session has ended.",
        EnterResult.Locked => "The room is locked.",
        EnterResult.WrongPassword => "Incorrect room password.",
        _ => "The room refused the session.",
    });

    private JoinResult<TMember> Admit(Session session, string? password, object? argument)
    {
        // A removed room and a session that is a member already take precedence over lock and password; Enter answers them.
        if (!IsRemoved && !Contains(session))
        {
            RemoveIfEmpty(); // a session that is refused may have been the only one that wanted to join
            if (IsLocked)
            {
                return Refusal(EnterResult.Locked);
            }

            if (!Opens(password))
            {
                return Refusal(EnterResult.WrongPassword);
            }
        }

        return Enter(session, argument);
    }

    private bool Leave(Session session, LeaveReason reason)
    {
        if (TakeOutMember(session) is not { } member)
        {
            return false;
        }

        var state = (Room: this, Member: member, Reason: reason);
        RunHook(static leaving => leaving.Room.OnLeave(leaving.Member, leaving.Reason), state, nameof(OnLeave));
        return true;
    }

    private TMember? TakeOutMember(Session session)
    {
        int place = TakeOut(session);
        if (place < 0)
        {
            return null;
        }

        TMember member = _roomMembers[place];
        _roomMembers[place] = _roomMembers[^1];
        _roomMembers.RemoveAt(_roomMembers.Count - 1);
        return member;
    }
}
