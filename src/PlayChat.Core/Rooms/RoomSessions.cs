using PlayChat.Core.Sessions;

namespace PlayChat.Core.Rooms;

/// <summary>Finds the rooms of a session.</summary>
public static class RoomSessions
{
    /// <summary>Finds the room of a given type in which a session is a member; of several rooms, the one that it entered last.</summary>
    /// <remarks>Thread-safe, takes no lock. The session may leave the room, or the room may be removed, at the same time.</remarks>
    /// <returns>The room; <see langword="null"/> if there is none.</returns>
    public static TRoom? FindRoom<TRoom>(this Session session)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        return session.FindAttachment<TRoom>();
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

    /// <summary>Finds the room with an id, if it is of a given type and the session is a member.</summary>
    /// <remarks>Thread-safe, takes no lock. The session may leave the room, or the room may be removed, at the same time.</remarks>
    /// <returns>The room; <see langword="null"/> if there is none.</returns>
    public static TRoom? FindRoom<TRoom>(this Session session, long id)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(session);
        foreach (ISessionAttachment attachment in session.Attachments)
        {
            if (attachment is TRoom room && room.Id == id)
            {
                return room;
            }
        }

        return null;
    }
}
