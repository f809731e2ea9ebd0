using Google.Protobuf;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Sessions;
using PlayChat.Core;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LOGIN_REQ: checks the login, binds the player to the session, and takes over from an older session.</summary>
internal sealed class LoginHandler(
    AccountLogin logins,
    LoginTokens tokens,
    KeptDevices devices,
    PasswordlessRule passwordless,
    PlayChatServer server,
    ServerFacts facts,
    ShutdownState shutdown,
    IPlaces places,
    MembershipReader members,
    ConversationReader conversations,
    ILogger<LoginHandler> logger)
    : IPacketHandler<CLoginReq>
{
    private const string Unavailable = "The server's database is unavailable. Try again later.";

    public async ValueTask HandleAsync(PacketContext context, CLoginReq message, CancellationToken cancellationToken)
    {
        if (context.Session.User is { } user)
        {
            context.Fail(
                ErrorCode.AlreadyLoggedIn, $"This connection is logged in as {user.Name}. Connect anew to log in as another player.");
            return;
        }

        if (!ChatRules.IsClientVersion(message.ClientVersion))
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"client_version has at most {ChatLimits.MaxClientVersionChars} characters and no control characters. Correct the client.");
            RefusedRequests.Count(context.Session);
            return;
        }

        if (!context.TryAdmit(places, shutdown, message.FollowsRedirects))
        {
            return;
        }

        LoginResult result;
        bool isInUse = false;
        long tokenId = 0;
        var answer = new SLoginRes();
        context.Session.IsLoggingIn = true; // in a wave of logins the peer's deadline would end while it waits for us
        try
        {
            result = await CheckAsync(context, message, cancellationToken);
            isInUse = result.Account is { } checkedOne && IsInUse(checkedOne, message);
            if (result.Account is { } known && !isInUse)
            {
                (tokenId, answer.LoginToken) = await GiveTokenAsync(known, result, message, cancellationToken);
            }
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
            context.FailStorage(Unavailable);
            return;
        }
        finally
        {
            context.Session.IsLoggingIn = false;
        }

        if (result.Account is not { } account)
        {
            Refuse(context, message.Name, result);
            return;
        }

        if (isInUse)
        {
            context.Fail(
                ErrorCode.NameInUse,
                $"{account.Name} is logged in on as many devices as it may be. Log in as another player, or take over from one.");
            RefusedRequests.Count(context.Session);
            return;
        }

        await EnterAsync(context, account, result, tokenId, message, answer, cancellationToken);
    }

    private async Task<LoginResult> CheckAsync(PacketContext context, CLoginReq message, CancellationToken cancellationToken)
    {
        EndPoint? peer = context.Connection.RemoteEndPoint;
        if (message.LoginToken.IsEmpty)
        {
            Registration registration = message.MustRegister ? Registration.Required
                : message.NoRegistration ? Registration.Never
                : Registration.IfUnknown;
            return await logins.CheckAsync(
                message.Name, message.Password, passwordless.IsInEffect, registration, peer, cancellationToken);
        }

        LoginResult result = await logins.CheckTokenAsync(
            message.LoginToken.Memory, passwordless.IsInEffect, peer, cancellationToken);
        if (result is { Account: null, Token: { } reused })
        {
            ServerLog.LoginTokenReused(logger, reused.PlayerId, context.Session.Id, peer);
            await devices.EndAsync(
                reused.PlayerId,
                reused.Id,
                "The login of this device was also used elsewhere. Log in again, and change your password if that was not you.");
        }

        return result;
    }

    // A session that is away has no connection to lose.
    private bool IsInUse(Account account, CLoginReq message) =>
        message.NoTakeover
            && server.Sessions.FindAllOfUser(account.Name).Count(static session => !session.IsAway) >= server.Options.Sessions.MaxPerUser;

    private async Task<(long Id, ByteString Token)> GiveTokenAsync(
        Account account, LoginResult result, CLoginReq message, CancellationToken cancellationToken) =>
        result.Token is not null ? await tokens.ReplaceAsync(message.LoginToken.Memory, message.ClientVersion, cancellationToken)
            : message.Keep && result.IsByAccounts ? await tokens.IssueAsync(account, message.ClientVersion, cancellationToken)
            : (0, ByteString.Empty);

    private void Refuse(PacketContext context, string name, LoginResult result)
    {
        if (result.IsChecked)
        {
            // A checked login has a valid name: it contains no line break and no control character.
            ServerLog.LoginRefused(logger, name, context.Session.Id, context.Connection.RemoteEndPoint, result.Code);
        }
        else if (result.Code == ErrorCode.LoginThrottled)
        {
            ServerLog.LoginThrottled(logger, context.Session.Id, context.Connection.RemoteEndPoint, result.RetryAfter);
        }
        else
        {
            ServerLog.LoginNotChecked(logger, context.Session.Id, context.Connection.RemoteEndPoint, result.Code);
        }

        context.Fail(result.Code, result.Message, result.RetryAfter);
        if (!result.IsChecked)
        {
            RefusedRequests.Count(context.Session); // nothing has slowed the peer down
        }
    }

    private async ValueTask EnterAsync(
        PacketContext context,
        Account account,
        LoginResult result,
        long tokenId,
        CLoginReq message,
        SLoginRes answer,
        CancellationToken cancellationToken)
    {
        Session session = context.Session;
        if (!session.Connection.IsOpen)
        {
            return; // the login took too long, or the peer has disconnected
        }

        Session? older = server.Sessions.Bind(session, ChatUser.Of(account, message.ClientVersion, tokenId));
        session.ExpireLogin(result.ExpiresAt);
        if (result.IsNew)
        {
            ServerLog.Registered(logger, account.Id, account.Name, session.Id);
        }

        ServerLog.LoggedIn(logger, account.Id, account.Name, session.Id, session.Connection.RemoteEndPoint, message.ClientVersion);
        if (older is not null)
        {
            // Ended here and not by its connection: the rooms lose the older session before the newer one can join.
            Task ending = server.Sessions.EndAsync(older, CloseReason.TakenOver, cancellationToken).AsTask();
            ServerLog.TookOver(logger, account.Id, session.Id, older.Id);
            CloseNotices.TellAndClose(older.Connection, CloseReason.TakenOver, $"{account.Name} has logged in from elsewhere.");
            await ending;
        }

        if (!await places.TryBindAsync(context, message.FollowsRedirects)
            || !await TryTellAsync(context, account, answer, cancellationToken))
        {
            return;
        }

        ReadOnlyMemory<byte> token = await server.Sessions.IssueResumeTokenAsync(session, closeIsLeave: !message.AnnouncesLogout);
        answer.PlayerId = account.Id;
        answer.Name = account.Name;
        answer.Server = facts.Tell();
        answer.ResumeToken = ByteString.CopyFrom(token.Span);
        // Before the answer: of a room that another device enters afterwards, the room itself tells this one.
        ChatRoom[] rooms = [.. server.Sessions.FindAllOfUser(account.Id)
            .Where(device => device != session)
            .SelectMany(static device => device.FindRooms<ChatRoom>())
            .Distinct()];
        context.Answer(ChatPackets.SLoginRes, answer);
        foreach (ChatRoom room in rooms)
        {
            session.Connection.SendPacket(
                new SRoomEnteredNtf { RoomId = room.Id, Name = room.Name }, type: ChatPackets.SRoomEnteredNtf);
        }
    }

    /// <summary>Adds to the answer what waits for a player. What comes from now on reaches its session.</summary>
    /// <returns><see langword="false"/> when the database has failed, which has been answered.</returns>
    private async ValueTask<bool> TryTellAsync(
        PacketContext context, Account account, SLoginRes answer, CancellationToken cancellationToken)
    {
        try
        {
            answer.Memberships.Add(await members.ReadAsync(account.Id, cancellationToken));
            await conversations.TellAsync(answer, account.Id, account.Name, cancellationToken);
            return true;
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
        }

        // The session is bound to the player already, and is bound only once: another try needs another connection.
        await server.Sessions.EndAsync(context.Session, CloseReason.HandlerFault, CancellationToken.None);
        context.FailStorage(Unavailable);
        CloseNotices.TellAndClose(context.Connection, CloseReason.HandlerFault);
        return false;
    }
}
