namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Log messages of rooms that a cluster shares: event ids 1150–1199.</summary>
internal static partial class SharedRoomLog
{
    [LoggerMessage(
        1154, LogLevel.Information,
        "This node owns room {RoomId} ({RoomName}) now, with {Members} members and {StateBytes} bytes of state.")]
    public static partial void RoomTakenOver(ILogger logger, long roomId, string roomName, int members, int stateBytes);

    [LoggerMessage(
        1155, LogLevel.Error,
        "The state of room {RoomId} ({RoomName}) has {Bytes} bytes, more than MaxSnapshotBytes ({MaxBytes}), and was not published.")]
    public static partial void SnapshotTooLarge(ILogger logger, long roomId, string roomName, int bytes, int maxBytes);

    [LoggerMessage(
        1156, LogLevel.Warning,
        "A packet of {Bytes} bytes for room {RoomId} ({RoomName}) does not fit into the cluster's log ({MaxBytes}); it was dropped.")]
    public static partial void PacketTooLarge(ILogger logger, long roomId, string roomName, int bytes, int maxBytes);

    [LoggerMessage(
        1157, LogLevel.Error,
        "This node cannot own room {RoomId} ({RoomName}), because its object could not be made. Another node may; this one tries again.")]
    public static partial void RoomNotMade(ILogger logger, Exception exception, long roomId, string roomName);

    [LoggerMessage(1158, LogLevel.Warning, "The rooms of this node were not handed over in time; other nodes take them over.")]
    public static partial void HandOverTimedOut(ILogger logger);
}
