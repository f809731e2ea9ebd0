using Microsoft.Extensions.Logging;
using PlayChat.Core;

namespace PlayChat.Protocol;

/// <summary>Event ids 5001 to 5099.</summary>
internal static partial class ChatClientLog
{
    [LoggerMessage(5001, LogLevel.Error, "A subscriber of {EventName} threw; the client continues.")]
    public static partial void HandlerFailed(ILogger logger, string eventName, Exception exception);

    [LoggerMessage(5002, LogLevel.Warning, "The server sent {PacketName}, whose payload is no such message; the connection closes.")]
    public static partial void MalformedPacket(ILogger logger, string packetName);

    [LoggerMessage(
        5003, LogLevel.Warning,
        "The server answered request {RequestId} with {PacketName}, which does not answer it; the connection closes.")]
    public static partial void WrongAnswer(ILogger logger, ushort requestId, string packetName);

    [LoggerMessage(5004, LogLevel.Debug, "Disconnected: {CloseReason}.")]
    public static partial void Disconnected(ILogger logger, CloseReason closeReason);

    [LoggerMessage(5006, LogLevel.Debug, "Reconnected; of {Rooms} rooms {Recovered} are recovered.")]
    public static partial void Resumed(ILogger logger, int rooms, int recovered);

    [LoggerMessage(5007, LogLevel.Debug, "Resuming the session failed ({Why}); logging in again.")]
    public static partial void LoggingInAgain(ILogger logger, string why);
}
