using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>What all chat rooms have in common.</summary>
internal sealed class ChatRoomServices(
    PlayChatServer server,
    ServerSettings settings,
    RoomQuotas quotas,
    HistoryReader history,
    ChatLogGate log,
    StoredDelivery delivery,
    RoomArchive archive,
    TimeProvider time,
    ILogger<ChatRoom> logger)
{
    public ChatRoomSettings Settings => settings.Rooms;

    /// <summary>Whether rooms last.</summary>
    public bool RoomsLast => settings.RoomsLast;

    /// <summary>The limits that rooms of all kinds have.</summary>
    public RoomOptions Limits => settings.PlayChat.Rooms;

    public RoomQuotas Quotas => quotas;

    public HistoryReader History => history;

    public ChatLogGate Log => log;

    public StoredDelivery Delivery => delivery;

    public RoomArchive Archive => archive;

    public TimeProvider Time => time;

    public ILogger Logger => logger;

    /// <summary>Tells a player something, if it is connected to this server.</summary>
    public void Tell(long playerId, SInvitedNtf invited)
    {
        if (server.Sessions.FindUser(playerId) is { IsAway: false } here)
        {
            here.Connection.SendPacket(invited, type: ChatPackets.SInvitedNtf);
        }
    }

    /// <summary>Makes the order of a room that this server has alone.</summary>
    public RoomOrder CreateOrder() => delivery.IsStored ? new StoredOrder(this) : new LocalOrder(this);
}
