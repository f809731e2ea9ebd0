using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>
/// C_LIST_DEVICES_REQ: the sessions of the player, in the order of their logins, and then the devices without one that stay logged in.
/// </summary>
internal sealed class ListDevicesHandler(PlayChatServer server, LoginTokens tokens, TimeProvider time, ILogger<ListDevicesHandler> logger)
    : IPacketHandler<CListDevicesReq>
{
    public async ValueTask HandleAsync(PacketContext context, CListDevicesReq message, CancellationToken cancellationToken)
    {
        long playerId = context.Session.User!.Id;
        IEnumerable<LoginTokenHashes> kept;
        try
        {
            kept = await tokens.ListAsync(playerId, cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
            context.FailStorage("The server's database is unavailable, so not all devices are known. Try again later.");
            return;
        }

        DateTimeOffset now = time.GetUtcNow();
        var answer = new SListDevicesRes();
        HashSet<long> present = [];
        foreach (Session session in server.Sessions.FindAllOfUser(playerId))
        {
            var user = (ChatUser)session.User!;
            present.Add(user.LoginTokenId);
            answer.Devices.Add(new Device
            {
                DeviceId = session.Id,
                SinceUnixMs = user.Since.ToUnixTimeMilliseconds(),
                LastSeenUnixMs = (now - session.Connection.Traffic.SilentFor).ToUnixTimeMilliseconds(),
                ClientVersion = user.ClientVersion,
                IsThis = session == context.Session,
                Address = session.Connection.RemoteEndPoint?.ToString() ?? "",
                Away = session.IsAway,
                Kept = user.LoginTokenId != 0,
            });
        }

        answer.Devices.Add(kept.Where(token => !present.Contains(token.Id)).Select(static token => new Device
        {
            DeviceId = -token.Id, // no session has such a number
            SinceUnixMs = token.CreatedAt.ToUnixTimeMilliseconds(),
            LastSeenUnixMs = token.UsedAt.ToUnixTimeMilliseconds(),
            ClientVersion = token.ClientVersion,
            Kept = true,
            Offline = true,
        }));
        context.Answer(ChatPackets.SListDevicesRes, answer);
    }
}
