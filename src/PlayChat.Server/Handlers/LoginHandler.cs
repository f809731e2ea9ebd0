using Google.Protobuf;
using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Accounts;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Modes;
using PlayChat.Server.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Handlers;

/// <summary>C_LOGIN_REQ: checks who it is, binds the player to the session, and takes over from an older one.</summary>
internal sealed class LoginHandler(
    AccountLogin logins, PasswordlessRule passwordless, PresenceRegistry presences, ServerFacts facts, StopSign stopSign, ILogger<LoginHandler> logger)
    : IPacketHandler<CLoginReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CLoginReq message, CancellationToken cancellationToken)
    {
        if (context.Session.User is { } user)
        {
            context.Fail(ErrorCode.AlreadyLoggedIn, $"This connection is logged in as {user.Name}. Connect anew to log in as somebody else.");
            return;
        }

        if (!ChatRules.IsClientVersion(message.ClientVersion))
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"client_version has at most {ChatLimits.MaxClientVersionChars} characters and no control characters. Correct the client.");
            return;
        }

        if (stopSign.IsStopping)
        {
            context.Fail(ErrorCode.ServerShutdown, StopSign.Message);
            return;
        }

        LoginResult result;
        try
        {
            result = await logins.CheckAsync(message.Name, message.Password, passwordless.Allows(context.Connection), cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
            context.Fail(ErrorCode.StorageUnavailable, "The server's database cannot be reached. Try again later.");
            return;
        }

        if (result.Account is not { } account)
        {
            ServerLog.LoginRefused(logger, context.Session.Id, context.Connection.RemoteEndPoint, result.Code);
            context.Fail(result.Code, result.Message);
            return;
        }

        Enter(context, account, result.IsNew, message);
    }

    private void Enter(PacketContext context, Account account, bool isNew, CLoginReq message)
    {
        Session session = context.Session;
        if (!session.Connection.IsOpen)
        {
            return; // it took too long, or the peer has gone: nobody is there to take over
        }

        Session? older = presences.LogIn(session, new SessionUser(account.Id, account.Name), message.AnnouncesLogout, out ByteString token);
        if (isNew)
        {
            ServerLog.Registered(logger, account.Id, account.Name, session.Id);
        }

        ServerLog.LoggedIn(logger, account.Id, account.Name, session.Id, session.Connection.RemoteEndPoint, message.ClientVersion);
        if (older is not null)
        {
            ServerLog.TookOver(logger, account.Id, session.Id, older.Id);
            CloseNotices.Tell(older.Connection, CloseReason.TakenOver, $"{account.Name} has logged in from elsewhere.");
            older.Connection.Close(CloseReason.TakenOver);
        }

        context.Answer(ChatPackets.SLoginRes, new SLoginRes
        {
            PlayerId = account.Id,
            Name = account.Name,
            Server = facts.Tell(),
            ResumeToken = token,
        });
    }
}
