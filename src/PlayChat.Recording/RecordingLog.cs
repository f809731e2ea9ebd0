namespace PlayChat.Recording;

/// <summary>Log messages of recordings: event ids 1670–1679.</summary>
internal static partial class RecordingLog
{
    [LoggerMessage(1670, LogLevel.Information, "Room {RoomId} ({RoomName}) is recorded in {Path}.")]
    public static partial void Started(ILogger logger, long roomId, string roomName, string path);

    [LoggerMessage(
        1671, LogLevel.Information,
        "The recording of room {RoomId} ({RoomName}) has ended ({End}): {Turns} turns in {Bytes} bytes of {Path}.")]
    public static partial void Ended(ILogger logger, long roomId, string roomName, RecordingEnd end, long turns, long bytes, string path);

    [LoggerMessage(
        1672, LogLevel.Warning,
        "The recording of room {RoomId} ({RoomName}) has ended early ({End}): {Problem}. The room keeps running. The file {Path} can be "
            + "replayed up to its last whole turn.")]
    public static partial void EndedEarly(ILogger logger, long roomId, string roomName, RecordingEnd end, string problem, string path);

    [LoggerMessage(1673, LogLevel.Warning, "Room {RoomId} ({RoomName}) is not recorded: {Problem}")]
    public static partial void NotRecorded(ILogger logger, long roomId, string roomName, string problem);
}
