using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>C_CHANGE_PASSWORD_REQ: gives the player's account another password, and logs out its other devices.</summary>
internal sealed class ChangePasswordHandler(AccountLogin logins, PlayChatServer server, ILogger<ChangePasswordHandler> logger)
    : IPacketHandler<CChangePasswordReq>
{
    private static readonly SChangePasswordRes s_answer = new();

    /// <inheritdoc/>
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
            context.Reply(Answers.Error(context.PacketId, result.Code, result.Message, result.RetryAfter), ChatPackets.SErrorNtf);
            return;
        }

        user.TokenVersion = account.TokenVersion; // this device may still resume
        foreach (Session other in server.Sessions.FindAllOfUser(user.Id).Where(device => device != session))
        {
            await OperatorNotices.CloseAsync(
                server.Sessions, other, "The password of this account was changed on another device. Log in with the new one.");
        }

        context.Answer(ChatPackets.SChangePasswordRes, s_answer);
    }
}
