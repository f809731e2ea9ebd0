using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>C_END_DEVICE_REQ: logs out another device of the player, or forgets the own one. One that has gone already is a
/// success.</summary>
internal sealed class EndDeviceHandler(PlayChatServer server, KeptDevices devices, ILogger<EndDeviceHandler> logger)
    : IPacketHandler<CEndDeviceReq>
{
    private const string Elsewhere = "You were logged out on another device.";

    private static readonly SEndDeviceRes s_answer = new();

    public async ValueTask HandleAsync(PacketContext context, CEndDeviceReq message, CancellationToken cancellationToken)
    {
        if (message.DeviceId == context.Session.Id)
        {
            context.Fail(ErrorCode.Forbidden, "This is the device that asks. Log out instead.");
            return;
        }

        try
        {
            await EndAsync(context.Session, message.DeviceId);
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
            context.FailStorage("The server's database is unavailable, so the device stays logged in. Try again later.");
            return;
        }

        context.Answer(ChatPackets.SEndDeviceRes, s_answer);
    }

    private async Task EndAsync(Session own, long deviceId)
    {
        var user = (ChatUser)own.User!;
        // Only the player's own are looked through, whatever number the client sends.
        Session? device = server.Sessions.FindAllOfUser(user.Id).FirstOrDefault(other => other.Id == deviceId);
        long tokenId = deviceId == 0 ? user.LoginTokenId
            : device is null ? -deviceId
            : ((ChatUser)device.User!).LoginTokenId;
        // Another tab of this browser has the same token, which this one needs.
        if (tokenId > 0 && (deviceId == 0 || tokenId != user.LoginTokenId))
        {
            await devices.EndAsync(user.Id, tokenId, deviceId == 0 ? "You were logged out in another tab." : Elsewhere, own);
        }
        else if (device is not null)
        {
            await OperatorNotices.CloseAsync(server.Sessions, device, Elsewhere);
        }

        if (deviceId == 0)
        {
            user.LoginTokenId = 0;
        }
    }
}
