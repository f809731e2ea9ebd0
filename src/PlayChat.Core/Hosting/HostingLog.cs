using System.Net;
using Microsoft.Extensions.Logging;

namespace PlayChat.Core.Hosting;

/// <summary>Log messages of starting, accepting and stopping: event ids 1300–1399.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(1300, LogLevel.Information, "Listening on {EndPoint}.", EventName = nameof(Listening))]
    public static partial void Listening(ILogger logger, EndPoint endPoint);

    [LoggerMessage(1301, LogLevel.Information, "Stopping: {Connections} connections are told and drained.", EventName = nameof(Stopping))]
    public static partial void Stopping(ILogger logger, int connections);

    [LoggerMessage(1302, LogLevel.Warning, "The drain took too long: {Connections} connections are aborted.", EventName = nameof(Aborting))]
    public static partial void Aborting(ILogger logger, int connections);

    [LoggerMessage(
        1309,
        LogLevel.Error,
        "The handlers of {Connections} connections ignore their cancellation token; the stop does not wait for them.",
        EventName = nameof(HandlersLeft))]
    public static partial void HandlersLeft(ILogger logger, int connections);

    [LoggerMessage(
        1311,
        LogLevel.Error,
        "Some rooms have not ended, because a turn does not return; the stop does not wait for them.",
        EventName = nameof(RoomsLeft))]
    public static partial void RoomsLeft(ILogger logger);

    [LoggerMessage(1303, LogLevel.Information, "Stopped.", EventName = nameof(Stopped))]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage(
        1304,
        LogLevel.Warning,
        "A connection on {EndPoint} could not be accepted; trying again.",
        EventName = nameof(AcceptFault))]
    public static partial void AcceptFault(ILogger logger, Exception exception, EndPoint endPoint);

    [LoggerMessage(
        1312,
        LogLevel.Error,
        "The listener on {EndPoint} has ended although the server is running; clients can no longer connect there. Restart the server.",
        EventName = nameof(ListenerEnded))]
    public static partial void ListenerEnded(ILogger logger, EndPoint endPoint);

    [LoggerMessage(1305, LogLevel.Information, "A connection from {RemoteEndPoint} was refused: {Reason}.", EventName = nameof(Refused))]
    public static partial void Refused(ILogger logger, EndPoint? remoteEndPoint, CloseReason reason);

    [LoggerMessage(1306, LogLevel.Error, "A connection from {RemoteEndPoint} could not be set up.", EventName = nameof(OpenFault))]
    public static partial void OpenFault(ILogger logger, Exception exception, EndPoint? remoteEndPoint);

    [LoggerMessage(
        1307,
        LogLevel.Error,
        "The OnConnected handler failed for connection {ConnectionId}.",
        EventName = nameof(ConnectedHandlerFault))]
    public static partial void ConnectedHandlerFault(ILogger logger, Exception exception, long connectionId);

    [LoggerMessage(
        1308,
        LogLevel.Error,
        "The OnHeartbeat handler failed for session {SessionId}.",
        EventName = nameof(HeartbeatHandlerFault))]
    public static partial void HeartbeatHandlerFault(ILogger logger, Exception exception, long sessionId);

    [LoggerMessage(
        1313,
        LogLevel.Error,
        "The OnSessionEnded handler failed for session {SessionId}.",
        EventName = nameof(SessionEndedHandlerFault))]
    public static partial void SessionEndedHandlerFault(ILogger logger, Exception exception, long sessionId);

    [LoggerMessage(
        1310,
        LogLevel.Information,
        "A connection from {RemoteEndPoint} was refused: {MaxHandshakes} TLS handshakes are under way already.",
        EventName = nameof(TooManyHandshakes))]
    public static partial void TooManyHandshakes(ILogger logger, EndPoint? remoteEndPoint, int maxHandshakes);

    [LoggerMessage(1320, LogLevel.Debug, "Attempt {Attempt} to reconnect failed: {Problem}", EventName = nameof(ReconnectFailed))]
    public static partial void ReconnectFailed(ILogger logger, int attempt, string problem);

    [LoggerMessage(
        1321,
        LogLevel.Error,
        "A callback of a reconnecting connection threw an exception; the connection continues.",
        EventName = nameof(ReconnectCallbackFault))]
    public static partial void ReconnectCallbackFault(ILogger logger, Exception exception);
}
