using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Replies;

/// <summary>
/// Tells players of this server what an operator says, and closes their sessions: for an operator of this server, and of another node of
/// its cluster. Thread-safe.
/// </summary>
internal static class OperatorNotices
{
    /// <summary>Tells something to the members of a room, or to all players, where the room is 0.</summary>
    /// <returns>The number of sessions that were told.</returns>
    public static int Tell(SessionRegistry sessions, long roomId, string message) => sessions.BroadcastPacket(
        new SNoticeNtf { Message = message, RoomId = roomId },
        filter: session => roomId == 0 ? session.User is not null : session.FindRoom<Room>(roomId) is not null);

    /// <summary>Tells something to the player of a session.</summary>
    /// <returns><see langword="false"/> when the connection has ended, or its queue is full.</returns>
    public static bool Tell(Session session, string message) =>
        session.Connection.SendPacket(new SNoticeNtf { Message = message }, type: ChatPackets.SNoticeNtf);

    /// <summary>Ends a session, tells its player why, and closes the connection.</summary>
    /// <param name="sessions">The server's sessions.</param>
    /// <param name="session">The session, connected or away.</param>
    /// <param name="message">
    /// What the player is told; empty for the usual sentence, <see langword="null"/> where the clients know no such packet.
    /// </param>
    public static async Task CloseAsync(SessionRegistry sessions, Session session, string? message)
    {
        await sessions.EndAsync(session);
        Connection connection = session.Connection; // after the end: before it, a resume could still move the session to another one
        if (message is not null)
        {
            CloseNotices.TellLocalClose(connection, message);
        }

        connection.Close();
    }
}
