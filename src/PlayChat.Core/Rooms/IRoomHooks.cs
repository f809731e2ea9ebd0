namespace PlayChat.Core.Rooms;

/// <summary>
/// The methods of a room that its <see cref="RoomTurn"/> calls. <see cref="Room"/> implements them. They throw the exceptions of the
/// application.
/// </summary>
internal interface IRoomHooks
{
    void OnCreate();

    void OnTick(in RoomTick tick);

    void OnEmpty();

    void OnDispose();

    void Run(in RoomItem item);

    /// <summary>Looks at a session that has ended, has become away or has returned.</summary>
    void OnSessionChanged(Session session);

    /// <summary>Takes a member out, because the room has ended.</summary>
    void TakeOut(Session member);

    void Remove();

    /// <summary>Called at the end of a turn, before what it has sent is flushed.</summary>
    void OnTurnEnd();

    /// <summary>Called after the room's last turn has been flushed.</summary>
    void OnEnded();
}
