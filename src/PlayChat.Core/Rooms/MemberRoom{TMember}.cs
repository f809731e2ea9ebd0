namespace PlayChat.Core.Rooms;

/// <summary>The common base of <see cref="Room{TMember}"/> and <see cref="Room{TMember, TJoin}"/>. Derive from one of them.</summary>
/// <remarks>
/// <para>Hooks run in this order: <see cref="Room.OnCreate"/>; for each member <c>OnJoining</c>, <see cref="OnJoined"/>,
/// <see cref="OnAway"/> and <see cref="OnReturn"/> in turn as often as its connection breaks, and <see cref="OnLeave"/>; after the last
/// member <see cref="Room.OnEmpty"/>; finally <see cref="Room.OnDispose"/>.</para>
/// <para>Call the protected members only in the room's turn; elsewhere they throw <see cref="InvalidOperationException"/>. So do
/// <see cref="Members"/>, <see cref="Find"/> and <c>Join</c> in a job that you post to a node's replica of a room that a cluster shares
/// (<see cref="RoomSettings.IsClustered"/>). The public members are thread-safe.</para>
/// </remarks>
/// <typeparam name="TMember">The type of the members.</typeparam>
// Room<TMember, TJoin> does not derive from Room<TMember>: it would inherit a JoinAsync without the argument, which compiles and fails.
public abstract class MemberRoom<TMember> : Room
    where TMember : RoomMember
{
    private readonly RoomMembers<TMember> _roomMembers = new(); // in the places that their sessions have in the membership

    private protected MemberRoom(RoomContext context)
        : base(context)
    {
    }

    /// <summary>
    /// The members, spectators included, in no particular order. An enumeration throws after a member has joined or left.
    /// </summary>
    protected RoomMembers<TMember> Members
    {
        get
        {
            RequireTurn();
            RequireMembers();
            return _roomMembers;
        }
    }

    private protected sealed override int SpectatorCount => _roomMembers.Spectators;

    /// <summary>Ends a membership at the member's request; waits while the room's queue is full.</summary>
    /// <param name="session">The session that leaves.</param>
    /// <param name="cancellationToken">Stops waiting for a place in the queue; the session then stays.</param>
    /// <returns><see langword="false"/> if the session was no member, or the room was removed.</returns>
    public async ValueTask<bool> LeaveAsync(Session session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        var request = new RoomRequest<MemberRoom<TMember>, bool>(
            room => room.Role is IRoomReplica replica ? replica.Leave(session) : room.Leave(session, LeaveReason.Left),
            tape => tape.Leave(session, LeaveReason.Left));
        return await this.PostAsync(RoomRequest<MemberRoom<TMember>, bool>.Job, request, cancellationToken).ConfigureAwait(false)
            && await request.Result.ConfigureAwait(false);
    }

    /// <summary>
    /// Called when a session of this node asks to join a room that a cluster shares, before the room's owner calls <c>OnJoining</c>. Refuse
    /// here for what the owner does not know, such as the other rooms of the session. The default refuses no session.
    /// </summary>
    /// <remarks>It runs on the thread that calls <c>JoinAsync</c>, in the node's replica and in no turn: do not use the room's state. It is
    /// not called in a room of one server, whose <c>OnJoining</c> gets the session itself.</remarks>
    /// <param name="session">The session, as this node has it.</param>
    /// <returns>The reason, in a sentence for the caller, which gets <see cref="JoinStatus.Refused"/>; <see langword="null"/> to ask the
    /// owner.</returns>
    protected virtual string? OnAskingOwner(Session session) => null;

    /// <summary>
    /// Called when a session has become a member: it gets what is broadcast from now on, behind what you send to it here. If the hook
    /// throws, the session is no member, and <see cref="OnLeave"/> is not called for it. The hook may remove the member
    /// (<see cref="Leave(Session)"/>); the join is then refused.
    /// </summary>
    protected virtual void OnJoined(TMember member)
    {
    }

    /// <summary>
    /// Called when a membership has ended; <see cref="Members"/> does not contain the member any more. An exception is logged and counted.
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

    /// <summary>Refuses a session that wants to join.</summary>
    /// <param name="reason">The reason, in a sentence for the caller that asked to join.</param>
    protected static JoinDecision<TMember> Refuse(string reason) => new(null, reason);

    /// <summary>Returns the member of a session; <see langword="null"/> if there is none.</summary>
    protected internal TMember? Find(Session session)
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(session);
        RequireMembers();
        return FindMember(session);
    }

    /// <summary>Ends a membership. The session still gets what was broadcast before.</summary>
    /// <returns><see langword="false"/> if the session was no member.</returns>
    protected bool Leave(Session session)
    {
        RequireTurn();
        ArgumentNullException.ThrowIfNull(session);
        return Leave(session, LeaveReason.Expelled);
    }

    /// <summary>Returns the member of a session; <see langword="null"/> if there is none, and for every session in a replica.</summary>
    internal TMember? FindMember(Session session)
    {
        int place = PlaceOf(session);
        return (uint)place < (uint)_roomMembers.Count ? _roomMembers[place] : null; // the replica of a room has none
    }

    internal sealed override (JoinStatus Status, string? Reason) Join(Session session, bool opens, byte[] argument)
    {
        JoinResult<TMember> result = Join(session, opens, () => DecideJoin(session, argument));
        return (result.Status, result.Reason);
    }

    internal sealed override IEnumerable<(RoomMember Member, byte[] Argument)> EncodeMembers()
    {
        for (int i = 0; i < _roomMembers.Count; i++)
        {
            yield return (_roomMembers[i], EncodeArgument(_roomMembers[i]));
        }
    }

    internal sealed override bool Restore(Session session, byte[] argument)
    {
        if (DecideJoin(session, argument).Member is not { } member || Seat(session) != JoinStatus.Joined)
        {
            return false;
        }

        _roomMembers.Add(member);
        TellPartsOfEntry(member);
        return true;
    }

    internal sealed override bool Leave(Session session, LeaveReason reason)
    {
        TMember? member = FindMember(session);
        if (!Unseat(session) || member is null)
        {
            return false;
        }

        TellPartsOfLeave(member, reason);
        var state = (Room: this, Member: member, Reason: reason);
        RunGuarded(static leaving => leaving.Room.OnLeave(leaving.Member, leaving.Reason), state, nameof(OnLeave));
        return true;
    }

    internal sealed override void CallAway(Session member)
    {
        if (FindMember(member) is { } away)
        {
            away.IsAway = true;
            away.IsRecovered = false;
            RunGuarded(static state => state.Room.OnAway(state.Member), (Room: this, Member: away), nameof(OnAway));
        }
        else
        {
            Role?.OnMemberAway(member);
        }
    }

    internal sealed override void CallReturned(Session member, bool isRecovered)
    {
        if (FindMember(member) is { } returned)
        {
            returned.IsAway = false;
            returned.IsRecovered = isRecovered;
            RunGuarded(static state => state.Room.OnReturn(state.Member), (Room: this, Member: returned), nameof(OnReturn));
            TellParts(static (part, member) => part.OnReturn(member), returned, nameof(OnReturn));
        }
        else
        {
            Role?.OnMemberReturned(member, isRecovered);
        }
    }

    internal sealed override void RemoveMemberAt(int place)
    {
        if (place < _roomMembers.Count) // not in a replica
        {
            _roomMembers.RemoveAt(place);
        }
    }

    /// <summary>Calls <c>OnJoining</c> with the argument of a join on another node.</summary>
    private protected abstract JoinDecision<TMember> DecideJoin(Session session, byte[] argument);

    /// <summary>Encodes the argument with which a member has joined.</summary>
    private protected abstract byte[] EncodeArgument(TMember member);

    /// <summary>Makes a session a member of a room that a cluster shares.</summary>
    private protected async ValueTask<JoinResult<TMember>> JoinClusterAsync(
        IRoomReplica replica, Session session, byte[] argument, string? password, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (OnAskingOwner(session) is { } refusal)
        {
            return Refusal(JoinStatus.Refused, refusal);
        }

        (JoinStatus result, string? reason) =
            await replica.JoinAsync(session, argument, password, cancellationToken).ConfigureAwait(false);
        return result == JoinStatus.Joined ? new JoinResult<TMember>(result, null, null) : Refusal(result, reason);
    }

    /// <summary>Makes a session a member in a turn of the room, unless the room refuses it.</summary>
    /// <param name="session">The session that wants to join.</param>
    /// <param name="password">The password, if the room has one.</param>
    /// <param name="joining">Calls <c>OnJoining</c>.</param>
    /// <param name="argument">Encodes the argument of the join, for a recording.</param>
    /// <param name="cancellationToken">Stops waiting for a place in the queue; the session is then no member.</param>
    private protected async ValueTask<JoinResult<TMember>> JoinHereAsync(
        Session session, string? password, Func<JoinDecision<TMember>> joining, Func<byte[]> argument, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(session);
        var request = new RoomRequest<MemberRoom<TMember>, JoinResult<TMember>>(
            room => room.Join(session, room.Opens(password), joining),
            tape => Describe(tape, session, password, argument));
        try
        {
            return await this.PostAsync(RoomRequest<MemberRoom<TMember>, JoinResult<TMember>>.Job, request, cancellationToken)
                .ConfigureAwait(false)
                ? await request.Result.ConfigureAwait(false)
                : Refusal(JoinStatus.Removed);
        }
        catch (OperationCanceledException) when (MemberCount == 0 && cancellationToken.IsCancellationRequested)
        {
            // The session that no longer waits may have been the only one that wanted to join.
            _ = this.PostAsync(RoomCommand.Job, RoomCommand.RemoveIfEmpty, CancellationToken.None).AsTask();
            throw;
        }
    }

    private void Describe(RoomTape tape, Session session, string? password, Func<byte[]> argument)
    {
        try
        {
            tape.Join(session, Opens(password), argument());
        }
        catch (Exception e)
        {
            // The argument is the application's, and what it throws must not end the turn.
            tape.Code($"a join (its argument cannot be written: {e.GetType().Name})");
        }
    }

    /// <summary>Makes a session a member; checks neither a lock nor a password.</summary>
    private protected JoinResult<TMember> Join(Session session, Func<JoinDecision<TMember>> joining)
    {
        ArgumentNullException.ThrowIfNull(session);
        RequireMembers();
        if (IsRemoved)
        {
            return Refusal(JoinStatus.Removed);
        }

        RemoveIfEmpty();

        if (FindMember(session) is { } there)
        {
            return Refusal(JoinStatus.AlreadyMember) with { Member = there };
        }

        if (IsFull)
        {
            return Refusal(JoinStatus.Full);
        }

        JoinDecision<TMember> decision = joining();
        if (decision.Member is not { } member)
        {
            return Refusal(JoinStatus.Refused, decision.Reason);
        }

        if (member.Session != session)
        {
            throw new InvalidOperationException("OnJoining returned a member of another session.");
        }

        // IsFull counts members and spectators together: only OnJoining says which of them the session is.
        if (member.IsSeatless ? SpectatorCount >= SpectatorCapacity : _roomMembers.Count - SpectatorCount >= Capacity)
        {
            return Refusal(JoinStatus.Full, member.IsSpectator ? "The room takes no more spectators." : null);
        }

        JoinStatus result = Seat(session);
        if (result != JoinStatus.Joined)
        {
            return Refusal(result);
        }

        _roomMembers.Add(member);
        TellPartsOfEntry(member);
        try
        {
            OnJoined(member);
        }
        catch
        {
            if (Unseat(session))
            {
                TellPartsOfLeave(member, LeaveReason.Expelled);
            }

            throw;
        }

        // The hook may have removed the member.
        return FindMember(session) is { } entered
            ? new JoinResult<TMember>(JoinStatus.Joined, entered, null)
            : Refusal(JoinStatus.Refused);
    }

    private void TellPartsOfEntry(TMember member) =>
        TellParts(static (part, entered) => part.OnJoined(entered), member, nameof(OnJoined));

    private void TellPartsOfLeave(TMember member, LeaveReason reason) =>
        TellParts(static (part, left) => part.OnLeave(left.Member, left.Reason), (Member: member, Reason: reason), nameof(OnLeave));

    private static JoinResult<TMember> Refusal(JoinStatus result, string? reason = null) => new(result, null, reason ?? result switch
    {
        JoinStatus.AlreadyMember => "The session is already a member of the room.",
        JoinStatus.Full => "The room is full.",
        JoinStatus.Removed => "The room was removed.",
        JoinStatus.SessionEnded => "The session has ended.",
        JoinStatus.Locked => "The room is locked.",
        JoinStatus.WrongPassword => "Incorrect room password.",
        JoinStatus.TooManyRooms => "The session is in as many rooms as it may be.",
        _ => "The room refused the session.",
    });

    /// <summary>Throws in the replica of a room that a cluster shares: what asks it for members would take the room for empty.</summary>
    private void RequireMembers()
    {
        if (Role is IRoomReplica)
        {
            throw new InvalidOperationException(
                $"This object is a node's replica of the room '{Name}', and has no members: the room runs in another object, on the node "
                    + "that owns it. To reach that one, send the room a packet that MapRoomPacket or MapRoomRequest handles. Sessions "
                    + "enter by JoinAsync. Start timers in OnCreate, which the owner alone calls.");
        }
    }

    private JoinResult<TMember> Join(Session session, bool opens, Func<JoinDecision<TMember>> joining)
    {
        // A removed room and a session that is a member already take precedence over lock and password; Join answers them.
        if (!IsRemoved && PlaceOf(session) < 0)
        {
            RemoveIfEmpty(); // a session that is refused may have been the only one that wanted to join
            if (IsLocked)
            {
                return Refusal(JoinStatus.Locked);
            }

            if (!opens)
            {
                return Refusal(JoinStatus.WrongPassword);
            }
        }

        return Join(session, joining);
    }
}
