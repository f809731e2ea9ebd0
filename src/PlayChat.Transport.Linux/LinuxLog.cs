using Microsoft.Extensions.Logging;

namespace PlayChat.Transport.Linux;

/// <summary>Log messages of the Linux transport: event ids 1400–1499.</summary>
internal static partial class LinuxLog
{
    [LoggerMessage(
        1400, LogLevel.Error,
        "An exception reached the event loop from the link to {RemoteEndPoint}; the link is closed as TransportFault.")]
    public static partial void LinkFault(ILogger logger, Exception exception, EndPoint? remoteEndPoint);

    [LoggerMessage(
        1401, LogLevel.Error,
        "An exception reached the event loop from the listener on {EndPoint}; the listener has ended. Restart the server to listen again.")]
    public static partial void ListenerFault(ILogger logger, Exception exception, EndPoint endPoint);
}
