namespace PlayChat.Persistence;

/// <summary>Log messages of rooms that survive a restart: event ids 1660–1669.</summary>
internal static partial class PersistenceLog
{
    [LoggerMessage(
        1660, LogLevel.Information,
        "Room {RoomId} ({RoomName}) continues as it was at {SavedAt}, with {Members} members and {StateBytes} bytes of state.")]
    public static partial void RoomRestored(
        ILogger logger, long roomId, string roomName, DateTimeOffset savedAt, int members, int stateBytes);

    [LoggerMessage(
        1661, LogLevel.Error,
        "Room {RoomId} ({RoomName}) has failed to read its saved state, and is not saved, so that this state stays as it is.")]
    public static partial void RestoreFailed(ILogger logger, long roomId, string roomName);

    [LoggerMessage(
        1662, LogLevel.Error,
        "The state of room {RoomId} ({RoomName}) has {Bytes} bytes, more than MaxStateBytes ({MaxBytes}), and was not saved.")]
    public static partial void StateTooLarge(ILogger logger, long roomId, string roomName, int bytes, int maxBytes);

    [LoggerMessage(1663, LogLevel.Error, "The store has not saved room {RoomName}; trying again.")]
    public static partial void NotSaved(ILogger logger, Exception exception, string roomName);

    [LoggerMessage(
        1664, LogLevel.Error,
        "The server stops, and the store has not saved {Count} rooms, among them {RoomName}. They continue as they were saved before.")]
    public static partial void LeftUnsaved(ILogger logger, int count, string roomName);

    [LoggerMessage(1665, LogLevel.Error, "A saved room is left out: {Problem}")]
    public static partial void RoomLeftOut(ILogger logger, string problem);

    [LoggerMessage(
        1666, LogLevel.Information,
        "The saved room {RoomName} of the kind {Kind} waits until the application creates it: RoomPersistenceOptions.Add has no such "
            + "kind.")]
    public static partial void RoomWaits(ILogger logger, string roomName, string kind);
}
