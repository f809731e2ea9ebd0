namespace PlayChat.Core.Rooms;

/// <summary>Log messages of rooms: event ids 1100–1149.</summary>
internal static partial class RoomLog
{
    [LoggerMessage(1100, LogLevel.Error, "A job of room {RoomId} ({RoomName}) threw an exception; the room keeps running.")]
    public static partial void JobFault(ILogger logger, Exception exception, long roomId, string roomName);

    [LoggerMessage(1101, LogLevel.Debug, "Room {RoomId} ({RoomName}) was created.")]
    public static partial void Created(ILogger logger, long roomId, string roomName);

    [LoggerMessage(1102, LogLevel.Debug, "Room {RoomId} ({RoomName}) was removed.")]
    public static partial void Removed(ILogger logger, long roomId, string roomName);

    [LoggerMessage(1103, LogLevel.Error, "{Hook} of room {RoomId} ({RoomName}) threw an exception; the room keeps running.")]
    public static partial void HookFault(ILogger logger, Exception exception, string hook, long roomId, string roomName);

    [LoggerMessage(
        1104, LogLevel.Warning,
        "{Hook} of room {RoomId} ({RoomName}) took {Milliseconds} ms, and the room did nothing else meanwhile. Do not block in a turn: run "
            + "the work elsewhere (Offload.Run), and post its result to the room. {LeftOut} such steps before it were not logged.")]
    public static partial void SlowStep(ILogger logger, string hook, long roomId, string roomName, int milliseconds, int leftOut);

    [LoggerMessage(
        1105, LogLevel.Warning,
        "A turn of room {RoomId} ({RoomName}) has blocked the thread '{Thread}' for {Milliseconds} ms, and nothing else happens in the "
            + "room until it ends. Do not block in a turn: run the work elsewhere (Offload.Run), and post its result to the room.")]
    public static partial void TurnBlocks(ILogger logger, long roomId, string roomName, string thread, long milliseconds);
}
