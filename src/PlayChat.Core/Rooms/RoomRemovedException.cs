namespace PlayChat.Core.Rooms;

/// <summary>A room was asked something, and it had been removed.</summary>
public sealed class RoomRemovedException : InvalidOperationException
{
    /// <summary>Makes the exception.</summary>
    /// <param name="roomId">The room that was asked.</param>
    public RoomRemovedException(long roomId)
        : base($"Room {roomId} was removed.")
    {
        RoomId = roomId;
    }

    /// <summary>The room that was asked.</summary>
    public long RoomId { get; }
}
