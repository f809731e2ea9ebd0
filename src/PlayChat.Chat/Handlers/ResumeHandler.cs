using Google.Protobuf;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Sessions;
using PlayChat.Core;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_RESUME_REQ: reconnects a player whose connection broke.</summary>
/// <remarks>
/// The handler asks the rooms what they can resend, and answers. Then each room returns the member and resends it in one turn. A room that
/// has lost some of it in between sends S_ROOM_STATE_NTF, like a room that could not resend everything from the beginning.
/// </remarks>
internal sealed class ResumeHandler(
    PlayChatServer server,
    IChatStore store,
    BanList bans,
    ServerFacts facts,
    ShutdownState shutdown,
    IPlaces places,
    TimeProvider time,
    ILogger<ResumeHandler> logger)
    : IPacketHandler<CResumeReq>
{
    private const string Barred = "This account has been disabled or removed. Ask the operator of the server.";
    private const string Expired = "Your login has expired. Log in again.";
    private const string Revoked = "The password of this account has been changed. Log in with the new one.";

    // A player that was logged in resumes without the database; the client would not wait for an unavailable one.
    private static readonly TimeSpan s_accountTimeout = TimeSpan.FromSeconds(2);

    public async ValueTask HandleAsync(PacketContext context, CResumeReq message, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        if (session.User is { } user)
        {
            context.Fail(ErrorCode.AlreadyLoggedIn, $"This connection is logged in as {user.Name}. Resume on a connection of its own.");
        }
        else if (!ChatRules.IsClientVersion(message.ClientVersion) || message.Rooms.Count > server.Options.Rooms.MaxRoomsPerSession)
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"client_version has at most {ChatLimits.MaxClientVersionChars} characters and no control characters, and a player is in "
                    + $"{server.Options.Rooms.MaxRoomsPerSession} rooms at most. Correct the client.");
            RefusedRequests.Count(session);
        }
        else if (context.TryAdmit(places, shutdown, message.FollowsRedirects))
        {
            await ResumeAsync(context, message, cancellationToken);
        }
    }

    private async ValueTask ResumeAsync(PacketContext context, CResumeReq message, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        bool isRefused;
        try
        {
            isRefused = await server.Sessions.ResumeAsync(
                context.Connection,
                message.Token.Memory,
                resumption => WelcomeAsync(context, message, resumption, cancellationToken)) is null;
        }
        catch (ResumeStoreException)
        {
            // The log says why. Refused, the client would throw away a token that is valid when the database is back.
            context.FailStorage("The resume token is in the server's database, which is unavailable. Keep the token and try again later.");
            return;
        }

        if (isRefused)
        {
            ServerLog.ResumeRefused(logger, session.Id, session.Connection.RemoteEndPoint);
            context.Fail(ErrorCode.ResumeRefused, "The resume token is unknown, was used, or its time has passed. Log in.");
            RefusedRequests.Count(session); // the token may be guessed at, but not without end
        }
    }

    /// <summary>Answers the client before its rooms send to it again.</summary>
    private async ValueTask WelcomeAsync(
        PacketContext context, CResumeReq message, Resumption resumption, CancellationToken cancellationToken)
    {
        Session session = resumption.Session;
        SessionUser user = session.User!; // only a player who has logged in has a token
        if (bans.FindName(user.Name) is { } ban)
        {
            await BarAsync(context, session, BanNotice.Error(context.PacketId, ban, time.GetUtcNow()));
            return;
        }

        string? expired = session.HasLoginExpired ? Expired : null;
        if ((expired ?? await FindBarAsync((ChatUser)user)) is { } bar)
        {
            await BarAsync(context, session, Answers.Error(context.PacketId, ErrorCode.ResumeRefused, bar));
            return;
        }

        ((ChatUser)user).ClientVersion = message.ClientVersion;
        ServerLog.Resumed(logger, user.Id, user.Name, session.Id, context.Connection.RemoteEndPoint, message.ClientVersion);
        var answer = new SResumeRes
        {
            PlayerId = user.Id,
            Name = user.Name,
            Server = facts.Tell(),
            ResumeToken = ByteString.CopyFrom(resumption.Token.Span),
            Restored = resumption.IsRestored,
        };
        if (!await places.TryMoveAsync(context, message, answer, cancellationToken))
        {
            await ReturnAsync(context, message, answer, cancellationToken);
        }
    }

    /// <summary>Returns a player to its rooms on this server.</summary>
    private async ValueTask ReturnAsync(
        PacketContext context, CResumeReq message, SResumeRes answer, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        Dictionary<long, ChatRoom> rooms = session.FindRooms<ChatRoom>().ToDictionary(static room => room.Id);
        int spareBytes = server.Options.Connections.MaxOutboundBytes / 2; // the rest is for what the rooms say meanwhile
        foreach (RoomPlace place in message.Rooms)
        {
            var result = new ResumedRoom { RoomId = place.RoomId };
            answer.Rooms.Add(result);
            if (!answer.Restored
                && rooms.Remove(place.RoomId, out ChatRoom? room)
                && await room.PrepareReturnAsync(session, place.LastSequence, spareBytes, cancellationToken) is { } standing)
            {
                spareBytes -= standing.Tell(result);
            }
        }

        // The client does not know that it is in the other rooms: an answer was lost with its connection. It will ask again.
        foreach (ChatRoom room in rooms.Values)
        {
            await room.LeaveAsync(session, cancellationToken);
        }

        context.Answer(ChatPackets.SResumeRes, answer);
    }

    /// <summary>
    /// Looks whether the account has been disabled or removed, or its password changed, since the login. When the store does not say so in
    /// time, nothing has.
    /// </summary>
    /// <returns>Why the player may not resume; <see langword="null"/> when it may.</returns>
    // Nothing ends the wait but its time: the older session is the caller's to close, even when the newer one has gone again.
    private async Task<string?> FindBarAsync(ChatUser user)
    {
        try
        {
            Account? account = await store.FindAccountAsync(user.Name, CancellationToken.None).WaitAsync(s_accountTimeout, time);
            return account is null or { Disabled: true } || account.Id != user.Id ? Barred
                : account.TokenVersion != user.TokenVersion ? Revoked
                : null;
        }
        catch (Exception e) when (e is StorageException or TimeoutException)
        {
            return null;
        }
    }

    private async ValueTask BarAsync(PacketContext context, Session session, SErrorNtf error)
    {
        ServerLog.ResumeRefused(logger, session.Id, session.Connection.RemoteEndPoint);
        await server.Sessions.EndAsync(session);
        context.Reply(error, ChatPackets.SErrorNtf);
        CloseNotices.TellAndClose(session.Connection, CloseReason.LocalClose, error.Message);
    }
}
