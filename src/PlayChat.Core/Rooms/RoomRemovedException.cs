namespace PlayChat.Core.Rooms;

/// <summary>Thrown by a request to a room that was removed.</summary>
public sealed class RoomRemovedException : InvalidOperationException
{
    internal RoomRemovedException(long roomId)
        : base($"Room {roomId} was removed.")
    {
    }
}
