using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>Finds the rooms of a session.</summary>
public static class RoomSessions
{
    /// <summary>Finds the room of a given type in which a session is a member.</summary>
    /// <param name="session">The session.</param>
    /// <param name="id">The room's id. Default: of several rooms, the one that the session entered last.</param>
    /// <remarks>Thread-safe, takes no lock. The session may leave the room, or the room may be removed, at the same time.</remarks>
    /// <returns>The room; <see langword="null"/> if there is none.</returns>
    public static TRoom? FindRoom<TRoom>(this Session session, long? id = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        if (id is null)
        {
            return session.FindAttachment<TRoom>();
        }

        foreach (ISessionAttachment attachment in session.Attachments)
        {
            if (attachment is TRoom room && room.Id == id)
            {
                return room;
            }
        }

        return null;
    }

    /// <summary>Finds the rooms of a given type in which a session is a member, in the order in which it entered them.</summary>
    /// <remarks>Thread-safe. The list is what was true at the call: the session may enter and leave rooms meanwhile.</remarks>
    public static IReadOnlyList<TRoom> FindRooms<TRoom>(this Session session)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        List<TRoom> rooms = [];
        foreach (ISessionAttachment attachment in session.Attachments)
        {
            if (attachment is TRoom room)
            {
                rooms.Add(room);
            }
        }

        return rooms;
    }
}
