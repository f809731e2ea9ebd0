using System.Runtime.InteropServices;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>A room that knows its members by objects of its own, and decides who may come in.</summary>
/// <remarks>
/// The protected members, hooks included, are for the turn alone; the public ones are thread-safe. The order is
/// <see cref="Room.OnCreate"/>, then for each member <see cref="OnJoining"/>, <see cref="OnEnter"/> and <see cref="OnLeave"/>, after the last
/// one <see cref="Room.OnEmpty"/>, and in the end <see cref="Room.OnDispose"/>.
/// </remarks>
/// <typeparam name="TMember">What a member is to this room.</typeparam>
public abstract class Room<TMember> : Room
    where TMember : RoomMember
{
    private readonly List<TMember> _roomMembers = []; // in the places of their sessions

    /// <summary>Makes a room. <see cref="RoomRegistry"/> calls it and registers what it made.</summary>
    /// <param name="context">From the registry.</param>
    protected Room(RoomContext context)
        : base(context)
    {
    }

    /// <summary>The members in no particular order; valid until the next one enters or leaves.</summary>
    protected new ReadOnlySpan<TMember> Members => CollectionsMarshal.AsSpan(_roomMembers);

    /// <summary>Lets a session in, if the room takes it; waits while the room's queue is full.</summary>
    /// <param name="session">Who wants to join.</param>
    /// <param name="password">Needed when the room has one.</param>
    /// <param name="argument">Handed to <see cref="OnJoining"/>, for example the message that asks.</param>
    /// <param name="cancellationToken">Gives up waiting for a place in the queue: the session is then no member.</param>
    /// <returns>The member, or why not. What <see cref="OnJoining"/> or <see cref="OnEnter"/> throws is thrown here, and the session is no member.</returns>
    public async ValueTask<JoinResult<TMember>> JoinAsync(
        Session session, string? password = null, object? argument = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        var question = new RoomQuestion<Room<TMember>, JoinResult<TMember>>(room => room.Admit(session, password, argument));
        try
        {
            return await this.PostAsync(RoomQuestion<Room<TMember>, JoinResult<TMember>>.Job, question, null, cancellationToken).ConfigureAwait(false)
                ? await question.Answer.ConfigureAwait(false)
                : Refusal(EnterResult.Removed);
        }
        catch (OperationCanceledException) when (MemberCount == 0 && cancellationToken.IsCancellationRequested)
        {
            // Who gave up may have been the only one to come.
            _ = this.PostAsync(static (Room<TMember> room, object? _, object? _) => room.LookWhetherEmpty(), null, null, CancellationToken.None).AsTask();
            throw;
        }
    }

    /// <summary>Ends a membership at the member's wish; waits while the room's queue is full.</summary>
    /// <param name="session">Who leaves.</param>
    /// <param name="cancellationToken">Gives up waiting for a place in the queue: the session then stays.</param>
    /// <returns><see langword="false"/> when it was no member, or the room was removed.</returns>
    public async ValueTask<bool> LeaveAsync(Session session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(session);
        var question = new RoomQuestion<Room<TMember>, bool>(room => room.Leave(session, LeaveReason.Left));
        return await this.PostAsync(RoomQuestion<Room<TMember>, bool>.Job, question, null, cancellationToken).ConfigureAwait(false)
            && await question.Answer.ConfigureAwait(false);
    }

    /// <summary>
    /// Makes a member of a session that wants to join, or refuses it (<see cref="Refuse"/>). It is no member yet, and may not become one, as its session may have ended:
    /// what the room is to know of its members, <see cref="OnEnter"/> notes.
    /// </summary>
    /// <param name="session">Who wants to join. It has given the right password, and there is a seat.</param>
    /// <param name="argument">What was given to <see cref="JoinAsync"/> or <see cref="Enter"/>.</param>
    /// <returns>A new member of this session, or a refusal.</returns>
    protected abstract JoinDecision<TMember> OnJoining(Session session, object? argument);

    /// <summary>
    /// A session is a member from now on: it gets what is broadcast, and what is sent to it here comes first. When this throws it is none, and
    /// <see cref="OnLeave"/> is not called for it. It may send the member away again (<see cref="Leave(Session)"/>): whoever joins then is refused.
    /// </summary>
    protected virtual void OnEnter(TMember member)
    {
    }

    /// <summary>A membership has ended: the member is not among <see cref="Members"/> any more. What it throws is logged and counted.</summary>
    /// <param name="member">Who was a member; unless its session has ended, it can still be sent to.</param>
    /// <param name="reason">Why.</param>
    protected virtual void OnLeave(TMember member, LeaveReason reason)
    {
    }

    /// <summary>Who hears of the end of a session is <see cref="OnLeave"/>.</summary>
    protected sealed override void OnMemberLost(Session member)
    {
    }

    /// <summary>A decision against a session that wants to join.</summary>
    /// <param name="reason">Why, in a sentence for whoever asked.</param>
    protected static JoinDecision<TMember> Refuse(string reason) => new(null, reason);

    /// <summary>The member of a session; <see langword="null"/> when it is none.</summary>
    protected internal TMember? Find(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        int place = PlaceOf(session);
        return place < 0 ? null : _roomMembers[place];
    }

    /// <summary>Lets a session in at the room's own wish: neither a lock nor a password keeps it out.</summary>
    /// <param name="session">Who comes in.</param>
    /// <param name="argument">Handed to <see cref="OnJoining"/>.</param>
    /// <returns>The member, or why not.</returns>
    protected JoinResult<TMember> Enter(Session session, object? argument = null)
    {
        if (IsRemoved)
        {
            return Refusal(EnterResult.Removed);
        }

        LookWhetherEmpty();

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
            throw new InvalidOperationException($"{nameof(OnJoining)} made a member of another session.");
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

        // The hook may have sent it away.
        return Find(session) is { } entered ? new JoinResult<TMember>(EnterResult.Entered, entered, null) : Refusal(EnterResult.Refused);
    }

    /// <summary>Ends a membership at the room's wish.</summary>
    /// <returns><see langword="false"/> when it was no member.</returns>
    protected new bool Leave(Session session) => Leave(session, LeaveReason.Expelled);

    private protected sealed override void Lose(Session session) => Leave(session, LeaveReason.SessionEnded);

    private protected sealed override void Dismiss(Session member) => Leave(member, LeaveReason.RoomRemoved);

    private static JoinResult<TMember> Refusal(EnterResult result, string? reason = null) => new(result, null, reason ?? result switch
    {
        EnterResult.AlreadyMember => "The session is a member of the room already.",
        EnterResult.Full => "The room has all the members it takes.",
        EnterResult.Removed => "The room was removed.",
        EnterResult.SessionEnded => "The session has ended.",
        EnterResult.Locked => "The room is locked.",
        EnterResult.WrongPassword => "The room has another password.",
        _ => "The room has refused.",
    });

    private JoinResult<TMember> Admit(Session session, string? password, object? argument)
    {
        // Who is there already, or can never be, hears that first.
        if (!IsRemoved && !Contains(session))
        {
            LookWhetherEmpty(); // who is not let in may have been the only one to come
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

        RunHook(static leaving => leaving.Room.OnLeave(leaving.Member, leaving.Reason), (Room: this, Member: member, Reason: reason), nameof(OnLeave));
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
