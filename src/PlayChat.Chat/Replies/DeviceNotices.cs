using PlayChat.Core.Connections;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;

namespace PlayChat.Chat.Replies;

/// <summary>Tells a player something on its devices.</summary>
internal static class DeviceNotices
{
    /// <summary>Tells each device that is connected to this server, but one.</summary>
    /// <param name="sessions">The sessions of this server.</param>
    /// <param name="playerId">The player.</param>
    /// <param name="type">The type of the packet.</param>
    /// <param name="message">The packet.</param>
    /// <param name="except">Is not told.</param>
    /// <param name="delivery">What happens when a device is behind.</param>
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
