namespace PlayChat.Core.Dispatch;

/// <summary>Log messages of dispatch: event ids 1200–1299.</summary>
internal static partial class DispatchLog
{
    [LoggerMessage(1200, LogLevel.Error, "The handler of {PacketName} threw an exception for connection {ConnectionId}; it stays open.")]
    public static partial void HandlerFault(ILogger logger, Exception exception, string packetName, long connectionId);

    [LoggerMessage(
        1201, LogLevel.Warning,
        "Packet {PacketId} ({PacketName}) on connection {ConnectionId} from {RemoteEndPoint} is malformed: "
            + "its body is not a valid {MessageType}. {Problem} "
            + "{LeftOut} malformed packets of its address before it were not logged.")]
    public static partial void Malformed(
        ILogger logger,
        ushort packetId,
        string packetName,
        long connectionId,
        EndPoint? remoteEndPoint,
        Type messageType,
        string problem,
        int leftOut);

    [LoggerMessage(
        1203, LogLevel.Information,
        "Connection {ConnectionId} from {RemoteEndPoint} is closed as UnknownPacket: nothing handles its packet {Packet}. Map a handler, "
            + "or set PacketRouter.OnUnknown. {LeftOut} such closes of its address before it were not logged.")]
    public static partial void ClosedAsUnknown(ILogger logger, long connectionId, EndPoint? remoteEndPoint, string packet, int leftOut);

    [LoggerMessage(
        1204, LogLevel.Warning,
        "Nothing handles packet {Packet}, which the server {RemoteEndPoint} has sent on connection {ConnectionId}, so it is dropped. Map a "
            + "handler, or set PacketRouter.OnUnknown. Later packets with this id are counted and not logged.")]
    public static partial void DroppedByClient(ILogger logger, long connectionId, EndPoint? remoteEndPoint, string packet);

    [LoggerMessage(
        1205, LogLevel.Information,
        "Connection {ConnectionId} from {RemoteEndPoint} is closed as LoginRequired: its packet {Packet} needs a login. Bind the session "
            + "to a user first (Sessions.Bind), allow the packet before the login ([AllowBeforeLogin]), or set "
            + "PacketRouter.OnLoginRequired. {LeftOut} such closes of its address before it were not logged.")]
    public static partial void ClosedAsLoginRequired(
        ILogger logger, long connectionId, EndPoint? remoteEndPoint, string packet, int leftOut);

    [LoggerMessage(
        1206, LogLevel.Information,
        "Connection {ConnectionId} from {RemoteEndPoint} is closed as RateLimited: {InRow} packets in a row were over a rate limit, the "
            + "last one {Packet}. Raise the limit (RateLimit) or PacketRouter.MaxRateLimitedInRow, or send less. {LeftOut} such closes of "
            + "its address before it were not logged.")]
    public static partial void ClosedAsRateLimited(
        ILogger logger, long connectionId, EndPoint? remoteEndPoint, int inRow, string packet, int leftOut);

    [LoggerMessage(
        1207, LogLevel.Information,
        "Packet {Packet} on connection {ConnectionId} from {RemoteEndPoint} is dropped: its sender is {Room}. Let the session join first "
            + "(JoinAsync), or set PacketRouter.OnNoRoom. {LeftOut} such packets of its address before it were not logged.")]
    public static partial void DroppedWithoutRoom(
        ILogger logger, string packet, long connectionId, EndPoint? remoteEndPoint, string room, int leftOut);
}
