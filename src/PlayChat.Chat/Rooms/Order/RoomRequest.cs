namespace PlayChat.Chat.Rooms.Order;

/// <summary>A request whose answer waits. Only the room's turn uses it.</summary>
internal sealed class RoomRequest(PacketContext context)
{
    public PacketContext Context => context;

    /// <summary>Whether the request has its answer.</summary>
    public bool IsAnswered { get; set; }
}
