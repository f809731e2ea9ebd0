using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>
/// What a <see cref="RoomTurn"/> calls in its room. <see cref="Room"/> implements it; its methods may throw what the application throws.
/// </summary>
internal interface IRoomHooks
{
    void OnCreate();

    void OnTick(in RoomTick tick);

    void OnEmpty();

    void OnDispose();

    /// <summary>Runs a job or handles a frame.</summary>
    void Run(in RoomItem item);

    /// <summary>Looks at a session that has ended, has become away or has returned.</summary>
    void OnSessionChanged(Session session);

    /// <summary>Removes a member, because the room has ended.</summary>
    void Dismiss(Session member);

    /// <summary>Removes the room.</summary>
    void Remove();

    /// <summary>Called after the room's last turn has been flushed.</summary>
    void OnEnded();
}
