using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>A session in a <see cref="Room{TMember}"/>, with what the room keeps of it: derive from it. For the room's turn alone.</summary>
public abstract class RoomMember
{
    /// <param name="session">Whose membership it is.</param>
    protected RoomMember(Session session)
    {
        ArgumentNullException.ThrowIfNull(session);
        Session = session;
    }

    /// <summary>Whose membership it is.</summary>
    public Session Session { get; }
}
