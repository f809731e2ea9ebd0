using Google.Protobuf;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>C_CHANGE_PASSWORD_REQ: gives the player's account another password, and logs out its other devices.</summary>
internal sealed class ChangePasswordHandler(
    AccountLogin logins, LoginTokens tokens, PlayChatServer server, IPlayers players, ILogger<ChangePasswordHandler> logger)
    : IPacketHandler<CChangePasswordReq>
{
    private const string Changed = "The password of this account was changed on another device. Log in with the new one.";

    public async ValueTask HandleAsync(PacketContext context, CChangePasswordReq message, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        var user = (ChatUser)session.User!; // the router requires a login
        LoginResult result;
        try
        {
            result = await logins.ChangePasswordAsync(
                user.Name, message.OldPassword, message.NewPassword, context.Connection.RemoteEndPoint, cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, session.Id, e.Message);
            context.FailStorage("The server's database is unavailable, so the password may not be changed. Try again later.");
            return;
        }

        if (result.Account is not { } account)
        {
            context.Fail(result.Code, result.Message, result.RetryAfter);
            return;
        }

        // The password is changed, so the other devices are logged out even if this one has disconnected.
        user.TokenVersion = account.TokenVersion; // this device may still resume
        foreach (Session other in server.Sessions.FindAllOfUser(user.Id).Where(device => device != session))
        {
            await OperatorNotices.CloseAsync(server.Sessions, other, Changed);
        }

        try
        {
            await players.CloseElsewhereAsync(user.Id, loginTokenId: 0, Changed, CancellationToken.None);
        }
        catch (ClusterDirectoryException e)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message); // the password is changed: those devices can log in no more
        }

        var answer = new SChangePasswordRes();
        if (user.LoginTokenId != 0)
        {
            (user.LoginTokenId, answer.LoginToken) = await KeepAsync(session, account, user.ClientVersion, cancellationToken);
        }

        context.Answer(ChatPackets.SChangePasswordRes, answer);
    }

    /// <summary>The new password has made the device's login token void: it gets another one.</summary>
    private async Task<(long Id, ByteString Token)> KeepAsync(
        Session session, Account account, string clientVersion, CancellationToken cancellationToken)
    {
        try
        {
            return await tokens.IssueAsync(account, clientVersion, cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, session.Id, e.Message);
            return (0, ByteString.Empty); // the password is changed all the same
        }
    }
}
