namespace PlayChat.Core.Rooms;

/// <summary>A room with an object of its own for each member. It decides which sessions may join.</summary>
/// <remarks>
/// <para>To pass something to each join, such as the message that asks for it, derive from <see cref="Room{TMember, TJoin}"/>.</para>
/// <para>Hooks run in this order: <see cref="Room.OnCreate"/>; for each member <see cref="OnJoining"/>,
/// <see cref="MemberRoom{TMember}.OnJoined"/> and <see cref="MemberRoom{TMember}.OnLeave"/>; after the last member
/// <see cref="Room.OnEmpty"/>; finally <see cref="Room.OnDispose"/>.</para>
/// <para>Call the protected members only in the room's turn; elsewhere they throw <see cref="InvalidOperationException"/>. The public
/// members are thread-safe.</para>
/// </remarks>
/// <typeparam name="TMember">The type of the members.</typeparam>
public abstract class Room<TMember> : MemberRoom<TMember>
    where TMember : RoomMember
{
    /// <summary>Creates a room. <see cref="RoomRegistry"/> calls it and registers the result.</summary>
    /// <param name="context">The context from the registry.</param>
    protected Room(RoomContext context)
        : base(context)
    {
    }

    /// <summary>Makes a session a member, unless the room refuses it; waits while the room's queue is full.</summary>
    /// <param name="session">The session that wants to join.</param>
    /// <param name="password">The password, if the room has one.</param>
    /// <param name="cancellationToken">Stops waiting for a place in the queue; the session is then no member.</param>
    /// <returns>
    /// The member, or the reason why there is none. If <c>OnJoining</c> or <c>OnJoined</c> throws, this call throws the same exception, and
    /// the session is no member.
    /// </returns>
    public ValueTask<JoinResult<TMember>> JoinAsync(
        Session session, string? password = null, CancellationToken cancellationToken = default) =>
        Role is IRoomReplica replica
            ? JoinClusterAsync(replica, session, [], password, cancellationToken)
            : JoinHereAsync(session, password, () => OnJoining(session), static () => [], cancellationToken);

    /// <summary>
    /// Creates the member for a session that wants to join, or refuses the session (<see cref="MemberRoom{TMember}.Refuse"/>). The session
    /// may end before it becomes a member, so add it to the room's own state only in <see cref="MemberRoom{TMember}.OnJoined"/>.
    /// </summary>
    /// <param name="session">The session. Its password was right, and the room has a free seat or a free place for a spectator.</param>
    /// <returns>A new member of this session, or a refusal.</returns>
    protected abstract JoinDecision<TMember> OnJoining(Session session);

    private protected sealed override byte[] EncodeArgument(TMember member) => [];

    private protected sealed override JoinDecision<TMember> DecideJoin(Session session, byte[] argument) => OnJoining(session);

    /// <summary>Makes a session a member on the room's own decision: it checks neither a lock nor a password.</summary>
    /// <param name="session">The session.</param>
    /// <returns>The member, or the reason why there is none.</returns>
    protected JoinResult<TMember> Join(Session session)
    {
        RequireTurn();
        return Join(session, () => OnJoining(session));
    }
}
