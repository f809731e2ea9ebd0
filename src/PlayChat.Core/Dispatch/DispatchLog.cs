using Microsoft.Extensions.Logging;

namespace PlayChat.Core.Dispatch;

/// <summary>Log messages of dispatch: event ids 1200–1299.</summary>
internal static partial class DispatchLog
{
    [LoggerMessage(
        1200,
        LogLevel.Error,
        "The handler of {PacketName} threw an exception for session {SessionId}; the session stays open.",
        EventName = nameof(HandlerFault))]
    public static partial void HandlerFault(ILogger logger, Exception exception, string packetName, long sessionId);
}
