namespace PlayChat.Core.Rooms;

/// <summary>A room with an object of its own for each member, in which each join has an argument, such as the message that asks for
/// it.</summary>
/// <remarks>The hooks and their order are those of <see cref="Room{TMember}"/>. Call the protected members only in the room's turn. The
/// public members are thread-safe.</remarks>
/// <typeparam name="TMember">The type of the members.</typeparam>
/// <typeparam name="TJoin">The type of the argument.</typeparam>
public abstract class Room<TMember, TJoin> : MemberRoom<TMember>
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
    /// <param name="argument">Passed to <see cref="OnJoining"/>.</param>
    /// <param name="password">The password, if the room has one.</param>
    /// <param name="cancellationToken">Stops waiting for a place in the queue; the session is then no member.</param>
    /// <returns>
    /// The member, or the reason why there is none. If <c>OnJoining</c> or <c>OnJoined</c> throws, this call throws the same exception, and
    /// the session is no member.
    /// </returns>
    public ValueTask<JoinResult<TMember>> JoinAsync(
        Session session, TJoin argument, string? password = null, CancellationToken cancellationToken = default) =>
        Role is IRoomReplica replica
            ? JoinClusterAsync(replica, session, Encode(argument), password, cancellationToken)
            : JoinHereAsync(session, password, () => Decide(session, argument), () => Encode(argument), cancellationToken);

    /// <summary>
    /// Creates the member for a session that wants to join, or refuses the session (<see cref="MemberRoom{TMember}.Refuse"/>). The session
    /// may end before it becomes a member, so add it to the room's own state only in <see cref="MemberRoom{TMember}.OnJoined"/>.
    /// </summary>
    /// <param name="session">The session. Its password was right, and the room has a free seat or a free place for a spectator.</param>
    /// <param name="argument">The argument of <see cref="JoinAsync"/> or <see cref="Join"/>.</param>
    /// <returns>A new member of this session, or a refusal.</returns>
    protected abstract JoinDecision<TMember> OnJoining(Session session, TJoin argument);

    internal sealed override PacketType JoinPacket => TypeOf<TJoin>();

    internal sealed override void CheckArgument(string purpose)
    {
        try
        {
            _ = TypeOf<TJoin>();
        }
        catch (InvalidOperationException e)
        {
            throw new InvalidOperationException(
                $"The room '{Name}' cannot {purpose}: {typeof(TJoin).Name}, the argument of its joins, must be encoded for that, so it "
                    + $"has to be a message of the server's packets. {e.Message}",
                e);
        }
    }

    private protected sealed override byte[] EncodeArgument(TMember member) => Encode((TJoin)member.JoinArgument!);

    private protected sealed override JoinDecision<TMember> DecideJoin(Session session, byte[] argument) =>
        TryDecode(argument, out TJoin? join) ? Decide(OnJoining(session, join), join) : Refuse("The argument of the join is not readable.");

    /// <summary>Reads what <see cref="Encode"/> has written.</summary>
    /// <returns><see langword="false"/> if the bytes are none.</returns>
    protected bool TryDecode(byte[] encoded, [MaybeNullWhen(false)] out TJoin argument)
    {
        FrameData data = FrameData.OfBody(new ReadOnlySequence<byte>(encoded), new FrameHeader(TypeOf<TJoin>().Id));
        return TypeOf<TJoin>().TryDecode(new Frame(ref data), out argument);
    }

    /// <summary>Encodes an argument of a join as the cluster's log carries it.</summary>
    /// <exception cref="InvalidOperationException"><typeparamref name="TJoin"/> is no message of the server's packets.</exception>
    protected byte[] Encode(TJoin argument) => TypeOf<TJoin>().EncodeBody(argument);

    /// <summary>Makes a session a member on the room's own decision: it checks neither a lock nor a password.</summary>
    /// <param name="session">The session.</param>
    /// <param name="argument">Passed to <see cref="OnJoining"/>.</param>
    /// <returns>The member, or the reason why there is none.</returns>
    protected JoinResult<TMember> Join(Session session, TJoin argument)
    {
        RequireTurn();
        return Join(session, () => Decide(session, argument));
    }

    private JoinDecision<TMember> Decide(Session session, TJoin argument)
    {
        if (Role is { KeepsArguments: true } role)
        {
            role.OnArgument(Encode(argument));
        }

        return Decide(OnJoining(session, argument), argument);
    }

    /// <summary>Keeps the argument with the member, for a recording that begins later.</summary>
    private JoinDecision<TMember> Decide(JoinDecision<TMember> decision, TJoin argument)
    {
        if (Context.RecordedTime is not null && decision.Member is { } member)
        {
            member.JoinArgument = argument;
        }

        return decision;
    }
}
