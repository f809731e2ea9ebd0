using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Packets;
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

    public bool RoomsLast => settings.RoomsLast;

    public bool IsCluster => settings.Cluster.IsOn;

    /// <summary>The limits that rooms of all kinds have.</summary>
    public RoomOptions Limits => settings.PlayChat.Rooms;

    public RoomQuotas Quotas => quotas;

    public HistoryReader History => history;

    public ChatLogGate Log => log;

    public StoredDelivery Delivery => delivery;

    public RoomArchive Archive => archive;

    public TimeProvider Time => time;

    public ILogger Logger => logger;

    /// <summary>Tells a player something on each device that is connected to this server, but one.</summary>
    public void Tell<TMessage>(long playerId, PacketType<TMessage> type, TMessage message, Session? except = null) =>
        server.Sessions.Tell(playerId, type, message, except);

    /// <summary>Whether a player may have several devices.</summary>
    public bool HasDevices => settings.PlayChat.Sessions.MaxPerUser > 1;

    /// <summary>The settings of a room with a name: beside the seats of the players it has places for their further devices.</summary>
    public RoomSettings SettingsOf(string name) => new() { Name = name, SpectatorCapacity = HasDevices ? Limits.MaxMembers : 0 };

    /// <summary>Makes the order of a room that this server has alone.</summary>
    public RoomOrder CreateOrder() => delivery.IsStored ? new StoredOrder(this) : new LocalOrder(this);
}
