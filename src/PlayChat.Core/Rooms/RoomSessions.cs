using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>The rooms of a session.</summary>
public static class RoomSessions
{
    /// <summary>Finds the room of a type in which a session is a member: of several the one that it entered last. Thread-safe, takes no lock.</summary>
    /// <returns>The room as of a moment ago, which may be just being removed; <see langword="null"/> when there is none.</returns>
    public static TRoom? FindRoom<TRoom>(this Session session)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.FindAttachment<TRoom>();
    }
}
