namespace PlayChat.Core.Connections;

/// <summary>Log messages of connections: event ids 1000–1099.</summary>
internal static partial class ConnectionLog
{
    [LoggerMessage(1000, LogLevel.Debug, "Connection {ConnectionId} from {RemoteEndPoint} opened.")]
    public static partial void Opened(ILogger logger, long connectionId, EndPoint? remoteEndPoint);

    [LoggerMessage(1001, LogLevel.Debug, "Connection {ConnectionId} from {RemoteEndPoint} closed: {Reason}.")]
    public static partial void Closed(ILogger logger, long connectionId, EndPoint? remoteEndPoint, CloseReason reason);

    [LoggerMessage(
        1002, LogLevel.Information,
        "Connection {ConnectionId} from {RemoteEndPoint} sent a bad frame: {Reason}. {Problem} {LeftOut} bad frames of its address before "
            + "it were not logged.")]
    public static partial void BadFrame(
        ILogger logger, long connectionId, EndPoint? remoteEndPoint, CloseReason reason, string problem, int leftOut);

    [LoggerMessage(
        1003, LogLevel.Information, "Connection {ConnectionId} from {RemoteEndPoint} reads too slowly: {QueuedBytes} bytes wait.")]
    public static partial void SlowConsumer(ILogger logger, long connectionId, EndPoint? remoteEndPoint, int queuedBytes);

    [LoggerMessage(1004, LogLevel.Error, "A handler of connection {ConnectionId} from {RemoteEndPoint} threw an exception.")]
    public static partial void HandlerFault(ILogger logger, Exception exception, long connectionId, EndPoint? remoteEndPoint);

    [LoggerMessage(1005, LogLevel.Error, "The OnDisconnected handler of connection {ConnectionId} threw an exception.")]
    public static partial void ClosedHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1006, LogLevel.Error, "The receive loop of connection {ConnectionId} failed.")]
    public static partial void ReceiveFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1007, LogLevel.Error, "A send of connection {ConnectionId} failed.")]
    public static partial void SendFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1009, LogLevel.Error, "The OnClosing handler of connection {ConnectionId} threw an exception.")]
    public static partial void ClosingHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1008, LogLevel.Error, "A callback on the Aborted token of connection {ConnectionId} threw an exception.")]
    public static partial void AbortedHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(
        1012, LogLevel.Warning,
        "The handlers of {Frames} frames on connection {ConnectionId} from {RemoteEndPoint}, the last one with packet id {PacketId}, took "
            + "{Milliseconds} ms. Do not block in a handler: await, or hand the work to Offload. {LeftOut} such lines before it were not "
            + "logged.")]
    public static partial void SlowHandler(
        ILogger logger, int frames, long connectionId, EndPoint? remoteEndPoint, ushort packetId, int milliseconds, int leftOut);

    [LoggerMessage(
        1010, LogLevel.Warning,
        "The handler of connection {ConnectionId} (packet id {PacketId}) has blocked the thread '{Thread}' for "
            + "{Milliseconds} ms, and with it every connection there; hand work that may block to Offload.")]
    public static partial void HandlerBlocks(ILogger logger, string thread, long milliseconds, long connectionId, ushort packetId);

    [LoggerMessage(
        1013, LogLevel.Warning,
        "The handler of connection {ConnectionId} (packet id {PacketId}) has not returned for {Milliseconds} ms, and the connection "
            + "receives nothing until it does. Do not block in a handler: await, or hand the work to Offload.")]
    public static partial void HandlerHangs(ILogger logger, long connectionId, ushort packetId, long milliseconds);
}
