using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using PlayChat.Server.Sessions;
using PlayChat.Storage;
using Resumption = PlayChat.Server.Sessions.Resumption;

namespace PlayChat.Server.Handlers;

/// <summary>C_RESUME_REQ: reconnects a player whose connection broke.</summary>
/// <remarks>
/// The rooms are asked first what they can still give, then the answer is sent, then each room lets the player in and gives it in one
/// turn. When a room has lost in between what it could have given, it says so by S_ROOM_STATE_NTF, as where it could not from the
/// beginning.
/// </remarks>
internal sealed class ResumeHandler(
    PlayChatServer server,
    ServerSettings settings,
    PresenceRegistry presences,
    IChatStore store,
    ServerFacts facts,
    ShutdownState shutdown,
    TimeProvider time,
    ILogger<ResumeHandler> logger)
    : IPacketHandler<CResumeReq>
{
    private const string Barred = "This account has been disabled or removed.";

    // A player that was logged in resumes without the database; the client would not wait for an unavailable one.
    private static readonly TimeSpan s_accountTimeout = TimeSpan.FromSeconds(2);

    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CResumeReq message, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        if (session.User is { } user)
        {
            context.Fail(ErrorCode.AlreadyLoggedIn, $"This connection is logged in as {user.Name}. Resume on a connection of its own.");
        }
        else if (!ChatRules.IsClientVersion(message.ClientVersion) || message.Rooms.Count > settings.Rooms.MaxPerPlayer)
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"client_version has at most {ChatLimits.MaxClientVersionChars} characters and no control characters, and a player is in "
                    + $"{settings.Rooms.MaxPerPlayer} rooms at most. Correct the client.");
        }
        else if (shutdown.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, ShutdownState.Message);
        }
        else if (presences.Resume(session, message.Token) is { } resumption)
        {
            await ResumeAsync(context, message, resumption, cancellationToken);
        }
        else
        {
            ServerLog.ResumeRefused(logger, session.Id, session.Connection.RemoteEndPoint);
            context.Fail(ErrorCode.ResumeRefused, "The resume token is unknown, was used, or its time has passed. Log in.");
            RefusedRequests.Count(session); // the token may be guessed at, but not without end
        }
    }

    private async Task ResumeAsync(PacketContext context, CResumeReq message, Resumption resumption, CancellationToken cancellationToken)
    {
        (Presence presence, Session? older, _) = resumption;
        if (await IsBarredAsync(presence.User))
        {
            Bar(context, older);
            return;
        }

        ServerLog.Resumed(
            logger,
            presence.User.Id,
            presence.User.Name,
            context.Session.Id,
            context.Session.Connection.RemoteEndPoint,
            message.ClientVersion);
        if (older is not null)
        {
            // Half open, or used by another program. The connection that shows the token gets the player.
            ServerLog.TookOver(logger, presence.User.Id, context.Session.Id, older.Id);
            CloseNotices.Tell(older.Connection, CloseReason.TakenOver, $"{presence.User.Name} has resumed on another connection.");
            older.Connection.Close(CloseReason.TakenOver);
        }

        var answer = new SResumeRes
        {
            PlayerId = presence.User.Id,
            Name = presence.User.Name,
            Server = facts.Tell(),
            ResumeToken = resumption.Token,
        };
        Dictionary<long, ChatRoom> rooms = presence.GetRooms().Cast<ChatRoom>().ToDictionary(static room => room.Id);
        List<(ChatRoom Room, long? After)> returning = [];
        int spareBytes = server.Options.Connections.MaxOutboundBytes / 2; // the rest is for what the rooms say meanwhile
        foreach (RoomPlace place in message.Rooms)
        {
            var result = new ResumedRoom { RoomId = place.RoomId };
            answer.Rooms.Add(result);
            if (rooms.Remove(place.RoomId, out ChatRoom? room)
                && await room.AskStandingAsync(presence, place.LastSequence, cancellationToken) is { } standing)
            {
                result.Member = true;
                result.LatestSequence = standing.LatestSequence;
                result.Recovered = standing.CanRecover && standing.MissedBytes <= spareBytes;
                if (result.Recovered)
                {
                    result.MissedMessages = (uint)standing.MissedMessages;
                    spareBytes -= standing.MissedBytes;
                }

                returning.Add((room, result.Recovered ? place.LastSequence : null));
            }
        }

        // What the client does not know of: an answer that was lost with the connection. It will ask again, as if it had not been.
        foreach (ChatRoom room in rooms.Values)
        {
            await room.DepartAsync(presence, cancellationToken);
        }

        context.Answer(ChatPackets.SResumeRes, answer);
        foreach ((ChatRoom room, long? after) in returning)
        {
            await room.ReturnAsync(presence, context.Session, after, cancellationToken);
        }
    }

    /// <summary>
    /// Whether the account has been disabled or removed since the login. When the store does not say so in time, it has not.
    /// </summary>
    // Nothing ends the wait but its time: the older session is the caller's to close, even when the newer one has gone again.
    private async Task<bool> IsBarredAsync(SessionUser user)
    {
        try
        {
            Account? account = await store.FindAccountAsync(user.Name, CancellationToken.None).WaitAsync(s_accountTimeout, time);
            return account is null or { Disabled: true } || account.Id != user.Id;
        }
        catch (Exception e) when (e is StorageException or TimeoutException)
        {
            return false;
        }
    }

    private void Bar(PacketContext context, Session? older)
    {
        Session session = context.Session;
        ServerLog.ResumeRefused(logger, session.Id, session.Connection.RemoteEndPoint);
        presences.LogOut(session);
        if (older is not null)
        {
            CloseNotices.Tell(older.Connection, CloseReason.LocalClose, Barred);
            older.Connection.Close(CloseReason.LocalClose);
        }

        context.Fail(ErrorCode.ResumeRefused, Barred);
        CloseNotices.Tell(session.Connection, CloseReason.LocalClose, Barred);
        session.Connection.Close(CloseReason.LocalClose);
    }
}
