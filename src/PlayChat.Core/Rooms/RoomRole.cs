namespace PlayChat.Core.Rooms;

/// <summary>Stands between the turn of a room that a cluster shares, or that survives a restart, and the room's hooks. Other rooms have
/// none. By default it calls the hooks.</summary>
internal abstract class RoomRole : IRoomHooks
{
    /// <summary>The room object. Set once, by its constructor.</summary>
    internal Room Room { get; set; } = null!;

    private protected IRoomHooks Hooks => Room;

    internal virtual bool IsClustered => true;

    /// <summary>The object that runs the room; <see langword="null"/> while another node of the cluster does. Any thread may ask.</summary>
    internal virtual Room? Runner => Room;

    /// <summary>What the room continues; <see langword="null"/> if it is new.</summary>
    internal virtual RestoredRoom? Restored => null;

    /// <summary>Whether <see cref="OnArgument"/> wants the arguments of joins.</summary>
    internal virtual bool KeepsArguments => false;

    public virtual void OnCreate() => Hooks.OnCreate();

    public virtual void OnTick(in RoomTick tick) => Hooks.OnTick(in tick);

    public virtual void OnEmpty() => Hooks.OnEmpty();

    public virtual void OnDispose() => Hooks.OnDispose();

    public virtual void Run(in RoomItem item) => Hooks.Run(in item);

    public virtual void OnSessionChanged(Session session) => Hooks.OnSessionChanged(session);

    public virtual void TakeOut(Session member) => Hooks.TakeOut(member);

    public virtual void Remove() => Hooks.Remove();

    public virtual void OnTurnEnd() => Hooks.OnTurnEnd();

    public virtual void OnEnded() => Hooks.OnEnded();

    /// <summary>Makes what takes the room's frames in place of the members' connections; <see langword="null"/> if nothing does.</summary>
    internal virtual RoomUplink? CreateUplink(RoomServices services) => null;

    /// <summary>A session is about to join with this argument, encoded.</summary>
    internal virtual void OnArgument(byte[] argument)
    {
    }

    /// <summary>A session has become a member.</summary>
    internal virtual void OnSeated(Session session)
    {
    }

    /// <summary>A session is no member any more.</summary>
    internal virtual void OnUnseated(Session session)
    {
    }

    internal virtual void Transfer(ReadOnlySpan<Session> sessions, ReadOnlySpan<byte> state, string? node)
    {
    }

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
