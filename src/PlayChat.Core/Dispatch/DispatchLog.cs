using System.Net;
using Microsoft.Extensions.Logging;

namespace PlayChat.Core.Dispatch;

/// <summary>Log messages of dispatch: event ids 1200–1299.</summary>
internal static partial class DispatchLog
{
    [LoggerMessage(
        1200,
        LogLevel.Error,
        "The handler of {PacketName} threw an exception for connection {ConnectionId}; it stays open.",
        EventName = nameof(HandlerFault))]
    public static partial void HandlerFault(ILogger logger, Exception exception, string packetName, long connectionId);

    [LoggerMessage(
        1201,
        LogLevel.Warning,
        "Packet {PacketId} ({PacketName}) on connection {ConnectionId} from {RemoteEndPoint} is malformed: "
            + "its body is not a valid {MessageType}. {Problem}",
        EventName = nameof(Malformed))]
    public static partial void Malformed(
        ILogger logger,
        ushort packetId,
        string packetName,
        long connectionId,
        EndPoint? remoteEndPoint,
        Type messageType,
        string problem);

    [LoggerMessage(
        1202,
        LogLevel.Warning,
        "Packet {PacketId} ({PacketName}) on connection {ConnectionId} from {RemoteEndPoint} is malformed: "
            + "its body is not a valid {MessageType}. {Problem} "
            + "{LeftOut} malformed packets of its address before it were not logged.",
        EventName = nameof(MalformedAgain))]
    public static partial void MalformedAgain(
        ILogger logger,
        ushort packetId,
        string packetName,
        long connectionId,
        EndPoint? remoteEndPoint,
        Type messageType,
        string problem,
        int leftOut);
}
