namespace PlayChat.Core.Hosting;

/// <summary>Log messages of starting, accepting and stopping: event ids 1300–1399.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(1300, LogLevel.Information, "Listening on {EndPoint}.")]
    public static partial void Listening(ILogger logger, EndPoint endPoint);

    [LoggerMessage(1301, LogLevel.Information, "Stopping: draining {Connections} connections.")]
    public static partial void Stopping(ILogger logger, int connections);

    [LoggerMessage(1302, LogLevel.Warning, "The drain took too long: {Connections} connections are aborted.")]
    public static partial void Aborting(ILogger logger, int connections);

    [LoggerMessage(
        1309, LogLevel.Error,
        "The handlers of {Connections} connections ignore their cancellation token; the stop does not wait for them.")]
    public static partial void HandlersLeft(ILogger logger, int connections);

    [LoggerMessage(1311, LogLevel.Error, "Some rooms have not ended, because a turn does not return; the stop does not wait for them.")]
    public static partial void RoomsLeft(ILogger logger);

    [LoggerMessage(1303, LogLevel.Information, "Stopped.")]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage(
        1304, LogLevel.Warning,
        "A connection on {EndPoint} could not be accepted; trying again. {LeftOut} such faults before it were not logged.")]
    public static partial void AcceptFault(ILogger logger, Exception exception, EndPoint endPoint, int leftOut);

    [LoggerMessage(
        1312, LogLevel.Error,
        "The listener on {EndPoint} has ended although the server is running; clients can no longer connect there. Restart the server.")]
    public static partial void ListenerEnded(ILogger logger, EndPoint endPoint);

    [LoggerMessage(
        1305, LogLevel.Information,
        "A connection from {RemoteEndPoint} was refused: {Reason}. {LeftOut} refusals of its address before it were not logged.")]
    public static partial void Refused(ILogger logger, EndPoint? remoteEndPoint, CloseReason reason, int leftOut);

    [LoggerMessage(
        1343, LogLevel.Information,
        "A WebSocket request from {RemoteEndPoint} got {Status}: {Problem} "
            + "{LeftOut} such answers to its address before it were not logged.")]
    public static partial void UpgradeRefused(ILogger logger, EndPoint? remoteEndPoint, string status, string problem, int leftOut);

    [LoggerMessage(
        1340, LogLevel.Warning,
        "The server takes up to {Allowed} connections, fewer than the {Wanted} of {Path}:Connections:MaxConnections: each is an open file, "
            + "and the system allows this process no more open files. Raise that limit (ulimit -n, or LimitNOFILE= of systemd), or lower "
            + "the option.")]
    public static partial void FewDescriptors(ILogger logger, int allowed, int wanted, string path);

    [LoggerMessage(
        1342, LogLevel.Information,
        "The server takes up to {Allowed} connections: each is an open file, and the system allows this process no more open files. To "
            + "take more, raise that limit (ulimit -n, or LimitNOFILE= of systemd).")]
    public static partial void DescriptorsBoundConnections(ILogger logger, int allowed);

    [LoggerMessage(
        1319, LogLevel.Information,
        "Connection {ConnectionId} from {RemoteEndPoint} is closed: it sent nothing for {IdleTimeout} ({Option}) and answered no "
            + "heartbeat. {LeftOut} such closes of its address before it were not logged.")]
    public static partial void ClosedIdle(
        ILogger logger, long connectionId, EndPoint? remoteEndPoint, TimeSpan idleTimeout, string option, int leftOut);

    [LoggerMessage(
        1322, LogLevel.Information,
        "Connection {ConnectionId} from {RemoteEndPoint} is closed: it did not log in within {LoginTimeout} ({Option}). A login binds the "
            + "session to a user (Sessions.Bind). {LeftOut} such closes of its address before it were not logged.")]
    public static partial void ClosedWithoutLogin(
        ILogger logger, long connectionId, EndPoint? remoteEndPoint, TimeSpan loginTimeout, string option, int leftOut);

    [LoggerMessage(1306, LogLevel.Error, "A connection from {RemoteEndPoint} could not be set up.")]
    public static partial void OpenFault(ILogger logger, Exception exception, EndPoint? remoteEndPoint);

    [LoggerMessage(1307, LogLevel.Error, "The OnConnected handler failed for connection {ConnectionId}.")]
    public static partial void ConnectedHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1308, LogLevel.Error, "The OnHeartbeat handler failed for connection {ConnectionId}.")]
    public static partial void HeartbeatHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1313, LogLevel.Error, "The OnSessionEnded handler failed for connection {ConnectionId}.")]
    public static partial void SessionEndedHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(1316, LogLevel.Information, "The certificates of {Path} were read again; the first of them expires at {EarliestEnd}.")]
    public static partial void CertificatesReloaded(ILogger logger, string path, DateTime earliestEnd);

    [LoggerMessage(1317, LogLevel.Warning, "Changed certificates were not used; the server keeps the ones it has. {Problem}")]
    public static partial void CertificatesNotReloaded(ILogger logger, Exception exception, string problem);

    [LoggerMessage(
        1349, LogLevel.Error,
        "The abort of the hosted connection from {RemoteEndPoint} threw an exception; the server ends its side of the connection.")]
    public static partial void AbortFault(ILogger logger, Exception exception, EndPoint? remoteEndPoint);

    [LoggerMessage(1318, LogLevel.Critical, "The server cannot start. {Problem}")]
    public static partial void StartFailed(ILogger logger, string problem);

    [LoggerMessage(1320, LogLevel.Debug, "Attempt {Attempt} to reconnect failed: {Problem}")]
    public static partial void ReconnectFailed(ILogger logger, int attempt, string problem);

    [LoggerMessage(1321, LogLevel.Error, "A callback of a reconnecting connection threw an exception; the connection continues.")]
    public static partial void ReconnectCallbackFault(ILogger logger, Exception exception);
}
