using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>
/// A member of a <see cref="MemberRoom{TMember}"/>. Derive from it to keep state for each member; use it only in the room's turn.
/// </summary>
public abstract class RoomMember
{
    /// <param name="session">The member's session.</param>
    protected RoomMember(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        Session = session;
    }

    /// <summary>The member's session.</summary>
    public Session Session { get; }

    /// <summary>
    /// Whether the member's connection is lost and the room waits for its return. What you send to it meanwhile is dropped.
    /// </summary>
    public bool IsAway { get; internal set; }
}
