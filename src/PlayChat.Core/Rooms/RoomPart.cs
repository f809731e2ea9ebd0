namespace PlayChat.Core.Rooms;

/// <summary>A part that follows the life of one room beside the room's own hooks, for example a state that its members see.</summary>
/// <remarks>
/// Derive from it in a package that rooms use, and let the room add it by <see cref="Room.AddPart"/>. All members are called in the room's
/// turn. What <see cref="OnJoined"/>, <see cref="OnLeave"/>, <see cref="OnReturn"/>, <see cref="OnTick"/> or <see cref="OnTurnEnd"/> throws
/// is logged and counted, and changes nothing else: a session that enters becomes a member, and the room's own hook and the other parts are
/// called. An exception of another hook is handled like one of the room's own hook of that name.
/// </remarks>
public abstract class RoomPart
{
    private Room? _room;

    /// <summary>Whether the room ticks (<see cref="Room.StartTick"/>).</summary>
    protected bool IsTicking => Room.Turn.IsTicking;

    private Room Room => _room ?? throw new InvalidOperationException("The part belongs to no room. Pass it to AddPart.");

    /// <summary>Called when a session has become a member, before <c>OnJoined</c>, and when a member continues on another server.</summary>
    protected internal virtual void OnJoined(RoomMember member)
    {
    }

    /// <summary>Called when a membership has ended, before <c>OnLeave</c>. Not called for the members of a room that another server
    /// continues.</summary>
    protected internal virtual void OnLeave(RoomMember member, LeaveReason reason)
    {
    }

    /// <summary>Called when a member that was away has returned, after <c>OnReturn</c>.</summary>
    protected internal virtual void OnReturn(RoomMember member)
    {
    }

    /// <summary>Called at each tick, after the room's own hook.</summary>
    protected internal virtual void OnTick()
    {
    }

    /// <summary>Called at the end of each turn that has run something. What it sends is flushed with the turn.</summary>
    protected internal virtual void OnTurnEnd()
    {
    }

    /// <summary>Writes what <see cref="OnRestore"/> needs, beside what the room writes (<see cref="Room.OnSnapshot"/>).</summary>
    protected internal virtual void OnSnapshot(IBufferWriter<byte> state)
    {
    }

    /// <summary>Reads what <see cref="OnSnapshot"/> has written, before the room's own hook.</summary>
    protected internal virtual void OnRestore(ReadOnlySpan<byte> state)
    {
    }

    /// <summary>Reads what <see cref="OnSnapshot"/> has written at the owner of the room, in a node's replica: the node knows it without
    /// asking the owner. Called for each state that the owner publishes, while no record of the log is missing.</summary>
    protected internal virtual void OnPublished(ReadOnlySpan<byte> state)
    {
    }

    /// <summary>Queues a frame for every member; see
    /// <see cref="Room.Broadcast(ReadOnlySpan{byte}, FrameHeader, Delivery, Session?)"/>.</summary>
    protected void Broadcast(ReadOnlySpan<byte> body, FrameHeader header) => Room.Outbox.Broadcast(body, header, default);

    /// <summary>Queues a frame for some sessions; see
    /// <see cref="Room.BroadcastTo(ReadOnlySpan{Session}, ReadOnlySpan{byte}, FrameHeader, Delivery)"/>.</summary>
    protected void BroadcastTo(ReadOnlySpan<Session> to, ReadOnlySpan<byte> body, FrameHeader header) =>
        Room.Outbox.SendTo(to, body, header, default);

    /// <summary>Runs a job once, in a later turn; see <see cref="Room.After"/>.</summary>
    protected void After(TimeSpan delay, Action job) => Room.StartTimer(delay, job);

    /// <summary>Returns how many bytes wait for a session's connection.</summary>
    protected static int GetWaitingBytes(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.Connection.OutboundBytes;
    }

    internal void SetRoom(Room room)
    {
        if (_room is not null)
        {
            throw new InvalidOperationException("The part belongs to a room already.");
        }

        _room = room;
    }
}
