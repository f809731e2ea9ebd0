namespace PlayChat.Core.Rooms;

/// <summary>Stands between the turn of a room that a cluster shares, or that survives a restart, and the room's hooks. Other rooms have
/// none.</summary>
internal abstract class RoomRole : IRoomHooks
{
    /// <summary>The room object. Set once, by its constructor.</summary>
    internal Room Room { get; set; } = null!;

    private protected IRoomHooks Hooks => Room;

    /// <summary>Whether a cluster shares the room.</summary>
    internal virtual bool IsClustered => true;

    /// <summary>The object that runs the room; <see langword="null"/> while another node of the cluster does. Any thread may ask.</summary>
    internal virtual Room? Runner => Room;

    /// <summary>What the room continues; <see langword="null"/> if it is new.</summary>
    internal virtual RestoredRoom? Restored => null;

    /// <summary>Whether <see cref="OnArgument"/> wants the arguments of joins.</summary>
    internal virtual bool KeepsArguments => false;

    public abstract void OnCreate();

    public abstract void OnTick(in RoomTick tick);

    public abstract void OnEmpty();

    public abstract void OnDispose();

    public abstract void Run(in RoomItem item);

    public abstract void OnSessionChanged(Session session);

    public abstract void TakeOut(Session member);

    public abstract void Remove();

    public virtual void OnTurnEnd() => Hooks.OnTurnEnd();

    public abstract void OnEnded();

    /// <summary>Makes what takes the room's frames in place of the members' connections; <see langword="null"/> if nothing does.</summary>
    internal abstract RoomUplink? CreateUplink(RoomServices services);

    /// <summary>A session is about to join with this argument, encoded.</summary>
    internal virtual void OnArgument(byte[] argument)
    {
    }

    /// <summary>A session has become a member.</summary>
    internal abstract void OnSeated(Session session);

    /// <summary>A session is no member any more.</summary>
    internal abstract void OnUnseated(Session session);

    /// <inheritdoc cref="Room.Transfer"/>
    internal abstract void Transfer(ReadOnlySpan<Session> sessions, ReadOnlySpan<byte> state, string? node);

    /// <inheritdoc cref="Room.FindNodes"/>
    internal virtual IReadOnlyList<RoomNode> FindNodes(IReadOnlyList<Session> sessions) => [];

    /// <summary>A member without an object is away.</summary>
    internal virtual void OnMemberAway(Session session)
    {
    }

    /// <summary>A member without an object has resumed.</summary>
    internal virtual void OnMemberReturned(Session session, bool isRecovered)
    {
    }
}
