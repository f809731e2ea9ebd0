namespace PlayChat.Recording;

/// <summary>Log messages of recordings: event ids 1670–1679.</summary>
internal static partial class RecordingLog
{
    [LoggerMessage(1670, LogLevel.Information, "Room {RoomId} ({RoomName}) is recorded in {Path}.")]
    public static partial void Started(ILogger logger, long roomId, string roomName, string path);

    [LoggerMessage(
        EventId = 1671,
        Message = "The recording of room {RoomId} ({RoomName}) has ended ({End}): {Turns} turns in {Bytes} bytes of {Path}. {Note}")]
    public static partial void Ended(
        ILogger logger, LogLevel level, long roomId, string roomName, RecordingEnd end, long turns, long bytes, string path, string note);

    [LoggerMessage(1673, LogLevel.Warning, "Room {RoomId} ({RoomName}) is not recorded: {Problem}")]
    public static partial void NotRecorded(ILogger logger, long roomId, string roomName, string problem);
}
