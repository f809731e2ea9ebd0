using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_DEVICES_REQ: the sessions of the player, in the order of their logins.</summary>
internal sealed class ListDevicesHandler(PlayChatServer server, TimeProvider time) : IPacketHandler<CListDevicesReq>
{
    /// <inheritdoc/>
    public ValueTask HandleAsync(PacketContext context, CListDevicesReq message, CancellationToken cancellationToken)
    {
        DateTimeOffset now = time.GetUtcNow();
        var answer = new SListDevicesRes();
        foreach (Session session in server.Sessions.FindAllOfUser(context.Session.User!.Id))
        {
            var user = (ChatUser)session.User!;
            answer.Devices.Add(new Device
            {
                DeviceId = session.Id,
                SinceUnixMs = user.Since.ToUnixTimeMilliseconds(),
                LastSeenUnixMs = (now - session.Connection.Traffic.SilentFor).ToUnixTimeMilliseconds(),
                ClientVersion = user.ClientVersion,
                IsThis = session == context.Session,
                Address = session.Connection.RemoteEndPoint?.ToString() ?? "",
                Away = session.IsAway,
            });
        }

        context.Answer(ChatPackets.SListDevicesRes, answer);
        return default;
    }
}
