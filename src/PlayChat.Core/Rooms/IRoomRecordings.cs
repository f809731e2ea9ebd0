namespace PlayChat.Core.Rooms;

/// <summary>What records the rooms of a server. Thread-safe.</summary>
internal interface IRoomRecordings
{
    /// <summary>A room was made; its first turn has not begun. May give the room a tape.</summary>
    void OnCreated(Room room);
}
