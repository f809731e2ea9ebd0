using PlayChat.Server.Configuration;

namespace PlayChat.Server.Rooms;

/// <summary>How many rooms there may be. Thread-safe.</summary>
internal sealed class RoomQuotas(ServerSettings settings)
{
    /// <summary>The rooms of the server: taken before one is made, given back when it is removed.</summary>
    public Quota Rooms { get; } = new(() => settings.Rooms.MaxRooms);
}
