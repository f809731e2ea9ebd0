using PlayChat.Core.Connections;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;

namespace PlayChat.Chat.Replies;

/// <summary>Tells a player something on its devices.</summary>
internal static class DeviceNotices
{
    /// <summary>Tells each device that is connected to this server, but one.</summary>
    public static void Tell<TMessage>(
        this SessionRegistry sessions,
        long playerId,
        PacketType<TMessage> type,
        TMessage message,
        Session? except = null,
        Delivery delivery = default)
    {
        foreach (Session device in sessions.FindAllOfUser(playerId))
        {
            if (device != except && !device.IsAway)
            {
                device.Connection.SendPacket(message, delivery: delivery, type: type);
            }
        }
    }
}
