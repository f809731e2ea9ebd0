namespace PlayChat.Chat.Handlers;

/// <summary>C_END_DEVICE_REQ: logs out another device of the player. One that has gone already is a success.</summary>
internal sealed class EndDeviceHandler(PlayChatServer server) : IPacketHandler<CEndDeviceReq>
{
    private static readonly SEndDeviceRes s_answer = new();

    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CEndDeviceReq message, CancellationToken cancellationToken)
    {
        if (message.DeviceId == context.Session.Id)
        {
            context.Fail(ErrorCode.Forbidden, "This is the device that asks. Log out instead.");
            return;
        }

        // Only the player's own are looked through, whatever number the client sends.
        Session? device = server.Sessions.FindAllOfUser(context.Session.User!.Id).FirstOrDefault(other => other.Id == message.DeviceId);
        if (device is not null)
        {
            await OperatorNotices.CloseAsync(server.Sessions, device, "You were logged out on another device.");
        }

        context.Answer(ChatPackets.SEndDeviceRes, s_answer);
    }
}
