using Microsoft.Extensions.Hosting;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Operations.Admin.Models;
using PlayChat.Server.Replies;

namespace PlayChat.Server.Operations.Admin;

/// <summary>What an operator does with sessions: closes them, tells them something, and drains the server.</summary>
internal sealed class SessionActions(
    PlayChatServer server, ServerSettings settings, SessionReader sessions, RoomReader rooms, IHostApplicationLifetime lifetime)
{
    private const int MaxMessageChars = 500;

    /// <summary>Ends a session, connected or away. Its player may log in again.</summary>
    /// <exception cref="AdminException">There is no such session, or the message is invalid.</exception>
    public async Task<ActionResult> CloseAsync(long id, string? message)
    {
        string? sentence = string.IsNullOrWhiteSpace(message) ? null : CheckMessage(message);
        Session session = sessions.Get(id);
        await server.Sessions.EndAsync(session);
        Connection connection = session.Connection; // after the end: before it, a resume could still move the session to another one
        if (settings.Mode == ServerMode.Chat)
        {
            if (sentence is null)
            {
                CloseNotices.Tell(connection, CloseReason.LocalClose);
            }
            else
            {
                CloseNotices.Tell(connection, CloseReason.LocalClose, sentence);
            }
        }

        connection.Close();
        return new ActionResult($"Session {id} was closed.", 1);
    }

    /// <summary>Tells a session something.</summary>
    /// <exception cref="AdminException">There is no such session, it is away, or the message is invalid.</exception>
    public ActionResult NotifySession(long id, string? message)
    {
        SNoticeNtf notice = Notice(message);
        Session session = sessions.Get(id);
        return session.IsAway || !session.Connection.SendPacket(notice, type: ChatPackets.SNoticeNtf)
            ? throw AdminException.Conflict($"Session {id} is not connected, or does not read.")
            : new ActionResult($"Session {id} was told.", 1);
    }

    /// <summary>Tells the members of a room something.</summary>
    /// <exception cref="AdminException">There is no such room, or the message is invalid.</exception>
    public ActionResult NotifyRoom(long id, string? message)
    {
        SNoticeNtf notice = Notice(message);
        notice.RoomId = rooms.Get(id).Id;
        int told = server.Sessions.BroadcastPacket(notice, filter: session => session.FindRoom<Room>(id) is not null);
        return new ActionResult($"{told:N0} members of room {id} were told.", told);
    }

    /// <summary>Tells all players something.</summary>
    /// <exception cref="AdminException">The message is invalid.</exception>
    public ActionResult NotifyAll(string? message)
    {
        int told = server.Sessions.BroadcastPacket(Notice(message), filter: static session => session.User is not null);
        return new ActionResult($"{told:N0} sessions were told.", told);
    }

    /// <summary>Stops the server in order, as SIGTERM does: clients are asked to come back, and the process ends.</summary>
    public ActionResult Drain()
    {
        int count = server.Sessions.Count;
        lifetime.StopApplication();
        return new ActionResult($"The server drains {count:N0} sessions and stops.", count);
    }

    private SNoticeNtf Notice(string? message) => settings.Mode == ServerMode.Chat
        ? new SNoticeNtf { Message = CheckMessage(message) }
        : throw AdminException.Conflict("Only a server in chat mode can send notices.");

    private static string CheckMessage(string? message) =>
        !string.IsNullOrWhiteSpace(message) && message.Length <= MaxMessageChars && !message.Any(char.IsControl)
            ? message.Trim()
            : throw AdminException.Invalid($"The message is invalid; it takes 1 to {MaxMessageChars} characters without line breaks.");
}
